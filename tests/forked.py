"""``kanon-sql`` in processes of its own that are forked from one which has imported everything already.

Most of a short run's time is Python's start: imports, and templates that are compiled. One process per worker of
the tests pays for that, holds neither a connection nor a thread, and is forked for each command. The child is a
process like any other from there on: its own memory, files, signals, environment, and Python's own way out.
Where the start itself is looked at, use :func:`tests.sources.support.command_anew` instead.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import json
import os
import resource
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from functools import cache
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parents[1]
NUMBER = 8  # bytes of a number on the line: how long a request is, an id, an exit code
_STARTING = threading.Lock()


# -- the tests' side ------------------------------------------------------------------------------------


class Forked:
    """A command in a process of its own, with the few words of ``subprocess.Popen`` that tests use."""

    def __init__(
        self,
        arguments: list[str],
        *,
        cwd: str | Path,
        env: dict[str, str],
        driver: str | None = None,
        file_limit: int | None = None,
        stdout: int = subprocess.PIPE,
        stderr: int = subprocess.PIPE,
    ) -> None:
        self.args = arguments
        self.returncode: int | None = None
        self.stdout, out = _pipe() if stdout == subprocess.PIPE else (None, stdout)
        self.stderr, err = _pipe() if stderr == subprocess.PIPE else (None, stderr)
        request = json.dumps([arguments, str(cwd), env, driver, file_limit]).encode()
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        with _STARTING:
            parent = _parent()
        self._line.connect(parent)
        with Path(os.devnull).open("r+") as null:
            given = [null.fileno() if fd == subprocess.DEVNULL else fd for fd in (out, err)]
            socket.send_fds(self._line, [len(request).to_bytes(NUMBER, "big")], given)
            self._line.sendall(request)
        for fd, asked in ((out, stdout), (err, stderr)):
            if asked == subprocess.PIPE:
                os.close(fd)
        self.pid = int.from_bytes(_exactly(self._line, NUMBER), "big")

    def send_signal(self, number: int) -> None:
        # Until it has been waited for here, it keeps its id, even where it has ended.
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def poll(self) -> int | None:
        ended = self.returncode is None and select.select([self._line], [], [], 0)[0]
        return self.wait() if ended else self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            self._line.settimeout(timeout)
            self.returncode = int.from_bytes(_exactly(self._line, NUMBER), "big", signed=True)
            self._line.close()
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        texts = ["", ""]

        def read(place: int, file: IO[str]) -> None:
            texts[place] = file.read()

        readers = [
            threading.Thread(target=read, args=(place, file), daemon=True)
            for place, file in enumerate((self.stdout, self.stderr))
            if file is not None and not file.closed
        ]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join(timeout)
            if reader.is_alive():
                raise TimeoutError(f"{self.args} is not done after {timeout} s")
        self.wait(timeout)
        return texts[0], texts[1]

    def close(self) -> None:
        """End it, whatever it is at."""
        self.kill()
        self.wait()
        for file in (self.stdout, self.stderr):
            if file is not None:
                file.close()


def forked(*arguments: str | Path, cwd: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """A command from its start to its end."""
    process = Forked(list(map(str, arguments)), cwd=cwd, env=env)
    try:
        stdout, stderr = process.communicate(timeout=120)
    finally:
        process.close()
    assert process.returncode is not None
    return subprocess.CompletedProcess(arguments, process.returncode, stdout, stderr)


def _pipe() -> tuple[IO[str], int]:
    reading, writing = os.pipe()
    return os.fdopen(reading, encoding="utf-8"), writing


def _exactly(line: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        some = line.recv(size - len(found))
        if not some:
            raise EOFError("the process that is forked from is gone")
        found += some
    return found


@cache
def _parent() -> str:
    """The socket of the process that is forked from; it ends with this one."""
    name = f"\0kanon-sql-tests-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(name)
        listening.listen(16)
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.forked", str(listening.fileno())],
            pass_fds=[listening.fileno()],
            stdin=subprocess.PIPE,
            cwd=ROOT,
        )

    def end() -> None:
        assert process.stdin is not None
        process.stdin.close()
        process.wait(10)

    atexit.register(end)
    return name


# -- the side that is forked from -----------------------------------------------------------------------


def _import() -> None:
    """What a run has in memory before it opens a database: no connection, no thread."""
    from importlib.metadata import version

    # Older ones start threads as they are imported, which a process that is forked would not have.
    if int(version("duckdb").split(".")[0]) >= 2:
        import duckdb  # noqa: F401

    import kanon_sql.api.pipeline
    import kanon_sql.backends.duckdb
    import kanon_sql.cli.app
    import kanon_sql.report.terminal  # noqa: F401
    from kanon_sql import resources, sqltext
    from kanon_sql.compiler.render import environment

    folder = resources.sql_folder()
    for path in sorted(folder.rglob("*.j2")):
        environment().get_template(path.relative_to(folder).as_posix())
    sqltext.pretty("SELECT 1 AS one")
    assert threading.active_count() == 1
    gc.freeze()


def _serve(listening: socket.socket) -> tuple[Any, list[int]]:
    """Fork a child for each request; comes back in a child alone, with the request and its files."""
    woken, wake = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(wake, False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    lines: dict[socket.socket, int] = {}
    told: set[int] = set()
    while True:
        ready, _, _ = select.select([listening, woken, 0, *lines], [], [])
        if 0 in ready:  # the tests are over
            os._exit(0)
        if woken in ready:
            os.read(woken, 4096)
            for line, pid in lines.items():
                # It stays a zombie, and its id its own, until the tests close the line.
                ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                if ended is not None and pid not in told:
                    code = ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
                    told.add(pid)
                    with contextlib.suppress(OSError):
                        line.sendall(code.to_bytes(NUMBER, "big", signed=True))
        for line in [each for each in lines if each in ready]:
            pid = lines.pop(line)
            line.close()
            if pid not in told:
                os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            told.discard(pid)
        if listening in ready:
            line, _ = listening.accept()
            size, files, _, _ = socket.recv_fds(line, NUMBER, 2)
            request = json.loads(_exactly(line, int.from_bytes(size, "big")))
            child = os.fork()
            if child == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for each in (listening, line, *lines):
                    each.close()
                os.close(woken)
                os.close(wake)
                return request, files
            lines[line] = child
            for fd in files:
                os.close(fd)
            line.sendall(child.to_bytes(NUMBER, "big"))


def _become(request: Any, files: list[int]) -> None:
    """The command, as Python would have started it."""
    arguments, cwd, env, driver, file_limit = request
    null = os.open(os.devnull, os.O_RDONLY)
    for fd, wanted in ((null, 0), (files[0], 1), (files[1], 2)):
        os.dup2(fd, wanted)
        os.close(fd)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    sys.path[0] = cwd
    encoding = env.get("PYTHONIOENCODING", "utf-8")
    for name, fd in (("stdin", 0), ("stdout", 1), ("stderr", 2)):
        errors = "backslashreplace" if fd == 2 else "strict"
        file = os.fdopen(fd, "w" if fd else "r", encoding=encoding, errors=errors, closefd=False)
        file.reconfigure(line_buffering=fd == 2 or file.isatty())
        setattr(sys, name, file)
        setattr(sys, f"__{name}__", file)
    if file_limit is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))
    # A shell that runs tests in the background has its children ignore SIGINT.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if driver is None:
        sys.argv = ["kanon_sql", *arguments]
        runpy.run_module("kanon_sql", run_name="__main__", alter_sys=True)
    else:
        sys.argv = ["-c", *arguments]
        exec(compile(driver, "<string>", "exec"), {"__name__": "__main__"})


if __name__ == "__main__":
    _import()
    _become(*_serve(socket.socket(fileno=int(sys.argv[1]))))
