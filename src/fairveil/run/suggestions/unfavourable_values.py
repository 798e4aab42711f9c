"""The unfavourable values of a decision, in several languages and as systems shorten them.

>>> unfavourable("loan", ["yes", "no"]), unfavourable("churn", ["yes", "no"])
(['no'], ['yes'])
>>> unfavourable("RSDDecision", ["PEN", "REC", "REJ"]), unfavourable("DEC_CD", ["A", "D", "R"])
(['REJ'], ['D'])
>>> decides(["granted", "pending", "refused"]), decides(["ADM", "LC", "REF"]), decides(["open", "closed"])
(True, False, False)
>>> unfavourable("status", ["Screen - rejected", "Interview - rejected", "Hired"])
['Screen - rejected', 'Interview - rejected']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairveil.data.text_form import as_text
from fairveil.run.suggestions.column_words import folded, spelled_words, word_set, words_of

REFUSING = word_set(
    "no n false f 0 bad neg negative fail failed nein non <=50k - not_recom unsuccessful lost nao niet nee"
)
"""Values of a decision that are usually the unfavourable one of two."""
FEARED = word_set(
    "recid recidivism recidivist default defaulted churn readmitted readmission deceased died dead death fraud "
    "deny denied reject rejected rejection refused refusal arrest arrested convicted fired dismissed relapse "
    "dropout bankrupt bankruptcy delinquent decede fallecido verstorben abgelehnt refuse"
)
"""Outcomes that nobody wants: for these, yes is the unfavourable value."""
AFFIRMING = word_set("yes y true t 1 pos positive ja oui si sim")
REFUSED = word_set(
    "reject rejected rejection refused refuse refusal decline declined deny denied dismissed disallowed ineligible "
    "not_eligible not_hired not_selected not_admitted not_granted not_approved unsuccessful abgelehnt ablehnung "
    "zuruckgewiesen nicht_bewilligt rejete rejetee refusee ajourne ajournee non_admis non_admise defavorable debout "
    "denegado denegada desestimado desestimada rechazado rechazada no_admitido no_admitida no_concedido desfavorable "
    "desfavorable indeferido indeferida recusado recusada negado negada reprovado reprovada desfavoravel respinto "
    "respinta rigettato rigettata diniego negato sfavorevole afgewezen geweigerd niet_toegekend"
)
"""Values that say in words that something was refused to somebody."""
GRANTED = word_set(
    "approved approve accepted accept granted grant admitted hired offered selected awarded successful allowed "
    "eligible recognized recognised bewilligt genehmigt angenommen anerkannt stattgegeben zugelassen "
    "teilweise_bewilligt "
    "accepte acceptee accorde accordee admis admise favorable concedido concedida aprobado aprobada estimado "
    "estimada aceptado "
    "aceptada admitido admitida deferido deferida aprovado aprovada aceito aceite concesso concessa accolto accolta "
    "approvato approvata ammesso ammessa zugesagt toegewezen toegekend goedgekeurd toegelaten"
)
"""Values that say in words that it was granted."""
REFUSED_SHORT = word_set("rej rjct rejt ref refu refd decl dcl den deny deneg abl abgel neg rech ind indef resp afg na")
GRANTED_SHORT = word_set(
    "app appr apv acc acpt gra grnt adm rec bew gen ok conc apr apro def defer est ammess toeg alta fav"
)
"""How systems shorten them."""
_DECIDING = word_set(
    "decision decisions dec res rslt outcm outcome entscheidung entsch bescheid ergebnis result resultat "
    "resultado avis dictamen resolucion esito beslissing besluit parecer decisao verdict determination "
    "adjudication status statut estado stato zusage vergabe zuteilung toewijzing toekenning adjudicacion asignacion "
    "attribution assegnazione offer placement award admission"
)
"""Words of names that say a decision, which letters stand for."""
MOST_VALUES = 10
"""The most values of a decision."""


def unfavourable(decision: str, values: Sequence[Any]) -> list[Any]:
    """The unfavourable values of a decision: the one of two, or those of several that say that something was refused,
    where another says that it was granted; empty if they are not known."""
    unwanted = AFFIRMING if words_of(decision, FEARED) & FEARED else REFUSING | REFUSED
    refusing = [value for value in values if _spelled(value) in unwanted]
    if len(values) == 2 and len(refusing) == 1:
        return refusing
    if decides(values):
        return [value for value in values if _refuses(value)]
    if not {*spelled_words(decision)} & _DECIDING:
        return []
    if len(refusing) == 1 and 2 < len(values) <= MOST_VALUES and any(_spelled(value) in AFFIRMING for value in values):
        return refusing
    return _of_short(values) if 1 < len(values) <= MOST_VALUES else []


def decides(values: Sequence[Any]) -> bool:
    """Whether some of a few texts say that something was refused, and others that it was granted."""
    texts = [value for value in values if isinstance(value, str)]
    return len(values) <= MOST_VALUES and any(map(_refuses, texts)) and any(map(_grants, texts))


def _refuses(value: Any) -> bool:
    """Whether a value says that something was refused, perhaps after saying where: `Interview - rejected`."""
    spelled = _spelled(value)
    return spelled in REFUSED or bool({*spelled.split("_")} & REFUSED)


def _grants(value: Any) -> bool:
    return not _refuses(value) and bool({_spelled(value), *_spelled(value).split("_")} & GRANTED)


def _of_short(values: Sequence[Any]) -> list[Any]:
    """The unfavourable ones of shortened values; of letters, D for declined, or else R for refused, beside an A."""
    spelled = {_spelled(value): value for value in values}
    if {"a", "g"} & {*spelled} and all(len(text) == 1 for text in spelled):
        return [spelled[letter] for letter in "dr" if letter in spelled][:1]
    refused, granted = REFUSED | REFUSED_SHORT, GRANTED | GRANTED_SHORT
    return [value for text, value in spelled.items() if text in refused] if granted & {*spelled} else []


def _spelled(value: Any) -> str:
    return "_".join(folded(as_text(value)).removesuffix(".0").replace("_", " ").replace("-", " ").split()) or "-"
