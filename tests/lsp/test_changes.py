"""Texts that change while actions are asked for: each edit is of the text that it names, and what a command writes."""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="pygls is not installed")

from builders.language_server import applied
from builders.thoroughness import trials

BOX = '<collision name="c"><geometry><box><size>1 2 3</size></box></geometry></collision>'
NUMBERS = "<mass>1</mass><inertia><ixx>%s</ixx><ixy>0</ixy><ixz>0</ixz><iyy>1</iyy><iyz>0</iyz><izz>1</izz></inertia>"
SDF = f"""\
<?xml version="1.0" encoding="ENCODING"?>
<sdf version="1.11">
  <model name="m">
    <link name="asks"><inertial auto="true"><density>500</density></inertial>{BOX}</link>
    <link name="none">{BOX}</link>
    <link name="wrong"><inertial>{NUMBERS % 5}</inertial>{BOX}</link>
    <link name="rounded"><inertial>{NUMBERS % "2.00000000001"}</inertial>{BOX}</link>
  </model>
</sdf>
"""
URDF = """\
<?xml version="1.0" encoding="ENCODING"?>
<robot name="m">
  <link name="wrong"><inertial><origin xyz="0 0.1 0"/><mass value="2"/>
      <inertia ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="40"/></inertial>
    <collision><geometry><box size="0.3 0.2 0.1"/></geometry></collision></link>
  <link name="none"><collision><geometry><box size="0.3 0.2 0.1"/></geometry></collision></link>
</robot>
"""
ENCODINGS = ("UTF-8", "ISO-8859-1", "windows-1252", "Shift_JIS", "GBK")
CHARACTERS = "aé€ÿ\x81\x85\u2028🤖漢\ufeff&;"
ENDS = ("\n", "\r\n", "\r")
CHANGES = trials(150, 2000)
WHOLE = {
    "Fill every link that asks for it": ("fill",),
    "Apply every safe fix": ("check", "--fix"),
    "Apply every fix, unsafe ones too": ("check", "--unsafe-fixes"),
}
OUTDATED = -32801


def text_of(rng: random.Random, name: str) -> str:
    """A file with characters and ends of lines of all kinds between its tags."""
    text = (SDF if name.endswith("sdf") else URDF).replace("ENCODING", rng.choice(ENCODINGS))
    places = [match.end() for match in re.finditer("[>](?=[\n<])", text)]
    for start in sorted(rng.sample(places, 6), reverse=True):
        characters = "".join(rng.choices(CHARACTERS.replace("&", "").replace(";", ""), k=rng.randrange(6)))
        added = rng.choice((f"<!-- {characters} -->", rng.choice(ENDS), f"\t<!--{characters}-->{rng.choice(ENDS)}"))
        text = text[:start] + added + text[start:]
    if rng.random() < 0.3:
        text = text.replace("\n", rng.choice(ENDS))
    # Sometimes as it is while somebody types.
    if rng.random() < 0.2:
        start = rng.randrange(len(text))
        text = text[:start] + rng.choice(CHARACTERS) + text[start + rng.randrange(9) :]
    return text


def command_of(action: Any, text: str) -> tuple[str, ...] | None:
    """The command that writes what an action does; None for one that no command does."""
    if action.title in WHOLE:
        return WHOLE[action.title]
    verb, link, by = (action.data[name] for name in ("verb", "link", "what"))
    if verb == "suppress":
        return None
    if verb == "fix":
        return "check", "--fix", "--link", link
    if verb == "repair":
        return "repair", *(("--by", by) if by != "cause" else ()), "--link", link
    name = re.escape(link.rpartition("::")[2])
    whole = re.search(f'(?s)<link name="{name}".*?(</link>|$)', text)
    has_inertial = whole is not None and "<inertial" in whole[0]
    flag = "--all" if action.title.startswith("Compute") else "--missing" if not has_inertial else ""
    flag = "--overwrite-edited" if "edited by hand" in action.title else flag
    return "fill", *([flag] if flag else []), "--link", link


class Typist:
    """Somebody who types in one file and chooses actions without waiting for them."""

    def __init__(self, editor: Any, path: Path, rng: random.Random) -> None:
        self.editor, self.path, self.rng = editor, path, rng
        self.texts: dict[int, str] = {1: text_of(rng, path.name)}
        self.counts: Counter[str] = Counter()
        self._pending: list[tuple[Any, Any]] = []
        editor.open(path, self.texts[1])

    def change(self) -> None:
        self.texts[len(self.texts) + 1] = text_of(self.rng, self.path.name)
        self.editor.change(self.path, self.texts[len(self.texts)], waits=False)

    def choose(self) -> None:
        """Asks for an action somewhere, and for its edit."""
        text = self.texts[len(self.texts)]
        word = self.rng.choice(re.findall(r"<link name=\S+?>", text) or [text[:1]])
        actions = list(self.editor.actions(self.path, word).values())
        if actions:
            action = self.rng.choice(actions)
            asked = self.editor.client.code_action_resolve_async(action)
            self._pending.append((action, asyncio.run_coroutine_threadsafe(asked, self.editor._loop)))

    def edits(self) -> Iterator[tuple[Any, int, list[Any]]]:
        """The edits that came, each with its action and the version of its text."""
        for action, answer in self._pending:
            error = answer.exception(60)
            if error is not None:
                if getattr(error, "code", None) != OUTDATED:
                    raise error
                self.counts["outdated"] += 1
                continue
            edit = answer.result().edit
            if edit is None:
                self.counts["not possible"] += 1
                continue
            (change,) = edit.document_changes
            yield action, change.text_document.version, list(change.edits)
        self._pending.clear()


def saved(text: str) -> bytes:
    """As an editor saves it: in the encoding that it declares, else in UTF-8."""
    declared = re.search('encoding="([^"]*)"', text[:80])
    try:
        data = text.encode(declared[1] if declared is not None else "utf-8")
        return data if data.decode(declared[1] if declared is not None else "utf-8") == text else text.encode()
    except (UnicodeError, LookupError):
        return text.encode("utf-8", "replace")


@pytest.mark.parametrize("name", ["m.sdf", "m.urdf"])
def test_each_edit_is_of_the_text_that_it_names_and_what_the_command_writes(editor, command, project, name):
    path, file = project / "open" / name, project / name
    path.parent.mkdir()
    typist = Typist(editor, path, random.Random(name))
    for _ in range(CHANGES // 2):
        typist.change()
        for act in typist.rng.sample((typist.choose, typist.change, typist.choose), typist.rng.randrange(4)):
            act()
        for action, number, edits in typist.edits():
            text = typist.texts[number]
            made = applied(text, edits)
            words = command_of(action, text)
            if words is None:
                assert made.replace(edits[0].new_text, "", 1) == text
                continue
            file.write_bytes(saved(text))
            command(*words, name)
            before = saved(text)
            expected = made.encode("utf-8") if before == text.encode() else made.encode(codec_of(text))
            assert file.read_bytes() == expected, (action.title, number)
            typist.counts["same as the command"] += 1
    print(len(typist.texts), dict(typist.counts))
    assert typist.counts["same as the command"] > CHANGES // 20
    assert typist.counts["outdated"]
    editor.shut(path)


def codec_of(text: str) -> str:
    found = re.search('encoding="([^"]*)"', text[:80])
    assert found is not None, "it is saved as it declares"
    return found[1]
