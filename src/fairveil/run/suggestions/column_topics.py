"""What columns are about: the words that say so, in English, German, French and Spanish, without accents.

Each topic belongs to a kind of column (`column_evidence.py`) and has a weight: 1 is a hint, 2 is likely, 3 says it, and
4 says it even against what the values look like.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Topic:
    """Words that say what a column is about. A word with a + needs all its parts in the name; one with a = in front has
    to be the whole name."""

    kind: str
    weight: float
    about: str
    listed: str

    @cached_property
    def words(self) -> frozenset[frozenset[str]]:
        return frozenset(frozenset(entry.removeprefix("=").split("+")) for entry in self.listed.split())

    @cached_property
    def _anywhere(self) -> frozenset[frozenset[str]]:
        return frozenset(frozenset(entry.split("+")) for entry in self.listed.split() if entry[0] != "=")

    @cached_property
    def _alone(self) -> frozenset[str]:
        return frozenset(entry[1:] for entry in self.listed.split() if entry[0] == "=")

    def said_by(self, words: set[str], whole: str = "") -> bool:
        """Whether these words of a name, which is `whole` without its signs, say so."""
        return any(entry <= words for entry in self._anywhere) or whole in self._alone


_US_STATES = (
    "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois "
    "indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri "
    "montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia wisconsin wyoming"
)

REACHED = "addresses, telephone numbers or accounts"
TOPICS = (
    # what names people
    Topic("name", 4, "names of people",
            "surname lastname firstname fullname givenname familyname middlename forename maidenname maiden "
            "vorname nachname familienname prenom apellido apellidos cognome patronymic last+name first+name "
            "full+name lname fname mname given+name family+name middle+name birth+name nickname last+initial "
            "contact+person payer+name host+name emergency+contact nombres apellido1 apellido2 namen"),
    Topic("name", 3, "names",
            "name names nom nombre initials"),
    Topic("name", 4, "names of people",
            "patient+name mother+name father+name doctor+name customer+name client+name employee+name student+name "
            "person+name user+name child+name spouse+name guardian+name contact+name physician+name parent+name"),
    Topic("thing", 4, "names of things",
            "country+name state+name city+name county+name school+name team+name company+name firm+name "
            "product+name brand+name drug+name file+name variable+name item+name hospital+name region+name "
            "course+name district+name department+name street+number"),
    Topic("name", 4, REACHED,
            "email mail courriel correo emailaddress phone telephone telefon telefono tel mobile handy fax ssn "
            "iban address street strasse adresse direccion rue calle passport passnummer reisepass pasaporte "
            "username login url ip vin plate kennzeichen matricula photo fingerprint biometric dni nif nie nir "
            "curp cedula steuernummer sozialversicherungsnummer versichertennummer kontonummer account+number "
            "konto+nummer licence+number license+number card+number cell+phone bib serial device mac cc+number "
            "credit+card+number social+security national+id tax+id imei twitter handle signature"),
    # what numbers people and rows
    Topic("number", 3, "numbers of rows or people",
            "id ids uuid guid identifier idno identificador identifiant kennung pid uid mrn ssn nr nummer row "
            "rowname rownames index key record personalnummer kundennummer matrikelnummer patientennummer caseid "
            "case subjid subject rec seqn seqno obs ref usubjid folio expediente legajo dossier aktenzeichen "
            "matricule token"),
    Topic("number", 1.5, "numbers",
            "number num no numero"),
    Topic("number", 4, "numbers of people",
            "patient+id person+id customer+id client+id member+id subject+id employee+id student+id pupil+id "
            "user+id participant+id respondent+id beneficiary+id worker+id player+id child+id pid personid "
            "patientid ptnum ptid patno idcode insurance+no policy+no insurance+number policy+number patient+no "
            "patient+nr customer+no customer+number patient+number patient+num num+patient id+cliente cliente+id "
            "id+paciente personalnummer kundennummer patientennummer kunden+nr patient+nummer person+nr person+no "
            "person+number subject+no subject+number account+id account+no account+number mrn matricule subjid "
            "seqn account+nummer usubjid emp+id empid stu+id stud+id mem+id cust+id custid resp+id participant "
            "member+number patient+nbr patnr pat+nr host+id"),
    Topic("household", 4, "numbers of households",
            "hhid hid famid hhno hhnr household+id household+no household+number family+id family+number familyid "
            "haushalt+id haushaltsnummer haushaltsid hogar+id menage+id foyer+id house+id hhidpn"),
    Topic("weight", 4, "sampling weights",
            "fnlwgt pweight fweight perwt hhwt finalwt wtssall wtss pspwght dweight pweights sampling+weight "
            "survey+weight sample+weight final+weight person+weight analysis+weight design+weight pondera "
            "ponderation hochrechnung hochrechnungsfaktor wgt wgts wght perwgt wtfinl popwt poidsond poids+sondage "
            "factor+expansion anweight anwgt"),
    Topic("text", 1, "remarks in words",
            "note notes remark remarks comment comments text notiz bemerkung remarque nota"),
    # grounds of discrimination that others see or can look up
    Topic("ground", 3, "sex or gender",
            "sex gender female male woman women men girl boy geschlecht sexe sexo genre genero femme homme mujer "
            "hombre weiblich mannlich fem kvinna gndr gend geschl hembra varon fml"),
    Topic("ground", 3, "race, colour or origin",
            "race ethnicity ethnic ethn ethnie etnia raza black white nonwhite nwhite hispanic hisp latino latina "
            "asian afam african caucasian minority colour+skin skin+color aboriginal indigenous immigrant "
            "immigration+status foreign foreigner auslander migrant migration migrationshintergrund native "
            "native+country birthplace country+birth born+country nativeborn foreignborn nonhispanic eskimo "
            "mestizo amerindian raceeth ethrace racegrp caste tribe tribal othrace"),
    Topic("ground", 3, "nationality",
            "nationality nation country citizenship citizen nationalitat staatsangehorigkeit staatsburgerschaft "
            "nationalite nacionalidad pays pais land+herkunft herkunftsland ciudadania language+mother "
            "mothertongue native+language =language =languages =lang home+language sprache langue idioma cntry "
            "ctry brncntr countries"),
    Topic("ground", 3, "age",
            "age ages aged alter edad ageyr agegroup altersgruppe birth birthdate birthday birthyear dob yob born "
            "geburtsdatum geburtsjahr geboren geburtstag naissance nacimiento natality senior elderly agea yrbrn "
            "yrborn birthyr byear bdate ageyrs years+old"),
    Topic("ground", 3, "marital status",
            "marital marr married maried maritl marstat =single divorced divorce widowed widow separated "
            "nevermarried cohab spouse familienstand verheiratet ledig matrimonial situation+famille casado "
            "soltero unmarried mstatus relationship partner cohabiting marriage matri nev+mar msp"),
    Topic("ground", 5, "marital status",
            "civil+status estado+civil etat+civil situation+familiale"),
    Topic("ground", 3, "family and personal status",
            "personal+status"),
    # grounds that others do not see
    Topic("belief", 4, "religion or belief",
            "religion religious relig faith church catholic protestant protest muslim islam jewish hindu buddhist "
            "konfession religionszugehorigkeit kirche catholique religieux iglesia confesion denomination "
            "spiritual evangelical attend+church wrshp worship bornagain born+again god pray prayer religiosity "
            "mosque attend+services bible"),
    Topic("belief", 4, "sexual orientation",
            "orientation gay lesbian bisexual homosexual heterosexual lgbt lgbtq transgender"),
    Topic("belief", 3, "a disability or pregnancy",
            "disability disabled handicap handicapped handicape schwerbehinderung schwerbehindert behinderung "
            "discapacidad invalidite impairment pregnant pregnancy schwanger schwangerschaft grossesse enceinte "
            "embarazo embarazada disab impaired wheelchair"),
    # what acquaintances and registers know
    Topic("place", 3, "where somebody lives or is",
            "zip zipcode postcode postal plz postleitzahl codepostal code+postal code+postale postnummer city town "
            "village municipality county district ort stadt gemeinde wohnort ville commune ciudad municipio "
            "latitude longitude lat lon lng location place residence region reg province provincia departement "
            "kanton bezirk landkreis bundesland borough precinct neighborhood neighbourhood community urban rural "
            "rur smsa msa metro metropolitan north south east west northeast northwest southeast southwest "
            "northcen midwest southern northern state tract blockgroup parish prefecture area zone quartier barrio "
            "lieu home+dest destination embarked suburb rgn msa+code population+community geography geo geographic "
            "stateabb fips fip zona localidad comuna departamento dpto estado cbsa regions bigcity smallcity "
            f"smcity centcity milieu pacific atlantic midatl mountain {_US_STATES}"),
    Topic("date", 3, "when something happened to somebody",
            "date datum fecha datetime timestamp admission admitted discharge discharged entlassung aufnahme year "
            "jahr annee anno ano month mois monat mes day tag jour dia yr yrs+when quarter week woche semaine "
            "semana eintrittsdatum eintritt date+entree aufnahmedatum visitdate started ended hired+date entree "
            "sortie mnth mth wave season when arrival departure issue+month zeitstempel horodateur marca+temporal "
            "enrolment joined joining signup hiredate startdate enddate inwds inwde gradyear dt"),
    Topic("life", 3, "school or studies",
            "education educ edu schooling school college university degree nodegree graduate grad highschool "
            "hschool student studies diploma estudios etudes schulbildung bildung ausbildung abschluss formation "
            "nivel+estudios phd bachelor masters literacy literate hsgrad qualification schulabschluss ed edlevel "
            "edlev edyrs eduyrs yrseduc daded momed major specialization specialisation graduation studium fach "
            "carrera filiere nivetud etud scholarship kindergarten educational parental+level coed"),
    Topic("life", 3, "work",
            "job occupation occup occ profession industry industrie sector employer employed employment unemployed "
            "emp workclass work working worker workstat hours department dept title position rank prof professor "
            "assistant assist assoc associate chair tenure experience exper seniority beruf tatigkeit abteilung "
            "branche metier emploi ocupacion empleo trabajo puesto cargo profesion profocc clerocc servocc selfemp "
            "self+employed bluecol bluecollar whitecollar blue+collar jobclass parttime fulltime retired pensioner "
            "manager construction manufacturing manuf agriculture agric trade services service transport mining "
            "military veteran farmer jobtitle employment+length unem company firm lfp inlf laborforce labor+force "
            "labour+force nonfarm arbeitgeber kostenstelle overtime travel commute hrs role worked developer "
            "engineer programmer administrator designer scientist specialist analyst technician remote incumbent "
            "exp wks farm staff shift contract career business freelance freelancer jobrole joblevel jobless laid "
            "layoff trainee apprentice wrkstat wrkslf isco nace naics discipline sport sports league uempla unempl "
            "unemploy nonprofit weekswork =self selfempl travail travaille csp ind+code jobseeker"),
    Topic("life", 3, "family and home",
            "child children kid kids dependent dependents dependant numdep dkids sibling siblings sibs sibsp parch "
            "family household famsize hhsize parents parent mother father husband wife babies preteen teens "
            "teenager kinder enfants hijos hogar haushalt menage housing homeowner homeownership ownhome house "
            "home dwelling apartment condo condomin condominium vivienda logement wohnung livingwith nchild nkids "
            "brothers sisters brthord birthord birth+order hhmem hhsz fsize household+size adults twins twin "
            "orphan mom mum dad eltern mutter vater madre padre hermanos pere mere enfant fratrie frere freres "
            "soeur soeurs geschwister momdad houshead =dep =head head+household tenancy tenant rooms bedrooms "
            "homeless widower nsibs kidhome teenhome homeown owned"),
    Topic("life", 2, "belongings that others see",
            "car cars vehicle auto coche voiture bicycle tv television radio boat pet dog cabin carrier phone+own "
            "telephone+own electric internet motorcycle hobby hobbies"),
    Topic("unit", 3, "an institution or a group",
            "center centre site clinic ward practice branch filiale store shop team club squad precinct =inst "
            "institution schid sch school+id hospital+id hospital+name provider+id lea agency dealer teacher+id "
            "classroom"),
    Topic("date", -3, "",
            "month+since day+since year+since month+last day+last week+last year+experience year+college "
            "year+married year+education hour+day hour+week hours+day hours+week"),
    Topic("body", 3, "how somebody looks",
            "height grosse taille estatura hair eye eyes beauty ht hgt stature looks handedness hand tall"),
    Topic("body", 2, "how somebody looks",
            "weight gewicht poids peso wt wgt wght"),
    # what hurts when it is known
    Topic("health", 3, "health",
            "health hlth disease diseases illness ill sick sickness condition diagnosis diagnose diagnostic "
            "diagnostico diag dx icd icd9 icd10 atc loinc snomed drg symptom pain injury injured injuries inj "
            "wound burn trauma hiv aids cancer tumor tumour tumeur carcinoma leukemia melanoma metastasis "
            "malignant stage node nodes diabetes diabetic stroke angina infarction chol cholesterol pressure bp "
            "sbp dbp systolic diastolic hypertension heartrate pulse hr ecg ekg bmi obese obesity overweight "
            "glucose insulin hemoglobin hematocrit platelet albumin bilirubin creatinine triglycerides trig ast "
            "alt wbc rbc crp hba ldl hdl serum plasma lab blood urine liver kidney lung heart cardiac renal "
            "hepatic hepatitis hepato edema ascites spiders copper protime asthma copd allergy infection virus "
            "covid vaccine vaccinated immunization fever cough wheeze treatment treat treated trt rx therapy chemo "
            "chemotherapy hormone hormon radiation radiotherapy surgery surgical surg operation transplant "
            "medication medicine drug dose dosage medicament prescription placebo hospital hospitalised "
            "hospitalized hospitalization hosp clinic doctor physician nurse emergency visits mdvis medicaid "
            "medicare medical comorbidity charlson adl chronic acute mental depression depressed anxiety "
            "psychiatric suicide stress ptsd cesd psych schizophrenia autism bipolar smoke smoker smoking cigs "
            "cigarettes tobacco alcohol drink drinks drinking drunk alcoholic addiction drugs heroin marijuana "
            "cannabis opioid birthweight bwt bwght lowbirthweight premature premie gestation weeks+gest meno "
            "menopause menopausal lactation breastfeeding miscarriage fertility infertile parity gravida death "
            "dead died dies mortality survival survived survive survtime deceased cause+death relapse recur "
            "recurrence remission complication limitation krankheit krankheitstage krankheiten befund arzt "
            "medikament behandlung therapie blutdruck blutzucker gesundheit tod verstorben maladie malade "
            "traitement tension glycemie sante deces decede sang medecin enfermedad tratamiento salud medicamento "
            "muerte fallecido tabaco allergie impfung triceps mitoses nuclei biopsy pathology histology "
            "grade+tumor receptor vessel vessels thal cd viral hyper hypten gest seizure epilepsy exercise+angina "
            "chest sleep calories diet headache migraine amputation airbag+injury severity bleed bleeding stent "
            "catheter intubated ventilator icu patient+class anesthesia lesion fracture ulcer bili alk phos ggt "
            "tsh psa ecog karno karnofsky ejection echo mri scan xray leucocyte leukocyte erythrocyte thrombocyte "
            "haemoglobin haematocrit hgb hct mch mchc mcv wcc rcc ferr ferritin sodium potassium calcium iron "
            "vitamin urea uric lipid lipids fev spirometry oxygen saturation temperature respiratory breathing "
            "dementia alzheimer parkinson updrs mmse adhd cognitive dental teeth blind deaf eczema rash itch "
            "itching dysuria vaginal lymph abdominal abdpain vomiting nausea diarrhea anemia anaemia sepsis shock "
            "coma cpr los procedure comorbid waist nutrition smk smok packyrs alcoh alco alc beer wine drinker "
            "sober marijua cocaine injection needle overdose mgus cirrhosis afp tnm metastases lymphocyte "
            "neutrophil preterm apgar newborn neonatal cesarean bfeed fatigue vision hearing psoriasis alopecia "
            "thrush polydipsia polyphagia urination healing stiffness irritability phosphatase phosphokinase hyp "
            "chcond physlim ndisease docvis hospvis badh krank schmerz raucher rauchen alkohol blutgruppe "
            "pflegegrad pflegestufe fumeur tabac alcool douleur imc hopital chirurgie vaccin symptome fumador "
            "hipertension obesidad asma neumonia inmusupr tabaquismo intubado uci hospitalizado sintomas defuncion "
            "alergia dolor abuse substance steroid steroids prophylaxis"),
    Topic("health", 5, "health",
            "birth+weight weight+loss wt+loss weight+gain birthwt health+status mental+health cause+death "
            "blood+pressure"),
    Topic("health", 1.5, "a trial",
            "arm armcd actarm baseline followup futime censor censored cnsr randomized randfl ittfl visit trta "
            "trtan"),
    Topic("genes", 4, "genes",
            "gene genes genetic genotype allele snp dna rna mutation brca pedigree chromosome haplotype apoe apoc "
            "ccr"),
    Topic("money", 3, "money",
            "income earnings earn earned wage wages salary salaries pay payroll lwage wealth asset assets saving "
            "savings debt loan loans mortgage mort credit balance account accounts bankrupt bankruptcy default "
            "delinquent delinq delinquency liens tax taxes capital gain loss amount payment payments paid "
            "installment interest+rate rate+interest expense expenses expenditure expend spending spend budget "
            "cost costs price fee fees charges charge+total fare rent benefit benefits pension welfare transfer "
            "transfers allowance bonus revenue turnover networth net+worth einkommen gehalt bruttogehalt lohn "
            "verdienst schulden kredit kontostand saldo betrag kosten preis vermogen miete umsatz steuer revenu "
            "revenus salaire dette montant cout prix solde impot loyer epargne ingreso ingresos salario sueldo "
            "deuda importe precio coste gasto gastos renta ahorro impuesto credito checking financial finance "
            "poverty foodstamp foodstamps insurance insured health+insurance limit utilization property+magnitude "
            "property existing+credits rich standard+living lsalary lincome inc faminc hhinc hhincome appinc re "
            "hhninc loginc linc totexp expenditures ctc compensation bill tip tips purchase purchases sales profit "
            "invoice premium premiums claim claims deductible reimbursement cash spent overdraft overdrawn fico "
            "repayment borrower lender collateral stock stocks bonds equity invest investment investments dividend "
            "nettfa subsidy donation donations ses socioeconomic deprivation imd poor brutto netto nettoeinkommen "
            "bruttolohn jahresgehalt monatslohn pramie zulage kreditbetrag remuneration patrimoine monto cuota "
            "prestamo hipoteca ganancia remuneracion exptot poorer totmed freelunch"),
    Topic("money", 5, "money",
            "interest+rate rate+interest credit+score credit+rating"),
    Topic("crime", 4, "crime",
            "crime crimes criminal offense offence offences convicted conviction convictions arrest arrests "
            "arrested prison jail priors felony felon misdemeanor misd fel charge charges recid recidivism "
            "recidivist sentence sentenced probation parole victim violence violent homicide murder robbery "
            "assault theft police juv juvenile straftat vorstrafe delit condamnation prision delito condena gang "
            "weapon gun owngun force+type custody offend offender offenses offended detained detention inmate bail "
            "guilty verdict bullying bullied convict"),
    Topic("politics", 4, "politics or union membership",
            "vote voted voter votes voting party partyid pid7 ideology ideolog liberal conservative democrat "
            "republican election candidate bush clinton obama trump political politics politik partei wahl parti "
            "politique voto partido politico union unions unionized gewerkschaft syndicat sindicato member+union "
            "leftright polint polviews lrscale lrself endorsed endorsement referendum senator gop"),
    Topic("sexlife", 4, "sex life",
            "sexual sexually affair affairs contraceptive contraception contracept condom abortion intercourse "
            "sexpartners npartner npartners virgin prostitution unsafe+sex std sti gonorrhea syphilis verhutung "
            "aborto avortement birth+control marriage+rate rate+marriage"),
    Topic("score", 3, "scores, marks and opinions",
            "score scores grade grades gpa sat act exam test tests mark marks rating ratings rate evaluation eval "
            "beurteilung leistung note+schule punkte zeugnis puntuacion nota+examen performance percentile decile "
            "iq ability attitude opinion satisfaction satisfied happy happiness trust agree approval feeling "
            "thermometer confidence worry like prefer preference likert item answer answers response question "
            "belief personality involvement engagement motivation wellbeing mood anger rank+exam math reading "
            "verbal news read write writing science socst vocab vocabulary knowledge memory attention visual piq "
            "viq satv satq satm psat lsat gmat gre toefl cgpa percentage hsgpa colgpa quiz homework important "
            "importance concern concerned views attractiveness esteem efficacy extraversion neuroticism "
            "conscientiousness agreeableness openness interest interested satis satisf recommend recommends "
            "recommendation recommended mathscr antisoc hyperact tmathssk treadssk prestige grammar absent "
            "absences"),
    Topic("score", 4.5, "scores",
            "score scores"),
    # what is decided
    Topic("decision", 3.5, "a decision about somebody",
            "decision approved approve approval granted grant hired hire admit deny denied reject rejected "
            "accepted accept rejection callback promoted promotion readmitted readmission recid recidivism "
            "released release entscheidung bewilligt befordert abgelehnt accorde concedido aprobado decide awarded "
            "parole+granted selected refusal eligible received+callback loan+status passed"),
    Topic("decision", 3.5, "an outcome",
            "class classes target label outcome =y survived result churn default deceased =income readmit "
            "defaulted churned exited attrition purchased bought =left success decede fallecido resultat resultado "
            "ergebnis two+year+recid"),
    Topic("plain", 3, "how the data was collected",
            "split fold train partition version =source dataset batch essround edition sample+set mode+interview "
            "interviewer language+interview"),
)  # fmt: skip

VOCABULARY = frozenset(word for topic in TOPICS for entry in topic.words for word in entry)
"""Every word that says something."""


def kinds_in(words: set[str]) -> set[str]:
    """The kinds of column that words speak for."""
    return {topic.kind for topic in TOPICS if topic.said_by(words)}


VALUES = (
    Topic("ground", 3, "sexes",
            "m f male female man woman men women w h mannlich weiblich homme femme hombre mujer masculino femenino "
            "varon girl boy divers d mann frau masculin feminin"),
    Topic("ground", 3, "races or origins",
            "white black asian hispanic caucasian african-american african_american latino native_american hisp "
            "nonwhite pacific_islander eskimo mixed not_white non-white asian-pac-islander amer-indian-eskimo "
            "african black_or_african_american"),
    Topic("ground", 3, "marital statuses",
            "married single divorced widowed separated never-married never_married unmarried not_married ledig "
            "verheiratet geschieden verwitwet celibataire marie divorce veuf casado soltero divorciado viudo "
            "husband wife"),
    Topic("life", 3, "schools or degrees",
            "high_school high_school_graduate bachelor bachelors bachelor's master masters master's phd doctorate "
            "college some_college hs-grad primary secondary tertiary university graduate postgraduate elementary "
            "illiterate abitur hauptschule realschule bac licence primaria secundaria universitaria "
            "bachelor's_degree master's_degree high_school_diploma less_than_high_school college_graduate "
            "not_graduate associate_degree"),
    Topic("life", 3, "kinds of work",
            "employed unemployed retired student self-employed self_employed full-time part-time full_time "
            "part_time housewife homemaker blue-collar management technician services housemaid private government "
            "angestellt arbeitslos rentner retraite etudiant chomeur jubilado estudiante employee freelancer"),
    Topic("place", 3, "places",
            "northeast midwest south west north east urban rural suburban southeast southwest northwest central "
            f"england scotland wales london paris berlin madrid {_US_STATES}"),
    Topic("ground", 3, "countries",
            "usa us united_states germany france spain italy uk united_kingdom canada mexico china india japan "
            "brazil russia australia poland netherlands belgium austria switzerland sweden norway denmark finland "
            "portugal greece ireland turkey argentina chile colombia peru deutschland frankreich espana allemagne "
            "italie mexique alemania francia italia"),
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
    Topic("health", 3, "findings or illnesses",
            "benign malignant cancer tumor hiv diabetes asthma flu cold stroke angina placebo treatment healthy "
            "ill dead live alive deceased smoker nonsmoker non-smoker pregnant obese normal_weight stent chemo "
            "pain migraine depression hypertension covid"),
    Topic("crime", 3, "offences",
            "felony misdemeanor arson robbery burglary assault theft murder homicide"),
    Topic("score", 3, "answers on a scale",
            "agree disagree strongly_agree strongly_disagree neutral never rarely sometimes often always seldom "
            "very_good very_poor satisfied dissatisfied very_happy not_too_happy pretty_happy too_little too_much "
            "about_right trifft_zu stimme_zu d'accord de_acuerdo excellent"),
    Topic("decision", 2, "decisions",
            "approved denied granted rejected accepted refused hired declined bewilligt abgelehnt"),
    Topic("plain", 3, "parts of a data set",
            "train test validation"),
    Topic("name", 4, "first names",
            "michael david daniel paul james john robert mary patricia jennifer linda elizabeth susan jessica "
            "sarah karen thomas christopher matthew anthony mark andrew steven kevin brian george edward jason "
            "jeff ryan amy anna emma ben clara finn greta hans ida jonas karla leon mia lukas sophie marie lea "
            "laura julia peter klaus jurgen wolfgang stefan andreas monika ursula petra sabine jean pierre michel "
            "philippe nathalie isabelle camille luc jose juan carlos luis maria carmen ana isabel javier miguel "
            "pedro lucia pablo antonio francisco manuel ahmed mohamed mohammed fatima ali mehmet ayse olga ivan "
            "dmitri natalia wei li ming yuki priya raj kyle tyler alex william richard joseph charles nancy lisa "
            "margaret sandra ashley emily michelle carol amanda melissa alice bob eve frank henry jack kate lucy "
            "max nina oscar rosa sam tom victor walter"),
)  # fmt: skip
"""Values that say what a column is about: half of the values are among them."""
