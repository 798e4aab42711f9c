"""Values that say what a column is about, in English, German, French and Spanish, without accents."""

from __future__ import annotations

from fairveil.run.suggestions.known_names import GIVEN_NAMES, SURNAMES
from fairveil.run.suggestions.known_places import CITIES, COUNTRIES, NATIONALITIES, REGIONS
from fairveil.run.suggestions.topic_words import Topic
from fairveil.run.suggestions.topics_known import US_STATES

VALUES = (
    Topic("ground", 4, "sexes",
            "m f male female man woman men women w h k kvinne kvinna kobieta mezczyzna "
            "mannlich weiblich homme femme hombre mujer masculino femenino "
            "varon girl boy divers d mann frau masculin feminin mr mrs ms miss mme mlle herr sr sra v non-binary "
            "fem masc bride groom"),
    Topic("ground", 3, "races or origins",
            "white black asian hispanic caucasian african-american african_american latino native_american hisp "
            "nonwhite pacific_islander eskimo mixed not_white non-white asian-pac-islander amer-indian-eskimo "
            "african black_or_african_american"),
    Topic("ground", 3, "marital statuses",
            "married single divorced widowed separated never-married never_married unmarried not_married ledig "
            "verheiratet geschieden verwitwet celibataire marie divorce veuf casado soltero divorciado viudo "
            "husband wife verh gesch verw led pacse concubinage union_libre spouse head cohabiting partner mariee "
            "veuve divorcee casada soltera divorciada viuda"),
    Topic("life", 3, "schools or degrees",
            "high_school high_school_graduate bachelor bachelors bachelor's master masters master's phd doctorate "
            "college some_college hs-grad primary secondary tertiary university graduate postgraduate elementary "
            "illiterate abitur hauptschule realschule bac licence primaria secundaria universitaria "
            "bachelor's_degree master's_degree high_school_diploma less_than_high_school college_graduate "
            "not_graduate associate_degree grundschule gymnasium gesamtschule hochschule fachabitur mittlere_reife "
            "berufsausbildung sin_estudios bachillerato licenciatura doctorado master_s college_degree 8th_grade 9th "
            "10th 11th 12th preschool some-college assoc-voc assoc-acdm prof-school"),
    Topic("life", 3, "kinds of work",
            "employed unemployed retired student self-employed self_employed full-time part-time full_time part_time "
            "housewife homemaker blue-collar management technician services housemaid private government angestellt "
            "arbeitslos rentner retraite etudiant chomeur jubilado estudiante employee freelancer temporary "
            "permanent contractor intern apprentice unskilled skilled professional clerical manual farmer teacher "
            "engineer manager nurse doctor lawyer driver worker other_service craft-repair sales_representative "
            "vollzeit teilzeit cdi cdd autonomo empleado desempleado ama_de_casa profesor medecin ouvrier cadre "
            "agriculteur employe"),
    Topic("life", 4, "departments",
            "sales technical support it hr marketing accounting finance engineering operations legal logistics "
            "production product_mng randd research_and_development human_resources purchasing administration vertrieb "
            "buchhaltung einkauf personal produktion verwaltung lager ventes comptabilite achats rh direction ventas "
            "contabilidad compras recursos_humanos produccion administracion r_and_d customer_service"),
    Topic("place", 3, "places",
            "northeast midwest south west north east urban rural suburban southeast southwest northwest central "
            "england scotland wales london paris berlin madrid "
            f"{US_STATES} {CITIES} {REGIONS}"),
    Topic("ground", 3, "countries", f"{COUNTRIES} {NATIONALITIES}"),
    Topic("date", 3, "months or days",
            "jan feb mar apr may jun jul aug sep oct nov dec january february march april june july august "
            "september october november december monday tuesday wednesday thursday friday saturday sunday mon tue "
            "wed thu fri sat sun thur januar februar marz mai juni juli oktober dezember janvier fevrier mars "
            "avril juin juillet enero febrero marzo abril mayo junio julio agosto"),
    Topic("belief", 3, "religions",
            "catholic protestant muslim jewish hindu buddhist christian orthodox islam evangelisch katholisch "
            "catholique catolico atheist mormon sikh romisch-katholisch"),
    Topic("politics", 3, "parties",
            "democrat republican labour conservative libdem green liberal socialist spd cdu afd fdp labor "
            "independent"),
    Topic("politics", 4, "votes",
            "for against abstain abstained abstention abstentions yea nay aye not_voting did_not_vote contre pour "
            "enthaltung dafur dagegen a_favor en_contra"),
    Topic("health", 3, "findings or illnesses",
            "benign malignant cancer tumor hiv diabetes asthma flu cold stroke angina placebo treatment healthy ill "
            "dead live alive deceased isolated recovered quarantined hospitalized released_from_quarantine smoker "
            "nonsmoker non-smoker pregnant obese normal_weight stent chemo pain migraine depression hypertension covid "
            "colon rectum breast prostate lung stomach skin liver kidney neck arm leg knee shoulder hand foot ankle "
            "chest abdomen wrist finger hip head_and_neck"),
    Topic("health", 4, "what became of patients",
            "death died dead censored alive relapse relapsed remission progression withdraw withdrawn ltx transplanted "
            "discharged discharged_alive lost_to_follow-up event_free recurrence"),
    Topic("crime", 3, "offences",
            "felony misdemeanor arson robbery burglary assault theft murder homicide"),
    Topic("score", 3, "answers on a scale",
            "agree disagree strongly_agree strongly_disagree neutral never rarely sometimes often always seldom "
            "very_good very_poor satisfied dissatisfied very_happy not_too_happy pretty_happy too_little too_much "
            "about_right trifft_zu stimme_zu d'accord de_acuerdo excellent"),
    Topic("outcome", 4, "states of a case",
            "alta baja susp suspendido suspendida deneg denegada ext extinguida extinguido activo inactivo "
            "activa inactiva "
            "active inactive suspended closed open pending cancelled canceled terminated expired lapsed aktiv inaktiv "
            "ruhend beendet gekundigt "
            "abgeschlossen offen en_cours clos cloture suspendu resilie en_tramite archivado encerrado suspenso "
            "attivo cessato sospeso lopend beeindigd"),
    Topic("decision", 2, "decisions",
            "approved denied granted rejected accepted refused hired declined bewilligt abgelehnt"),
    Topic("thing", 3, "classes of travel",
            "1st_class 2nd_class 3rd_class first_class second_class third_class economy business_class crew steerage"),
    Topic("plain", 3, "parts of a data set",
            "train test validation"),
    Topic("name", 4, "first names", GIVEN_NAMES),
    Topic("name", 4, "surnames", SURNAMES),
)  # fmt: skip
"""Topics that values speak for, if half of them are listed; of names, a quarter."""
