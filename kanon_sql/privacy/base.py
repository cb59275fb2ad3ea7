"""What a privacy model must say of itself, and how it is written in a spec."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol, runtime_checkable

ParameterKind = Literal["whole", "number", "choice", "texts", "shares", "hierarchy"]


@dataclass(frozen=True)
class Parameter:
    """One parameter of a model, as the spec reads it.

    Attributes:
        name: its word, and the keyword that :attr:`ModelWord.make` takes.
        kind: ``whole`` gives an int, ``number`` a Fraction, ``choice`` one of ``choices``, ``texts`` a tuple
            of texts, ``shares`` a mapping of text to Fraction, ``hierarchy`` a path, ``table:<name>`` or
            ``builtin:<name>``.
        about: what it says, for an error.
        least, most: the bounds of a number, both allowed unless ``above``.
        above: whether a number must be larger than ``least``.
        required: whether it must be given.
        choices: the values of a choice.
    """

    name: str
    kind: ParameterKind
    about: str
    least: int | None = None
    most: int | None = None
    above: bool = False
    required: bool = True
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class ModelWord:
    """A model's word in the spec: its parameters, and how a model is made of them.

    Attributes:
        name: the word.
        about: one line, for help.
        parameters: what stands under it.
        scalar: the parameter that a bare value is; None where a mapping is needed.
        alternative: the parameter that a mapping is, where a mapping does not name parameters.
        make: takes the parameters as keywords; raises ValueError (what is wrong, for people).
    """

    name: str
    about: str
    parameters: tuple[Parameter, ...]
    make: Callable[..., SensitiveModel]
    scalar: str | None = None
    alternative: str | None = None


class PrivacyModel(Protocol):
    """A condition on every equivalence class of a release.

    Its template defines the macro ``violation(model, size, total)``: a boolean SQL expression that is true
    when the class violates the model; a NULL counts as a violation. ``size`` is the SQL aggregate that is the
    class's size (rows, or distinct persons). What else it may use is said at :class:`SensitiveModel`.
    """

    @property
    def word(self) -> str:
        """The model's word in the spec."""
        ...

    @property
    def template(self) -> str:
        """The template of its SQL, below ``sql/``; ``package:path`` for one that another package brings."""
        ...

    @property
    def monotone_under_generalization(self) -> bool:
        """Whether merging classes that satisfy gives a class that satisfies."""
        ...

    @property
    def monotone_under_suppression(self) -> bool:
        """Whether merging a class that satisfies with ANY other gives a class that satisfies, so that the
        number of suppressed rows never rises with the vector."""
        ...

    def describe(self) -> str:
        """The model in words."""
        ...


@runtime_checkable
class PopulationModel(PrivacyModel, Protocol):
    """A model that looks a class up in another table, its values generalized alike.

    Its predicate takes the number of rows that the class has there as ``total``.
    """

    population: str


class SensitiveModel:
    """A model of the values that a sensitive column has in a class. Subclass it to add one.

    The macro ``violation`` aggregates over the rows of relation ``v``, one per value that the class holds:
    ``v.value``, ``v.n`` (rows with that value, or persons; NULL for a value that is ignored), and
    ``v.row_count``. ``total`` is the SQL aggregate of the rows, or persons, with a value that counts.

    A template may define the macro ``reach(model, size, total)``: the aggregate that the model bounds.

    A template that needs more defines the macro ``rows(model, cls, values, source, column, taxonomy)`` too: the
    relation, in parentheses, that becomes ``v``. ``cls`` are the columns that name a class, ``values`` is the
    relation above, ``source`` that of the whole source: ``ground`` (the value), ``value``, ``n``, ``mass``
    (the sum of n) and ``total`` (both relations are quoted already: print them with the filter ``sql``); ``column``
    is the sensitive column, ``taxonomy`` the mapping table of
    :attr:`hierarchy`. It must keep every class (join with LEFT JOIN): a class without a row has no verdict, and
    counts as violating.
    """

    declared: ClassVar[ModelWord]
    template: ClassVar[str]
    monotone_under_generalization: ClassVar[bool] = False
    monotone_under_suppression: ClassVar[bool] = False
    # Whether it asks only which values a class holds, not how many rows: then it stays as monotone where
    # persons are counted, whose numbers do not add up when classes merge.
    regardless_of_counts: ClassVar[bool] = False
    # What a table reaches is the least, or the most, of what the macro ``reach`` gives over its classes; None
    # where there is no such macro.
    reaches: ClassVar[Literal["least", "most"] | None] = None

    @property
    def word(self) -> str:
        """The model's word in the spec."""
        return self.declared.name

    @property
    def hierarchy(self) -> str | None:
        """The hierarchy over the sensitive values that it needs, as the spec names it."""
        return None

    @property
    def order(self) -> tuple[str, ...] | None:
        """A list, as text, in which every value that counts must stand."""
        return None

    @property
    def named_values(self) -> tuple[str, ...]:
        """Values, as text, that it speaks of."""
        return ()

    @property
    def places_null(self) -> bool:
        """Whether a NULL that counts has a meaning in it."""
        return True

    @property
    def numeric(self) -> bool:
        """Whether the values must be numbers or dates."""
        return False

    def implied(self, height: int | None) -> tuple[SensitiveModel, ...]:
        """Models that follow from it and are monotone under suppression: what a search may prune on.

        Args:
            height: that of its hierarchy, where it has one.
        """
        return ()

    def parameters(self) -> Mapping[str, object]:
        """The parameters as the spec writes them, ready for JSON."""
        raise NotImplementedError

    def describe(self) -> str:
        """The model in words, for people."""
        given = ", ".join(f"{name} {value}" for name, value in self.parameters().items())
        return f"{self.word} ({given})"
