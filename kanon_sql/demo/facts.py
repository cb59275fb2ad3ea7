"""What the demo draws from: how often each age, place, state and diagnosis comes up.

Every number is a made-up weight of a plausible size; none was taken from records of real people. The
facts end as one flat list of ``Choice``: *given* this, *question* is answered by *choice* with that
weight. A single table then holds them all (``sql/demo/choices.sql.j2``), and every step draws from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple


class Choice(NamedTuple):
    """One answer to a question, with its weight among the answers to the same (question, given)."""

    question: str
    given: str
    choice: str
    weight: int


class Area(NamedTuple):
    """A ZIP area: its first three digits, what it is like, its share of patients, how many ZIPs it has."""

    prefix: str
    kind: str
    weight: int
    zips: int


class Diagnosis(NamedTuple):
    """A diagnosis: its ward, its women per 100 cases were both sexes as many, its weight per age band."""

    name: str
    ward: str
    women: int
    weights: tuple[int, ...]


# Ages that everything else depends on: (name, first age, last age).
AGE_BANDS = (
    ("0", 0, 0),
    ("1-4", 1, 4),
    ("5-14", 5, 14),
    ("15-17", 15, 17),
    ("18-29", 18, 29),
    ("30-39", 30, 39),
    ("40-49", 40, 49),
    ("50-64", 50, 64),
    ("65-79", 65, 79),
    ("80-89", 80, 89),
    ("90+", 90, 109),
)

# (first age, last age, share of admissions): a hospital's patients are newborn or old.
AGE_GROUPS = (
    (0, 0, 84),
    (1, 4, 60),
    (5, 9, 36),
    (10, 14, 36),
    (15, 17, 36),
    (18, 24, 100),
    (25, 29, 94),
    (30, 34, 96),
    (35, 39, 88),
    (40, 44, 82),
    (45, 49, 94),
    (50, 54, 118),
    (55, 59, 142),
    (60, 64, 160),
    (65, 69, 176),
    (70, 74, 178),
    (75, 79, 162),
    (80, 84, 130),
    (85, 89, 82),
    (90, 94, 32),
    (95, 99, 8),
    (100, 104, 1),
)

# Women per 100 admissions of the band: more where children are born, and where men have died.
WOMEN = {
    "0": 48, "1-4": 46, "5-14": 46, "15-17": 54, "18-29": 66,
    "30-39": 62, "40-49": 54, "50-64": 47, "65-79": 49, "80-89": 58, "90+": 70,
}  # fmt: skip

MARITAL_STATUS = (
    # (value, its level 1)
    ("never married", "not partnered"),
    ("married", "partnered"),
    ("domestic partnership", "partnered"),
    ("separated", "not partnered"),
    ("divorced", "not partnered"),
    ("widowed", "not partnered"),
)

# Weights in the order of MARITAL_STATUS. Below 18 everybody has never married.
MARITAL_WEIGHTS = {
    ("female", "18-29"): (705, 215, 65, 9, 6, 0),
    ("female", "30-39"): (290, 530, 70, 32, 75, 3),
    ("female", "40-49"): (180, 575, 50, 35, 145, 15),
    ("female", "50-64"): (120, 570, 34, 30, 188, 58),
    ("female", "65-79"): (65, 475, 22, 20, 170, 248),
    ("female", "80-89"): (50, 243, 3, 2, 80, 622),
    ("female", "90+"): (48, 100, 1, 1, 50, 800),
    ("male", "18-29"): (793, 140, 57, 7, 3, 0),
    ("male", "30-39"): (385, 480, 65, 25, 45, 0),
    ("male", "40-49"): (230, 560, 55, 32, 120, 3),
    ("male", "50-64"): (140, 623, 34, 28, 160, 15),
    ("male", "65-79"): (70, 675, 22, 20, 138, 75),
    ("male", "80-89"): (40, 652, 4, 2, 75, 227),
    ("male", "90+"): (40, 510, 1, 1, 48, 400),
}

RACES = ("white", "Black", "Hispanic", "Asian", "Native American", "Pacific Islander", "other")
RACE_WEIGHTS = {
    "city": (340, 255, 275, 95, 4, 3, 31),
    "suburb": (705, 75, 110, 85, 2, 3, 23),
    "town": (800, 70, 85, 20, 4, 3, 21),
    "rural": (945, 10, 22, 8, 6, 3, 9),
}

# Round about the lower Hudson and Connecticut, where ZIP codes begin with 0 or 1.
AREAS = (
    Area("100", "city", 50, 38),
    Area("101", "city", 3, 6),
    Area("102", "city", 3, 5),
    Area("103", "city", 5, 12),
    Area("104", "city", 96, 24),
    Area("105", "suburb", 130, 40),
    Area("106", "suburb", 64, 7),
    Area("107", "suburb", 58, 8),
    Area("108", "suburb", 36, 5),
    Area("109", "suburb", 48, 32),
    Area("120", "town", 10, 40),
    Area("121", "rural", 10, 40),
    Area("122", "city", 26, 10),
    Area("123", "town", 6, 9),
    Area("124", "town", 34, 36),
    Area("125", "town", 104, 50),
    Area("126", "town", 66, 4),
    Area("127", "rural", 28, 36),
    Area("128", "rural", 6, 40),
    Area("129", "rural", 3, 30),
    Area("060", "suburb", 20, 40),
    Area("061", "city", 16, 14),
    Area("062", "rural", 6, 24),
    Area("063", "town", 5, 30),
    Area("064", "suburb", 34, 40),
    Area("065", "city", 32, 12),
    Area("066", "city", 40, 7),
    Area("067", "town", 26, 30),
    Area("068", "suburb", 90, 36),
    Area("069", "city", 60, 7),
)

# One weight per band of AGE_BANDS.
DIAGNOSES = (
    Diagnosis("complications of prematurity", "neonatal care", 50, (300, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    Diagnosis("infant feeding problem", "pediatrics", 50, (260, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    Diagnosis("bronchiolitis", "pulmonology", 50, (220, 150, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    Diagnosis("middle ear infection", "ear, nose and throat", 50, (20, 150, 60, 0, 0, 0, 0, 0, 0, 0, 0)),
    Diagnosis("tonsillitis", "ear, nose and throat", 50, (0, 60, 130, 60, 30, 5, 11, 0, 0, 0, 0)),
    Diagnosis("asthma", "pulmonology", 50, (0, 120, 150, 80, 45, 40, 40, 30, 20, 8, 4)),
    Diagnosis("appendicitis", "surgery", 45, (0, 10, 130, 110, 60, 38, 31, 16, 8, 4, 2)),
    Diagnosis("broken arm", "orthopedics", 48, (2, 60, 160, 70, 25, 22, 22, 28, 34, 40, 40)),
    Diagnosis("concussion", "neurology", 42, (6, 40, 80, 80, 40, 22, 22, 16, 18, 24, 24)),
    Diagnosis("type 1 diabetes", "endocrinology", 50, (0, 12, 50, 50, 30, 24, 20, 12, 6, 2, 0)),
    Diagnosis("epilepsy", "neurology", 50, (10, 30, 30, 30, 25, 25, 25, 20, 18, 14, 8)),
    Diagnosis("depression", "psychiatry", 60, (0, 0, 12, 110, 90, 70, 70, 45, 24, 14, 8)),
    Diagnosis("alcohol dependence", "psychiatry", 33, (0, 0, 0, 8, 35, 36, 84, 50, 18, 3, 0)),
    Diagnosis("opioid dependence", "psychiatry", 38, (0, 0, 0, 6, 40, 42, 34, 14, 4, 0, 0)),
    Diagnosis("HIV infection", "infectious diseases", 25, (0, 0, 0, 2, 12, 18, 18, 12, 4, 0, 0)),
    Diagnosis("multiple sclerosis", "neurology", 70, (0, 0, 0, 3, 14, 27, 25, 16, 5, 0, 0)),
    Diagnosis("pneumonia", "pulmonology", 50, (40, 60, 40, 20, 20, 19, 45, 60, 90, 130, 170)),
    Diagnosis(
        "urinary tract infection", "general medicine", 68, (12, 12, 12, 12, 18, 12, 28, 28, 50, 90, 120)
    ),
    Diagnosis("gallstones", "surgery", 62, (0, 0, 1, 8, 32, 50, 61, 58, 44, 24, 12)),
    Diagnosis("kidney stones", "urology", 38, (0, 0, 1, 6, 30, 43, 47, 42, 26, 10, 4)),
    Diagnosis("type 2 diabetes", "endocrinology", 45, (0, 0, 0, 4, 12, 33, 77, 95, 90, 50, 26)),
    Diagnosis("high blood pressure", "cardiology", 50, (0, 0, 0, 0, 6, 22, 50, 70, 74, 60, 44)),
    Diagnosis("heart attack", "cardiology", 37, (0, 0, 0, 0, 1, 13, 31, 68, 84, 70, 50)),
    Diagnosis("heart failure", "cardiology", 50, (0, 0, 0, 0, 1, 5, 11, 40, 110, 150, 190)),
    Diagnosis("stroke", "neurology", 46, (0, 0, 0, 0, 2, 8, 20, 44, 86, 104, 100)),
    Diagnosis("COPD", "pulmonology", 46, (0, 0, 0, 0, 0, 5, 11, 60, 90, 60, 30)),
    Diagnosis("chronic kidney disease", "general medicine", 50, (0, 0, 1, 2, 6, 10, 22, 36, 60, 64, 60)),
    Diagnosis("lung cancer", "oncology", 44, (0, 0, 0, 0, 0, 4, 8, 34, 52, 24, 6)),
    Diagnosis("bowel cancer", "oncology", 45, (0, 0, 0, 0, 1, 5, 11, 34, 44, 30, 14)),
    Diagnosis("hip fracture", "orthopedics", 66, (0, 0, 0, 0, 1, 2, 4, 14, 44, 110, 170)),
    Diagnosis("dementia", "geriatrics", 58, (0, 0, 0, 0, 0, 0, 0, 5, 36, 100, 150)),
    Diagnosis("childbirth", "maternity", 100, (0, 0, 0, 20, 210, 150, 18, 0, 0, 0, 0)),
    Diagnosis("pregnancy complication", "maternity", 100, (0, 0, 0, 6, 75, 64, 10, 0, 0, 0, 0)),
    Diagnosis("breast cancer", "oncology", 100, (0, 0, 0, 0, 2, 10, 28, 35, 30, 15, 5)),
    Diagnosis("prostate cancer", "urology", 0, (0, 0, 0, 0, 0, 0, 3, 30, 48, 25, 8)),
)

CHILD_BANDS = ("0", "1-4", "5-14", "15-17")
WARDS_FOR_ALL_AGES = ("maternity", "neonatal care", "psychiatry")
WARDS_OF_GRAVE_CASES = ("cardiology", "neurology", "pulmonology", "surgery", "neonatal care")

# How many visits one person makes, per 1000: nine in ten come once.
VISITS = (("1", 900), ("2", 55), ("3", 25), ("4", 12), ("5", 8))

# Missing values, per 1000 people.
MISSING = (("birth_date", 1), ("zip", 5), ("marital_status", 20), ("race", 40))

# Common first names, most common first: (born before 1955, 1955 to 1989, since 1990).
FIRST_NAMES = {
    "female": (
        "Mary Barbara Patricia Betty Dorothy Carol Shirley Joan Margaret Nancy Ruth Helen Judith Virginia "
        "Martha Evelyn Alice Frances Marie Rose Irene Louise Gloria Lois",
        "Lisa Jennifer Karen Susan Michelle Kimberly Linda Amy Angela Donna Melissa Maria Stephanie Laura "
        "Nicole Christine Sandra Cynthia Andrea Denise Teresa Monica Carmen Tamara",
        "Emily Ashley Sarah Olivia Emma Hannah Samantha Madison Isabella Sophia Jasmine Alexis Grace Ava "
        "Chloe Gabriela Natalie Mia Zoe Leah Brianna Camila Maya Aaliyah",
    ),
    "male": (
        "Robert James John William Richard Charles Donald George Joseph Edward Frank Walter Harold Raymond "
        "Eugene Albert Henry Arthur Ralph Louis Howard Carl Stanley Leonard",
        "Michael David Mark Steven Kevin Brian Jeffrey Scott Anthony Christopher Eric Gregory Jose Daniel "
        "Jason Timothy Carlos Andrew Keith Marcus Peter Luis Craig Victor",
        "Jacob Matthew Joshua Tyler Nicholas Ethan Alexander Noah Liam Mason Logan Elijah Jayden Gabriel "
        "Diego Isaiah Caleb Aiden Xavier Omar Julian Malik Leo Ivan",
    ),
}
LAST_NAMES = (
    "Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Wilson "
    "Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez "
    "Lewis Robinson Walker Young Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson "
    "Baker Hall Rivera Campbell Mitchell Carter Roberts Gomez Phillips Evans Turner Diaz Parker Cruz "
    "Edwards Collins Reyes Stewart Morris Morales Murphy Cook Rogers Gutierrez Ortiz Morgan Cooper "
    "Peterson Bailey Reed Kelly Howard Ramos Kim Cox Ward Richardson Watson Brooks Chavez Wood James "
    "Bennett Gray Mendoza Ruiz Hughes Price Alvarez Castillo Sanders Patel Myers Long Ross Foster"
)


def choices() -> list[Choice]:
    """All the facts, flat."""
    return [
        *(Choice("age group", "", f"{first}-{last}", weight) for first, last, weight in AGE_GROUPS),
        *_sexes(),
        *_marital_status(),
        *(Choice("area", "", area.prefix, area.weight) for area in AREAS),
        *_zips(),
        *_races(),
        *_first_names(),
        *(Choice("last name", "", name, w) for name, w in _fading(LAST_NAMES.split(), 30)),
        *(Choice("visits", "", number, weight) for number, weight in VISITS),
        *_missing(),
        *_diagnoses(),
        *_wards(),
    ]


def _sexes() -> Iterator[Choice]:
    for band, women in WOMEN.items():
        yield Choice("sex", band, "female", women)
        yield Choice("sex", band, "male", 100 - women)


def _marital_status() -> Iterator[Choice]:
    for sex in ("female", "male"):
        for band in CHILD_BANDS:
            yield Choice("marital status", f"{sex} {band}", "never married", 1)
    for (sex, band), weights in MARITAL_WEIGHTS.items():
        for (status, _), weight in zip(MARITAL_STATUS, weights, strict=True):
            yield Choice("marital status", f"{sex} {band}", status, weight)


def _zips() -> Iterator[Choice]:
    for area in AREAS:
        # 37 and 100 have no common factor: the last two digits hop about and never repeat.
        digits = (f"{(7 + 37 * i) % 100:02d}" for i in range(area.zips))
        for last_two, weight in _fading([*digits], 2):
            yield Choice("zip", area.prefix, area.prefix + last_two, weight)


def _races() -> Iterator[Choice]:
    kinds = {area.prefix: area.kind for area in AREAS}
    for prefix, kind in kinds.items():
        for race, weight in zip(RACES, RACE_WEIGHTS[kind], strict=True):
            yield Choice("race", prefix, race, weight)


def _first_names() -> Iterator[Choice]:
    for sex, eras in FIRST_NAMES.items():
        for era, names in enumerate(eras):
            for name, weight in _fading(names.split(), 12):
                yield Choice("first name", f"{sex} {era}", name, weight)


def _missing() -> Iterator[Choice]:
    for column, per_mille in MISSING:
        yield Choice("missing", column, "yes", per_mille)
        yield Choice("missing", column, "no", 1000 - per_mille)


def _diagnoses() -> Iterator[Choice]:
    for diagnosis in DIAGNOSES:
        for (band, *_), weight in zip(AGE_BANDS, diagnosis.weights, strict=True):
            yield Choice("diagnosis", f"female {band}", diagnosis.name, weight * diagnosis.women)
            yield Choice("diagnosis", f"male {band}", diagnosis.name, weight * (100 - diagnosis.women))


def _wards() -> Iterator[Choice]:
    """Mostly the ward that treats it; children lie in pediatrics, and a few patients lie elsewhere."""
    for diagnosis in DIAGNOSES:
        elsewhere = "intensive care" if diagnosis.ward in WARDS_OF_GRAVE_CASES else "emergency"
        for age in ("adult", "child"):
            to_pediatrics = age == "child" and diagnosis.ward not in WARDS_FOR_ALL_AGES
            usual = "pediatrics" if to_pediatrics else diagnosis.ward
            yield Choice("ward", f"{age} {diagnosis.name}", usual, 90)
            yield Choice("ward", f"{age} {diagnosis.name}", elsewhere, 10)


def _fading(names: Sequence[str], start: int) -> Iterable[tuple[str, int]]:
    """Names with weights that fall as 1/rank, the first of them as if it were number ``start``."""
    return [(name, 1_000_000 // (start + rank)) for rank, name in enumerate(names)]
