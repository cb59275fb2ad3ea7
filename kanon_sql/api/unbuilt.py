"""What the spec understands and no search does yet: refused here, and nowhere else (DESIGN 5.18)."""

from __future__ import annotations

from kanon_sql.errors import SpecError
from kanon_sql.spec import TOP_WORDS, Spec


def refuse_unbuilt(spec: Spec) -> None:
    """Refuse what would otherwise be passed over.

    Raises:
        SpecError: such a word is given.
    """
    asked = {
        "max_suppression_per": "max_suppression_per" if spec.max_suppression_per else None,
    }
    for word, said in asked.items():
        if said is not None:
            raise SpecError(f"{said} is not built yet", where=TOP_WORDS[word].flag, mend="leave it out")
