"""Code actions: the edits that `fill`, `check --fix` and `repair` would write, to the byte."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Any, NamedTuple

from lsprotocol import types

from sdfinertia.documents.checking import fix_document
from sdfinertia.documents.filling import FillResult, fill_document
from sdfinertia.documents.repairing import BY, By, repair_document
from sdfinertia.errors import ConfigurationError, SdfInertiaError, unicode_text
from sdfinertia.links import Study
from sdfinertia.links.groups import harm_of
from sdfinertia.lsp.diagnostics import SOURCE
from sdfinertia.lsp.open_text import OpenText, narrowed
from sdfinertia.markup import Edit
from sdfinertia.report.explanations import proposal_words
from sdfinertia.report.findings import fix_of
from sdfinertia.robot import Link
from sdfinertia.rules import MISSING, RULE_OF_CODE
from sdfinertia.rules.rule import ABOUT_NUMBERS, Finding, Fixer

QUICK_FIX, REWRITE = "quickfix", "refactor.rewrite"
FIX_ALL, FILL_ALL = "source.fixAll.sdfinertia", "source.fill.sdfinertia"
KINDS = (QUICK_FIX, REWRITE, FIX_ALL, FILL_ALL)


class Action(NamedTuple):
    """What an action does: fill, fix or repair; in the link of a label, or in all; a repair by what."""

    verb: str
    link: str = ""
    by: str = ""


# An action, its title and kind, and the codes of the findings that it removes.
Offer = tuple[Action, str, str, Set[str]]


def code_actions(text: OpenText, params: types.CodeActionParams, version: int | None) -> list[types.CodeAction]:
    only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
    known = [each for each in params.context.diagnostics if each.source == SOURCE]
    found = []
    for action, title, kind, codes in _offers(text, text.text.offset(params.range.start)):
        if only and not any(f"{kind}.".startswith(f"{each}.") for each in only):
            continue
        data = {"uri": params.text_document.uri, "version": version, "action": list(action)}
        answered = [each for each in known if each.code in codes]
        found.append(types.CodeAction(unicode_text(title), kind, answered or None, data=data))
    return found


def _offers(text: OpenText, offset: int) -> Iterator[Offer]:
    link = text.link_at(offset)
    if link is not None:
        findings = text.findings_of(link)
        repairs = list(_repairs(text, link, findings))
        # A repair may take the geometry as well.
        yield from (each for each in _fills(text.document.study(link), findings) if each[-1] or not repairs)
        nudged = {
            each.code for each in findings if fix_of(each) == "safe" and RULE_OF_CODE[each.code].fixer is Fixer.NUDGE
        }
        if nudged:
            yield Action("fix", link.key.label), f"Fix the rounding of {link.name}", QUICK_FIX, nudged
        yield from repairs
    if any(True for _ in text.links()):
        yield Action("fix"), "Apply all fixes", FIX_ALL, set()
        yield Action("fill"), "Fill every link that asks for it", FILL_ALL, set()


def _fills(study: Study, findings: Sequence[Finding]) -> Iterator[Offer]:
    name = study.link.name
    try:
        flags = _fill_flags(study)
    except SdfInertiaError:
        return
    fixed = [each for each in findings if RULE_OF_CODE[each.code].fixer is Fixer.FILL or each.code == MISSING]
    if not study.has_solids or (study.filled and not fixed and not flags):
        return
    title = f"Fill {name}"
    if "all" in flags:
        title = f"Compute {name} from its geometry, its mass kept"
    elif "overwrite_edited" in flags:
        title += " again, replacing numbers edited by hand"
    if any(fix_of(each) != "safe" for each in fixed):
        title += " (its density or units are in doubt)"
    yield Action("fill", study.link.key.label), title, QUICK_FIX if fixed else REWRITE, {each.code for each in fixed}


def _fill_flags(study: Study) -> dict[str, bool]:
    if study.link.asks_to_be_filled():
        return {}
    if study.provenance is not None:
        return {"overwrite_edited": True} if study.is_edited else {}
    return {"all": True} if study.link.has_inertial else {"missing": True}


def _repairs(text: OpenText, link: Link, findings: Sequence[Finding]) -> Iterator[Offer]:
    codes = {each.code for each in findings} & ABOUT_NUMBERS
    why = next((each.why for each in findings if each.why is not None), None)
    if why is None:
        return
    ways: dict[By, str] = {}
    best = why.likeliest
    if best is not None and not why.obstacle:
        ways["cause"] = f"{best.cause}, {proposal_words(why.written, best)}"
    if twins := text.explainer.gathering.twins(link):
        ways["twin"] = f"as its twin {twins[0].name}, mirrored"
    if text.document.study(link).has_solids:
        ways["geometry"] = "from its geometry, its mass kept"
    if codes & {"SDI102", "SDI103"}:
        ways["nearest"] = "the nearest valid tensor"
    for by, how in ways.items():
        yield Action("repair", link.key.label, by), f"Repair {link.name}: {how}", QUICK_FIX, codes


def action_of(data: Any) -> tuple[str, int | None, Action]:
    """The uri and version of the text that an action is offered for, and the action."""
    try:
        return str(data["uri"]), data["version"], Action(*data["action"])
    except (TypeError, KeyError):
        raise ConfigurationError("this is not the data of an action of this server") from None


def text_edits(text: OpenText, action: Action) -> list[types.TextEdit]:
    """The edits of an action; an error where it is not possible, or changes nothing."""
    link = text.link_labelled(action.link) if action.link else None
    if action.link and link is None:
        raise ConfigurationError(f"there is no link {action.link!r} any more")
    match action.verb:
        case "fill":
            edits = _filled(text, link)
        case "fix":
            edits = _fixed(text, link)
        case "repair":
            edits = _repaired(text, link, action.by)
        case _:
            raise ConfigurationError(f"there is no action {action.verb!r}")
    return text.text.text_edits(edits)


def _filled(text: OpenText, link: Link | None) -> Sequence[Edit]:
    options = text.options
    if link is not None:
        options = narrowed(options, link).replaced(_fill_flags(text.document.study(link)))
    document = text.document_with(options)
    result = fill_document(document, options)
    if link is not None and options.all:
        reasons = (harm_of(document.study(link), each.inertia) for each in result.links if each.inertia)
        if reason := next(reasons, ""):
            raise ConfigurationError(f"{link.name} is left: computed from its geometry, {reason}")
    return _edits(result)


def _fixed(text: OpenText, link: Link | None) -> Sequence[Edit]:
    findings = text.findings_of(link) if link is not None else text.check().findings
    result = fix_document(text.document, [each for each in findings if fix_of(each) == "safe"])
    if not (result.edits or result.others):
        raise result.errors[0] if result.errors else ConfigurationError("nothing to fix")
    # Those in this text, not in files that it includes.
    return result.edits


def _repaired(text: OpenText, link: Link | None, by: str) -> Sequence[Edit]:
    way = next((each for each in BY if each == by), None)
    if way is None:
        raise ConfigurationError(f"there is no repair by {by!r}")
    options = narrowed(text.options, link) if link is not None else text.options
    return _edits(repair_document(text.document_with(options), options, way))


def _edits(result: FillResult) -> Sequence[Edit]:
    if result.errors:
        raise result.errors[0]
    if not result.edits:
        raise ConfigurationError("; ".join(note for each in result.links for note in each.notes) or "nothing to do")
    return result.edits
