"""Words in the names of columns, and what they usually mean, in a few languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from fairveil.data.text_form import as_text


def _words(text: str) -> set[str]:
    return set(text.split())


NAMING = _words(
    "name names surname firstname lastname fullname givenname familyname middlename forename maidenname maiden "
    "vorname nachname nom prenom prénom nombre apellido apellidos cognome"
)
PERSONAL = (NAMING - {"name", "names", "nom", "nombre"}) | {"patientname", "customername"}
IDENTIFYING = NAMING | _words(
    "email mail ssn passport iban address street strasse straße adresse direccion id ids uuid guid identifier "
    "username user login url ip mrn account konto policy licence license plate vin serial device fax photo "
    "fingerprint biometric number no nr nummer row index key record"
)
NUMBERING = _words("id ids uuid guid identifier ssn mrn passport iban username login account")
PEOPLE = _words(
    "patient patients person customer client member subject employee student pupil user participant respondent "
    "beneficiary insured insurance policy licence license tax versicherung steuer kunde kunden mitarbeiter schüler "
    "paciente cliente"
)
NUMBERED = NUMBERING | _words("number no nr num nummer key code")
PERSON_NUMBERS = {person + number for person in PEOPLE for number in ("id", "no", "nr", "number", "nummer", "key")}
PHONED = _words("phone telephone tel telefon mobile handy fax telefono teléfono téléphone cell")
POSTAL = _words("zip zipcode postcode postal plz postleitzahl cp cap postnummer")
PLACED = POSTAL | _words(
    "city town village municipality county district ort stadt gemeinde ville commune ciudad municipio latitude "
    "longitude lat lon lng location place"
)
BORN = _words("birth birthdate birthday dob born yob geburtsdatum geboren geburtstag naissance nacimiento")
DATED = BORN | _words("year jahr annee année anio año date datum fecha admission admitted discharge death died")
AGED = _words("age alter edad âge")
DIAGNOSED = _words("icd icd10 icd9 diagnosis diagnose diag dx")
CODED = _words("code codes")
MONEY = _words(
    "amount price salary wage wages pay balance cost costs debt betrag preis gehalt lohn saldo montant salaire "
    "importe precio salario revenue charges charge fee gain loss"
)
PROTECTED = (
    _words(
        "sex gender race ethnicity ethnic religion nationality country citizenship marital disability pregnant "
        "orientation geschlecht nationalität staatsangehörigkeit familienstand sexe nationalite nationalité sexo "
        "nacionalidad foreign"
    )
    | BORN
    | AGED
)
HURTING = DIAGNOSED | _words(
    "disease illness condition hiv treatment medication drug salary wage debt crime offense offence conviction "
    "grade rating score party vote balance priors contraceptive contraception diabetes cancer tumor tumour "
    "hepatitis aids depression addiction abortion stroke krankheit gehalt lohn maladie salaire enfermedad salario"
)
DECIDING = _words(
    "class classes target label decision outcome approved granted hired admitted readmitted readmission deceased "
    "default income recid y churn survived result accepted rejected entscheidung"
)
REFUSING = _words(
    "no n false 0 bad denied rejected refused reject deny neg negative fail failed declined nein non <=50k -"
)
"""Values of a decision that are usually the unfavourable ones."""
FEARED = _words("recid recidivism default churn readmitted readmission deceased died fraud")
"""Outcomes that nobody wants: for these, yes is the unfavourable value."""
AFFIRMING = _words("yes y true 1 pos positive ja oui si sí")


NAMED = 10
"""Values of fewer rows are not named: the plan, and thus the recipe, would disclose that they occur."""


def unfavourable(decision: str, values: Sequence[Any]) -> list[Any]:
    """The unfavourable one of two values of a decision; empty if it is not known."""
    unwanted = AFFIRMING if words_of(decision) & FEARED else REFUSING
    refusing = [value for value in values if as_text(value).lower() in unwanted]
    return refusing if len(values) == 2 and len(refusing) == 1 else []


def words_of(name: str) -> set[str]:
    """The words in a column's name, and all of them joined: "first-name" and "firstName" have three."""
    parted = re.sub(r"([a-z])([A-Z])", r"\1 \2", name)
    words = [word for word in re.split(r"[\W\d_]+", parted.lower()) if word]
    return {*words, "".join(words), name.lower()}
