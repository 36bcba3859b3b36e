"""What the program does with the fixtures is as recorded, and a difference is told."""

from recorded.__main__ import differences, found_now, read_record


def test_the_fixtures_give_what_is_recorded() -> None:
    recorded = {name: entries for name, entries in read_record().items() if name.startswith("fixtures/")}
    found = found_now(["fixtures"])
    assert found.keys() == recorded.keys()
    assert [f"{name} | {line}" for name in found for line in differences(recorded[name], found[name])] == []


def test_a_difference_names_its_command_and_the_words_that_differ() -> None:
    before = {"check": "1 ; SDI001,error,m::a,3:4 ; SDI204,warning,m::b,9:4", "fill": "0 #a1 a=1,2"}
    after = {"check": "1 ; SDI001,error,m::a,3:4", "fill": "0 #a2 a=1,3"}
    assert [*differences(before, after)] == [
        "check: SDI204,warning,m::b,9:4 -> nothing",
        "fill: #a1 a=1,2 -> #a2 a=1,3",
    ]
