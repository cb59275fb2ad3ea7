"""How much time a search may take."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


class OutOfTime(Exception):
    """The time that a search had is up."""


@dataclass
class Budget:
    """Some seconds from now.

    Attributes:
        seconds: how many.
    """

    seconds: float
    _until: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._until = time.monotonic() + self.seconds

    def check(self) -> None:
        """Nothing, while there is time.

        Raises:
            OutOfTime: it is up.
        """
        if time.monotonic() >= self._until:
            raise OutOfTime
