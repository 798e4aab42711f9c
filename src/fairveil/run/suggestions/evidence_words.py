"""Words of names that change what values say: when somebody was born, how long something took, who people are."""

from __future__ import annotations

from fairveil.run.suggestions.column_words import word_set

BORN = word_set(
    "birth birthdate birthday dob born yob bdate geburtsdatum geboren geburtstag geburt geb gebdat gebdatum naissance "
    "ddn nacimiento nac fnac nascimento"
)
"""Words that say when somebody was born."""
DURATIONS = word_set(
    "days months weeks hours minutes seconds tage monate wochen stunden minuten jours mois semaines heures dias meses "
    "semanas horas minutos"
)
"""Words of how long something took, which is no date."""
MARKS = word_set("note noten notes nota notas grade mark marks")
SPECIFIED = word_set("other others specify specified freetext verbatim autre autres sonstige sonstiges otro otra otros")
"""Last words of what people wrote where no answer fitted."""
HOMES = word_set(
    "household fam familiar famiglia huishouden hogar haushalt menage foyer hogares familia famille familie hhold hh"
)
MARRYING = word_set("marr married marriage divorce divorced widowed separated heirat mariage matrimonio")
WEIGHING = word_set("weight wt wgt wght gewicht poids peso")
PEOPLE = word_set(
    "student patient customer client employee member person respondent participant subject child pupil worker "
    "user passenger player learner learners kunde patienten schuler etudiant eleve paciente alumno cliente "
    "empleado defendant claimant applicant tenant landlord beneficiary borrower donor voter resident inmate "
    "victim suspect officer doctor physician consultant clinician teacher judge interviewer caseworker clerk "
    "agent surgeon nurse midwife guardian contact mieter vermieter mitarbeiter mitarbeiterin sachbearbeiter "
    "bearbeiter arzt hausarzt lehrer betreuer richter antragsteller versicherter bewohner mitglied assure assuree "
    "beneficiaire salarie salariee adherent medecin locataire demandeur enseignant conseiller juge asegurado "
    "beneficiario trabajador trabajadora solicitante medico maestro docente inquilino socio socia juez titular "
    "paziente erziehungsberechtigter erziehungsberechtigte conducteur conductor fahrer driver holder owner author "
    "artist director coach trainer manager supervisor referent responsable kontakt alias sportler "
    "candidate candidat candidato candidata kandidat politician deputy deputado deputada diputado diputada deputato "
    "depute senateur senador senadora abgeordneter abgeordnete mayor maire alcalde prefeito sindaco elu runner rider "
    "swimmer jockey pilot astronaut climber actor actress singer musician composer painter laureate nominee minister "
    "prisoner witness complainant plaintiff offender tutor mentor therapist psychologist dentist recruiter donante "
    "verteidiger anwalt rechtsanwalt avocat abogado avvocato advocaat lawyer attorney solicitor"
)
"""Words of people: what they are called in a file."""
