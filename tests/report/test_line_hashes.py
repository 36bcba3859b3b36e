"""The hashes expected are those of the tests of github/codeql-action."""

from __future__ import annotations

import pytest

from sdfinertia.report.line_hashes import LineHashes

GREETINGS = [
    "e9496ae3ebfced30:1",
    "fb7c023a8b9ccb3f:1",
    "ce8ba1a563dcdaca:1",
    "e20e36e16fcb0cc8:1",
    "b3edc88f2938467e:1",
    "c8e28b0b4002a3a0:1",
    "c129715d7a2bc9a3:1",
]


@pytest.mark.parametrize(
    ("text", "hashes"),
    [
        ("", ["c129715d7a2bc9a3:1"]),
        (" a\nb\n  \t\tc\n d", ["271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"]),
        (" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n", GREETINGS),
        (" hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r", GREETINGS),
        (" hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n", GREETINGS),
        (" hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n", GREETINGS),
        (
            "Lorem ipsum dolor sit amet.\n" * 10,
            [
                *(f"a7f2ff13bc495cf2:{number}" for number in range(1, 7)),
                "a7f2ff1481e87703:1",
                "a9cf91f7bbf1862b:1",
                "55ec222b86bcae53:1",
                "cc97dc7b1d7d8f7b:1",
                "c129715d7a2bc9a3:1",
            ],
        ),
    ],
)
def test_lines_are_hashed_as_github_hashes_them(text: str, hashes: list[str]) -> None:
    found = LineHashes(text.encode())
    assert [found.of_line(line) for line in range(1, len(hashes) + 1)] == hashes
    assert found.of_line(len(hashes) + 1) is None
    assert found.of_line(0) is None


def test_characters_beyond_16_bits_count_as_two_and_bytes_that_are_no_text_as_replaced() -> None:
    assert LineHashes("a\U0001f600".encode()).of_line(1) == LineHashes(b"a\xf0\x9f\x98\x80").of_line(1)
    assert LineHashes(b"a\xff").of_line(1) == LineHashes("a\ufffd".encode()).of_line(1)
    value = 0
    for unit in (0xD83D, 0xDE00, 0xFFFF, *[0] * 97):
        value = (value * 37 + unit) % 2**64
    assert LineHashes("\U0001f600".encode()).of_line(1) == f"{value:x}:1"
