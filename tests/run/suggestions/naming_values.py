"""Columns whose values name or number people, drawn at random: addresses, documents, accounts, devices, cases, names.

>>> import numpy as np
>>> len(drawn("passports", 4, np.random.default_rng(1)))
4

A `#` in a form is a digit, an `@` a letter, and a `~` a hexadecimal digit; words in braces come from the lists below.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

LISTS: Mapping[str, str] = {
    "first": "Anna Karim Lucía Jonas Aïcha Piet Marta Diego Ewa Tom Nadia Sven Giulia João Chloé Ravi Mei Olga Ben",
    "last": "Okafor Brandt Gómez Dubois Jansen Rossi Nowak Silva Haddad Weber Novák Tanaka Osei Lindqvist Ferreira "
    "Kowal Marchetti Vandamme Öztürk Petrov Schuster Leclair Ibarra McKay Holm Achterberg Sørensen Bianco Okoro Duarte",
    "street": "Park Mill Church Queens Victoria Station London Meadow",
    "strasse": "Haupt Bahnhof Garten Schiller Berg Linden Mozart Ring",
    "rue": "Paix Lilas Moulins République Gare Écoles Roses Tilleuls",
    "calle": "Mayor Río Sol Prado Luna Alcalá Serrano Olivo",
    "word": "dog walk never about looking honest coffee weekend city family travel music work simple happy small quiet "
    "late garden summer letter friend always sometimes tired better kitchen river train",
}  # fmt: skip
FORMS: Mapping[str, tuple[str, ...]] = {
    "e-mail addresses": ("{first}.{last}##@mail.example",),
    "phone numbers": ("+49 1## ######", "0### ######", "+1-###-###-####"),
    "phone numbers without signs": ("06########",),
    "IBAN": ("DE##################", "ES######################", "NL##ABNA##########"),
    "IBAN in groups": ("DE## #### #### #### #### ##",),
    "tax numbers of Germany": ("##########3",),
    "pension numbers of Germany": ("##1#076#@###", ),
    "social security numbers of France": ("2 85 0# ## ### ### ##",),
    "social security numbers of France without spaces": ("1850#########", ),
    "identity numbers of Spain": ("########@", "X#######@"),
    "tax codes of Italy": ("@@@@@@##@##@###@",),
    "citizen numbers of the Netherlands": ("1########",),
    "insurance numbers of Britain": ("@@ ## ## ## C", "@@######A"),
    "health service numbers of Britain": ("### ### ####",),
    "social security numbers": ("###-##-####",),
    "tax numbers of Brazil": ("###.###.###-##",),
    "passports": ("C##@##@##",),
    "number plates of Germany": ("M-@@ ####", "HH-@ ###"),
    "number plates of France": ("@@-###-@@",),
    "number plates of Britain": ("@@## @@@",),
    "number plates of Spain": ("#### B@@",),
    "number plates of Italy": ("@@###@@",),
    "IP addresses": ("192.168.##.1##",),
    "points": ("52.5####, 13.4####",),
    "points in words": ("POINT(13.4#### 52.5####)",),
    "hardware addresses": ("~~:~~:~~:~~:~~:~~",),
    "device numbers": ("35############2",),
    "numbers of SIM cards": ("26201##########",),
    "telephone numbers of people called": ("491##########",),
    "web addresses": ("https://people.example/{first}-{last}-##",),
    "web addresses without https": ("linkedin.example/in/{first}{last}##",),
    "user names": ("{first}_{last}#", "{first}{last}##"),
    "user names with a sign": ("@{first}{last}##",),
    "user names with digits": ("{first}##",),
    "names in full": ("{first} {last}",),
    "names in full with two surnames": ("{first} {last} {last}",),
    "surnames before first names": ("{last}, {first}",),
    "surnames in capitals": ("{LAST} {first}", "{LAST} {LAST} {first}"),
    "names in capitals": ("{FIRST} {LAST}",),
    "surnames and initials": ("{last}, @.", "{last} @."),
    "initials and surnames": ("@. {last}", "@.@. {last}"),
    "initials": ("@.@.", "@. @.", "@.@.@."),
    "names with titles": ("Dr. {last}", "Prof. {last}", "Dr {first} {last}"),
    "names in small letters": ("{first} {last}",),
    "first names": ("{first}",),
    "case numbers": ("## Js ###/2#", "### Ls ##/2#"),
    "numbers of proceedings": ("PROC-20##-######",),
    "numbers of trials": ("20##/####-K",),
    "numbers of policies": ("POL#######", ),
    "numbers of contracts": ("V-######-##",),
    "numbers of invoices": ("INV-2023-#####",),
    "long numbers of cases": ("################",),
    "streets in English": ("# {street} Rd", "## {street} Street", "##@ {street} Lane, Flat #"),
    "streets in German": ("{strasse}str. ##", "{strasse}straße #", "Am {strasse}weg ##a"),
    "streets in French": ("## rue de la {rue}", "# bis, avenue des {rue}", "##, bd {rue}"),
    "streets in Spanish": ("C/ {calle} ##, #ºA", "Avda. {calle} ##", "Calle del {calle}, ##"),
    "streets in Italian": ("Via {last} ##", "Piazza {calle}, #"),
    "streets in Dutch": ("{strasse}straat ##", "{strasse}laan #-II"),
    "streets in Portuguese": ("Rua das {rue}, ###", "Av. {last} ### ap ##"),
    "profiles": ("{word} {word} I {word} {word} {word} {word}", "my {word}, {word} {word}!", "{word} is {word} {word}",
                 "{word} {word}. {word} not {word} {word} {word} {word} {word}"),
    "remarks": ("{word} {word} {word} {word}", "{word} {word} {word}, {word} {word}"),
}  # fmt: skip
LETTERS = "BCDFGHJKLMNPRSTVWXYZ"


def drawn(kind: str, size: int, rng: np.random.Generator) -> list[str]:
    """Different values of a kind, or as many as there are."""
    values: dict[str, None] = {}
    for _ in range(20 * size):
        values[_filled(str(rng.choice(FORMS[kind])), kind, rng)] = None
        if len(values) == size:
            break
    return list(values)


def _filled(form: str, kind: str, rng: np.random.Generator) -> str:
    text = re.sub(r"\{(\w+)\}", lambda found: _word(found[1], rng), form)
    signs = {"#": "0123456789", "~": "0123456789abcdef"}
    signs |= {} if "mail" in kind or "sign" in kind else {"@": LETTERS}
    return "".join(str(rng.choice(list(signs[sign]))) if sign in signs else sign for sign in text)


def _word(name: str, rng: np.random.Generator) -> str:
    word = str(rng.choice(LISTS[name.lower()].split()))
    return word.upper() if name.isupper() else word
