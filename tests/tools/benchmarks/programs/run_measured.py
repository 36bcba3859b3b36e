"""Runs one command and prints, as JSON, its exit status, wall and CPU seconds, and peak memory in bytes.

    python -I -S run_measured.py DIRECTORY OUTPUT ERRORS COMMAND...

The system's peak of a child includes the memory of its parent at the start. So this parent is a program of its own,
which imports little and holds next to nothing.
"""

import json
import os
import sys
import time

directory, output, errors, *command = sys.argv[1:]
os.chdir(directory)
mode = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
streams = [
    (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
    (os.POSIX_SPAWN_OPEN, 1, output, mode, 0o600),
    (os.POSIX_SPAWN_OPEN, 2, errors, mode, 0o600),
]
start = time.perf_counter()
process = os.posix_spawn(command[0], command, os.environ, file_actions=streams)
_, status, usage = os.wait4(process, 0)
seconds = time.perf_counter() - start
unit = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss: bytes there, KiB elsewhere
print(
    json.dumps(
        {
            "status": os.waitstatus_to_exitcode(status),
            "seconds": seconds,
            "cpu_seconds": usage.ru_utime + usage.ru_stime,
            "peak": usage.ru_maxrss * unit,
        }
    )
)
