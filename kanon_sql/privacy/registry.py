"""Which models there are: ours, and those that other packages bring by entry point."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from kanon_sql.errors import SpecError, one_line
from kanon_sql.privacy.base import ModelWord, SensitiveModel
from kanon_sql.privacy.l_diversity import DistinctLDiversity, EntropyLDiversity, RecursiveCLDiversity
from kanon_sql.privacy.likeness import AlphaK, BetaLikeness, DeltaDisclosure, EnhancedBetaLikeness
from kanon_sql.privacy.t_closeness import EqualTCloseness

ENTRY_POINTS = "kanon_sql.privacy_models"

# Words that stand beside models, and are none.
BESIDE = ("nulls", "count")

OWN: tuple[type[SensitiveModel], ...] = (
    DistinctLDiversity,
    EntropyLDiversity,
    RecursiveCLDiversity,
    EqualTCloseness,
    AlphaK,
    BetaLikeness,
    EnhancedBetaLikeness,
    DeltaDisclosure,
)


@lru_cache(maxsize=1)
def model_words() -> Mapping[str, ModelWord]:
    """Every model's word. An entry point of the group ``kanon_sql.privacy_models`` is named after its word and
    is a subclass of :class:`SensitiveModel`.

    Raises:
        SpecError: an entry point cannot be loaded, or takes a word that is ours.
    """
    from importlib.metadata import entry_points

    words = {model.declared.name: model.declared for model in OWN}
    for point in entry_points(group=ENTRY_POINTS):
        where = f"entry point {point.name}"
        try:
            model = point.load()
            declared = model.declared
        except (Exception, SystemExit) as error:
            raise SpecError(
                f"the privacy model cannot be loaded: {one_line(str(error))}", where=where
            ) from error
        if not isinstance(declared, ModelWord):
            raise SpecError("a privacy model declares no ModelWord", where=where)
        if declared.name in words or declared.name in BESIDE or declared.name != point.name:
            raise SpecError(
                f"a privacy model calls itself {declared.name!r}, which is not free or not its entry point's name",
                where=where,
            )
        words[declared.name] = declared
    return words
