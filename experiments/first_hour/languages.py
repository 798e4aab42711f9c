"""Files in other languages, made up: employees in German, patients in French, customers in Spanish."""

from __future__ import annotations

import numpy as np
import pandas as pd

from experiments.first_hour.hospital import FIRST, SURNAMES

PRENOMS = ["Camille", "Luc", "Nathalie", "Pierre", "Sophie", "Jean", "Isabelle", "Michel", "Chloé", "Hugo"]
NOMS = ["Martin", "Bernard", "Dubois", "Thomas", "Robert", "Petit", "Durand", "Leroy", "Moreau", "Lefèvre"]
NOMBRES = ["Lucía", "Pablo", "María", "José", "Carmen", "Javier", "Ana", "Miguel", "Isabel", "Pedro"]
APELLIDOS = ["García", "Martínez", "López", "Sánchez", "Pérez", "Gómez", "Ruiz", "Díaz", "Muñoz", "Álvarez"]


def _days(rng: np.random.Generator, rows: int, first: str, days: int) -> list[str]:
    moments = np.datetime64(first) + rng.integers(0, days, rows).astype("timedelta64[D]")
    return [f"{str(day)[8:10]}.{str(day)[5:7]}.{str(day)[:4]}" for day in moments]


def personal(rows: int = 3000) -> pd.DataFrame:
    """Employees of a German company."""
    rng = np.random.default_rng(11)
    places = {"10115": "Berlin", "20095": "Hamburg", "50667": "Köln", "80331": "München", "01067": "Dresden"}
    codes = rng.choice(list(places), rows)
    return pd.DataFrame({
        "Personalnummer": rng.permutation(np.arange(100_000, 100_000 + rows)),
        "Nachname": rng.choice(SURNAMES, rows), "Vorname": rng.choice(FIRST, rows),
        "Straße": [f"Gartenstraße {number}" for number in rng.integers(1, 900, rows)],
        "PLZ": codes, "Wohnort": [places[code] for code in codes],
        "Geburtsdatum": _days(rng, rows, "1960-01-01", 15_000),
        "Geschlecht": rng.choice(["m", "w", "d"], rows, p=[0.52, 0.47, 0.01]),
        "Familienstand": rng.choice(["ledig", "verheiratet", "geschieden", "verwitwet"], rows,
                                    p=[0.4, 0.45, 0.12, 0.03]),
        "Staatsangehörigkeit": rng.choice(["deutsch", "türkisch", "polnisch", "italienisch"], rows,
                                          p=[0.8, 0.1, 0.06, 0.04]),
        "Konfession": rng.choice(["evangelisch", "katholisch", "ohne"], rows),
        "Schwerbehinderung": rng.choice(["ja", "nein"], rows, p=[0.06, 0.94]),
        "Abteilung": rng.choice(["Einkauf", "Vertrieb", "Produktion", "Verwaltung"], rows),
        "Eintrittsdatum": _days(rng, rows, "2000-01-01", 8_000),
        "Bruttogehalt": rng.integers(2200, 9800, rows), "Krankheitstage": rng.poisson(9, rows),
        "Gewerkschaft": rng.choice(["ja", "nein"], rows, p=[0.3, 0.7]), "Beurteilung": rng.integers(1, 7, rows),
        "befördert": rng.choice(["ja", "nein"], rows, p=[0.2, 0.8]),
    }).astype(str)  # fmt: skip


def malades(rows: int = 4000) -> pd.DataFrame:
    """Stays of patients in France, up to three each."""
    rng = np.random.default_rng(12)
    number = np.repeat(np.arange(rows), 3)[:rows]
    who = rng.permutation(number.max() + 1)
    n = len(who)
    people = pd.DataFrame({
        "num_patient": 500_000 + who, "nom": rng.choice(NOMS, n), "prénom": rng.choice(PRENOMS, n),
        "téléphone": [f"+33 6 {digits:08d}" for digits in 10_000_000 + rng.permutation(n)],
        "date_naissance": _days(rng, n, "1935-01-01", 28_000), "sexe": rng.choice(["homme", "femme"], n),
        "nationalité": rng.choice(["française", "algérienne", "portugaise"], n, p=[0.85, 0.09, 0.06]),
        "code_postal": [f"{code:05d}" for code in rng.integers(75_001, 75_021, n)],
        "commune": rng.choice(["Paris", "Montreuil", "Nanterre"], n),
        "profession": rng.choice(["ouvrier", "employé", "cadre", "retraité", "sans emploi"], n),
    })  # fmt: skip
    visits = pd.DataFrame({
        "date_entrée": _days(rng, rows, "2022-01-01", 700),
        "diagnostic": rng.choice(["I10", "E11.9", "F32.1", "C50.9", "J45.0"], rows),
        "traitement": rng.choice(["chirurgie", "médicament", "aucun"], rows),
        "tension": rng.integers(95, 180, rows), "glycémie": np.round(rng.normal(1.05, 0.25, rows), 2),
        "poids": rng.integers(45, 120, rows), "coût": np.round(rng.lognormal(7, 0.7, rows), 2),
        "décédé": rng.choice(["oui", "non"], rows, p=[0.04, 0.96]),
    })  # fmt: skip
    return pd.concat([people.iloc[number].reset_index(drop=True), visits], axis=1).astype(str)


def clientes(rows: int = 5000) -> pd.DataFrame:
    """Customers of a Spanish bank."""
    rng = np.random.default_rng(13)
    towns = {"Madrid": ["Madrid", "Getafe"], "Sevilla": ["Sevilla", "Utrera"], "Barcelona": ["Barcelona", "Sabadell"]}
    provinces = rng.choice(list(towns), rows)
    names = rng.choice(NOMBRES, rows)
    return pd.DataFrame({
        "id_cliente": [f"C{number:06d}" for number in rng.permutation(rows)], "nombre": names,
        "apellidos": [" ".join(pair) for pair in rng.choice(APELLIDOS, (rows, 2))],
        "correo": [f"cliente{number}@example.org" for number in range(rows)],
        "dni": [f"{number:08d}{'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}" for number in rng.integers(10**7, 10**8, rows)],
        "edad": rng.integers(18, 91, rows), "sexo": rng.choice(["hombre", "mujer"], rows),
        "estado_civil": rng.choice(["soltero", "casado", "divorciado", "viudo"], rows, p=[0.35, 0.45, 0.15, 0.05]),
        "nacionalidad": rng.choice(["española", "marroquí", "rumana"], rows, p=[0.86, 0.08, 0.06]),
        "provincia": provinces, "municipio": [rng.choice(towns[province]) for province in provinces],
        "ocupación": rng.choice(["empleado", "autónomo", "parado", "jubilado"], rows),
        "estudios": rng.choice(["primarios", "secundarios", "superiores"], rows), "hijos": rng.integers(0, 5, rows),
        "ingresos": rng.integers(9000, 80_000, rows), "saldo": rng.integers(-2000, 40_000, rows),
        "deuda": rng.integers(0, 30_000, rows), "importe": rng.integers(1000, 25_000, rows),
        "préstamo_concedido": rng.choice(["sí", "no"], rows, p=[0.7, 0.3]),
    }).astype(str)  # fmt: skip
