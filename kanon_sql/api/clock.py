"""What time a run takes, phase by phase."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from kanon_sql.api.results import Phase, Progress


@dataclass
class Clock:
    """Seconds per phase."""

    progress: Progress | None
    seconds: dict[str, float] = field(default_factory=dict)
    started: float = field(default_factory=time.perf_counter)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """A phase of the run; the same name again adds to it."""
        if self.progress:
            self.progress(Phase(name))
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - begun

    def rounded(self) -> dict[str, float]:
        """The seconds of every phase, and of all together."""
        total = time.perf_counter() - self.started
        return {name: round(seconds, 4) for name, seconds in {**self.seconds, "total": total}.items()}
