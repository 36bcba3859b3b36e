"""Runs killed at random moments: every file is wholly old or wholly new, and the next run cleans up."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import pytest
from builders.thoroughness import trials

from sdfinertia.documents.filling import fill

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="there is no SIGKILL here")]

KILLS, LANES, FILES = trials(12, 200), 4, 16
# Runs that were done before their kill came do not count; so many more are tried.
SPARE = 2 * KILLS


def document(number: int) -> bytes:
    """A model whose first and last link change, with a good deal between them."""
    links = "".join(
        f'<link name="l{n}"><inertial auto="true"/><collision name="c"><geometry><box><size>1 2 {number + n + 1}</size>'
        f"</box></geometry></collision></link>\n<!-- {'padding ' * 1000} -->\n"
        for n in range(3)
    )
    return f'<sdf version="1.12"><model name="m{number}">{links}</model></sdf>\n'.encode()


OLD = {f"m{number:02}.sdf": document(number) for number in range(FILES)}


def start_fill(directory: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "sdfinertia", "fill", "--quiet", "."]
    return subprocess.Popen(command, cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Tally(NamedTuple):
    """What came of the kills of one lane; `torn` is what must not be."""

    killed: int
    in_the_middle: int
    leftovers: int
    torn: list[str]


def leftovers_in(directory: Path) -> set[str]:
    return {name for name in os.listdir(directory) if name.startswith(".sdfinertia-")}


def run_lane(directory: Path, new: dict[str, bytes], kills: int, seed: int) -> Tally:
    """Kills that many runs on a directory, each after another part of the time that a run takes."""
    rng = random.Random(seed)
    directory.mkdir()
    for name, content in OLD.items():
        (directory / name).write_bytes(content)
    # Temporary files of a process that lives, and of one on another host, that no run may touch.
    kept = {f".sdfinertia-{socket.gethostname()}-{os.getpid()}-0.tmp", ".sdfinertia-another.host-1-0.tmp"}
    for name in kept:
        (directory / name).write_bytes(b"of another run")
    started = time.perf_counter()
    assert start_fill(directory).wait() == 0
    duration = time.perf_counter() - started
    killed = in_the_middle = leftovers = 0
    torn: list[str] = []
    for _ in range(kills + SPARE // LANES):
        if killed == kills:
            break
        for name, content in OLD.items():
            if (directory / name).read_bytes() != content:
                (directory / name).write_bytes(content)
        delay = rng.uniform(0, duration)
        running = start_fill(directory)
        time.sleep(delay)
        running.send_signal(signal.SIGKILL)
        if running.wait() != -signal.SIGKILL:
            # Runs have become quicker, as other work on this machine has ended.
            duration = delay
            continue
        killed += 1
        found = {name: (directory / name).read_bytes() for name in OLD}
        torn += [name for name, content in found.items() if content not in (OLD[name], new[name])]
        in_the_middle += any(found[name] == new[name] for name in OLD) and found != new
        left = leftovers_in(directory) - kept
        leftovers += bool(left)
        # One process has one temporary file at a time, and those of the runs before were removed.
        torn += [f"{len(left)} leftovers"] if len(left) > 2 else []
    assert start_fill(directory).wait() == 0
    torn += [name for name in OLD if (directory / name).read_bytes() != new[name]]
    torn += sorted(leftovers_in(directory) ^ kept)
    return Tally(killed, in_the_middle, leftovers, torn)


def test_kills_leave_every_file_old_or_new(tmp_path: Path) -> None:
    new = {name: fill(content, filename=name).content for name, content in OLD.items()}
    assert all(new[name] != OLD[name] for name in OLD)
    with ThreadPoolExecutor(LANES) as lanes:
        jobs = [lanes.submit(run_lane, tmp_path / str(n), new, KILLS // LANES, seed=n) for n in range(LANES)]
        tallies = [job.result() for job in jobs]
    killed = sum(tally.killed for tally in tallies)
    in_the_middle = sum(tally.in_the_middle for tally in tallies)
    leftovers = sum(tally.leftovers for tally in tallies)
    print(
        f"{killed} runs killed, {in_the_middle} with some files done and others not, {leftovers} left a temporary file"
    )
    assert [tally.torn for tally in tallies] == [[]] * LANES
    assert killed == KILLS
    # A few kills may all miss the part of a run that writes.
    assert in_the_middle + leftovers >= trials(0, KILLS // 10), "the kills came too early or too late to tell anything"
