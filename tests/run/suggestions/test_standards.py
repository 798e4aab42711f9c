"""Fields of systems and standards, and names as offices of several countries shorten them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil.run.suggestions.column_evidence import KINDS
from fairveil.run.suggestions.column_facts import Facts
from fairveil.run.suggestions.standards import STANDARDS, said_by_standards
from fairveil.run.suggestions.suggested_roles import suggest_roles

ROWS = 600


def number(name: str, **more: object) -> Facts:
    facts = Facts(name, "integers", "integers", 8, 0.0, 1000, low=1, middle=3, high=8)
    return replace(facts, **more)  # type: ignore[arg-type]


def roles(*names: str) -> dict[str, str]:
    suggested = suggest_roles([number(name) for name in names])
    return {name: "+".join(one.roles) for name, one in zip(names, suggested, strict=True)}


def test_every_field_is_of_a_kind_and_stands_once_in_its_standard() -> None:
    for standard in STANDARDS:
        fields = [field.removeprefix("~") for line in standard.listed.values() for field in line.split()]
        assert {*standard.listed} <= {*KINDS, "person"}
        assert [field for field in fields if fields.count(field) > 1] == [], standard.name


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("PERNR GESCH WERKS PERSK TRFST BET01 UNAME", "- quasi+protected quasi quasi quasi sensitive drop"),
        ("EMPLID MAR_STATUS DEPTID JOBCODE ANNUAL_RT", "- quasi+protected quasi quasi sensitive"),
        ("APPL_NO DPD_MAX DFLT_12M UW_ID SRC_SYS OCC_CD", "- sensitive sensitive drop drop quasi"),
        ("POL_NO VEH_GRP SUM_INSURED CLM_STATUS EXP_DATE", "- quasi sensitive sensitive quasi"),
        ("USUBJID INVNAM TRT01P AVAL PARAMCD AESEV", "- drop plain sensitive plain sensitive"),
        ("person_id gender_concept_id year_of_birth condition_concept_id value_as_number",
         "- quasi+protected quasi+protected sensitive sensitive"),
        ("GroupNo COO EthnicCode RelToFP SPNeeds ProGresID",
         "- quasi+protected quasi+protected quasi sensitive+protected -"),
        ("UPN NCyear FSMeligible SENstatus KS2_READ", "- quasi sensitive sensitive+protected sensitive"),
        ("RB030 PB150 PL031 PE040 PY010N PH010", "- quasi+protected quasi quasi sensitive sensitive"),
        ("SEXE TRAGE CSER CATAGGLO REVMEN", "quasi+protected quasi+protected quasi quasi sensitive"),
        ("RIPMF ETAM STACIV TITSTU CONDMI", "quasi quasi+protected quasi+protected quasi quasi"),
        ("GBAGESLACHT GBAGEBOORTELAND PLHH SECM INHBRUTINKH", "quasi+protected quasi+protected quasi quasi sensitive"),
        ("CS_SEXO CS_RACA CLASSI_FIN EVOLUCAO DT_NOTIFIC", "quasi+protected quasi+protected sensitive sensitive quasi"),
    ],
)  # fmt: skip
def test_fields_of_standards_have_the_roles_that_who_knows_them_gives(names: str, expected: str) -> None:
    suggested = roles(*names.split())
    wanted = dict(zip(names.split(), expected.split(), strict=True))
    assert {name: role for name, role in suggested.items() if wanted[name] != "-"} == {
        name: role for name, role in wanted.items() if role != "-"
    }


def test_short_fields_say_nothing_in_a_file_that_follows_no_standard() -> None:
    assert said_by_standards(["pd", "sex", "age", "uw"]) == {}
    assert said_by_standards(["PD", "LGD", "EAD", "UW"])[3][0] == "technical"


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("NATNLTY_CD", "quasi+protected"), ("EST_CIVIL", "quasi+protected"), ("sit_fam", "quasi+protected"),
        ("stato_civ", "quasi+protected"), ("burg_staat", "quasi+protected"), ("geb_jahr", "quasi+protected"),
        ("an_nais", "quasi+protected"), ("seeking", "sensitive+protected"), ("sit_lab", "quasi"), ("niv_form", "quasi"),
        ("etab_orig", "quasi"), ("tam_hogar", "quasi"), ("taille_foy", "quasi"), ("cod_mun", "quasi"),
        ("trab_social", "drop"), ("cost_center", "quasi"), ("geburtsort", "quasi"),
        ("OFCR_BADGE", "drop"), ("pin_code", "quasi"), ("study_prog", "quasi"), ("group", "quasi"),
        ("pzn", "sensitive"), ("imp_mes", "sensitive"), ("rev_foy", "sensitive"), ("motif_refus", "sensitive"),
        ("clt_commission", "sensitive"), ("app_ver", "drop"), ("changed_by", "drop"), ("src_sys", "drop"),
        ("PAX_NAT", "quasi+protected"), ("hh_size_tot", "quasi"), ("deg_lvl", "quasi"), ("yrs_svc", "quasi"),
        ("from_st", "quasi"), ("gesl", "quasi+protected"), ("afd", "quasi"), ("late_pays", "sensitive"),
        ("kjonn", "quasi+protected"), ("sivilstand", "quasi+protected"), ("inntekt", "sensitive"),
        ("plec", "quasi+protected"),
        ("wyksztalcenie", "quasi"), ("rodinny_stav", "quasi+protected"), ("medeni_durum", "quasi+protected"),
        ("sit_avant", "quasi"), ("niv_dipl_prep", "quasi"), ("dep_etab", "quasi"),
        ("mode_int", "plain"), ("orden_miembro", "quasi"), ("deceased_flag", "sensitive"),
    ],
)  # fmt: skip
def test_names_as_offices_shorten_them(name: str, role: str) -> None:
    assert roles(name) == {name: role}


@pytest.mark.parametrize(
    "name", ["PDS_REDR", "poids", "GEWICHT", "wt_final", "POND", "coef_pond", "HRF", "wtx7", "fact_elev"]
)
def test_weights_around_one_are_left_out(name: str) -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"sex": rng.choice(["f", "m"], ROWS), "age": rng.integers(20, 80, ROWS),
                          "income": rng.integers(500, 5000, ROWS),
                          name: np.exp(rng.normal(0, 0.5, ROWS)).round(4)})  # fmt: skip
    plan = fv.init(frame, progress=False)
    assert plan.schema is not None and {*plan.schema.roles(name)} <= {"weight", "drop"}


@pytest.mark.parametrize(
    ("name", "values", "denied"),
    [
        ("DEC_CD", "A A A D R", "D"), ("RSDDecision", "REC REC PEN REJ WDR", "REJ"), ("decision", "ADM LC REF", "REF"),
        ("bescheid", "bewilligt abgelehnt offen", "abgelehnt"),
        ("resolucion", "concedida denegada pendiente", "denegada"),
        ("esito_domanda", "accolta respinta sospesa", "respinta"),
        ("status_x", "approved declined referred", "declined"), ("INSP_RES", "ADM ADM REF SEC", "REF"),
    ],
)  # fmt: skip
def test_what_was_granted_and_refused_is_a_decision(name: str, values: str, denied: str) -> None:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"sex": rng.choice(["f", "m"], ROWS), "age": rng.integers(20, 80, ROWS),
                          "income": rng.integers(500, 5000, ROWS), name: rng.choice(values.split(), ROWS)})  # fmt: skip
    plan = fv.init(frame, progress=False)
    assert plan.schema is not None and plan.schema.decision == name and plan.schema.denied_values == (denied,)


def test_states_of_a_case_are_secret() -> None:
    states = ("active", "suspended", "closed")
    facts = Facts("estado", "text", "text", 3, 0.0, 1000, values=states, sample=states, spelled=states)
    assert suggest_roles([facts])[0].roles == ("sensitive",)


def test_families_that_are_numbered_are_no_places() -> None:
    rng = np.random.default_rng(3)
    sizes = rng.integers(1, 6, 70)
    family = np.repeat(rng.permutation(70) + 1, sizes)
    frame = pd.DataFrame({"no": np.arange(len(family)) + 1, "sex": rng.choice(["f", "m"], len(family)),
                          "age": rng.integers(1, 80, len(family)), "FN": family})  # fmt: skip
    plan = fv.init(frame, progress=False)
    assert plan.schema is not None and {*plan.schema.roles("FN")} <= {"household", "person", "identifier", "drop"}
