"""The code actions of an editor: the edits that commands would write, to the byte."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from sdfinertia.documents.filling import FillResult, fill_document
from sdfinertia.documents.fixing import fixes_of
from sdfinertia.documents.repairing import BY, By, repair_document
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.links.harm import harm_of
from sdfinertia.links.study import Study
from sdfinertia.lsp.session import Version, narrowed
from sdfinertia.markup.document import Edit
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.report.causes import likeliest, proposal_words
from sdfinertia.report.findings import fix_of
from sdfinertia.robot.link import Link
from sdfinertia.rules.registry import RULE_OF_CODE
from sdfinertia.rules.rule import ABOUT_NUMBERS, Finding, Fixer

QUICK_FIX, REWRITE = "quickfix", "refactor.rewrite"
FIX_ALL, FILL_ALL, UNSAFE_ALL = "source.fixAll.sdfinertia", "source.fill.sdfinertia", "source.unsafeFixes.sdfinertia"
KINDS = (QUICK_FIX, REWRITE, FIX_ALL, FILL_ALL, UNSAFE_ALL)

_INVALID = frozenset({"SDI102", "SDI103"})
_FIRST_BREAK = re.compile(rb"[ \t]*(?:\r\n|\n|\r)[ \t]*")


class Action(NamedTuple):
    """The kind of an action: fill, fix, unsafe-fix, repair or suppress.

    `link` is a label, or "" for the file; `what` is the way of a repair, or a code.
    """

    verb: str
    link: str = ""
    what: str = ""


class Offer(NamedTuple):
    """An action as it is offered; `codes` are those of the findings that it removes."""

    action: Action
    title: str
    kind: str
    codes: frozenset[str] = frozenset()
    is_preferred: bool = False


# Offers ---------------------------------------------------------------------------------------------------------------


def offers(version: Version, start: int, only: Sequence[str] | None = None) -> list[Offer]:
    """The actions at a byte and on the whole document; `only` narrows them to kinds and their sub-kinds."""

    def is_wanted(kind: str) -> bool:
        return only is None or any(f"{kind}.".startswith(f"{each}.") for each in only)

    found: list[Offer] = []
    link = version.link_at(start) if is_wanted(QUICK_FIX) or is_wanted(REWRITE) else None
    if link is not None:
        found += _for_link(version, link)
    if any(True for _ in version.links()):
        found.append(Offer(Action("fix"), "Apply every safe fix", FIX_ALL))
        found.append(Offer(Action("fill"), "Fill every link that asks for it", FILL_ALL))
        found.append(Offer(Action("unsafe-fix"), "Apply every fix, unsafe ones too", UNSAFE_ALL))
    return [offer for offer in found if is_wanted(offer.kind)]


def _for_link(version: Version, link: Link) -> Iterator[Offer]:
    findings = version.explained(link)
    repairs = list(_repairs(version, link, findings))
    # A repair may take the geometry as well.
    yield from (each for each in _fills(version.document.study(link), findings) if each.codes or not repairs)
    label, name = link.key.label, link.name
    nudged = {each.code for each in findings if fix_of(each) == "safe" and _fixer(each) is Fixer.NUDGE}
    if nudged:
        yield Offer(Action("fix", label), f"Fix the rounding of {name}", QUICK_FIX, frozenset(nudged), True)
    yield from repairs
    for code in dict.fromkeys(each.code for each in findings if RULE_OF_CODE[each.code].find is not None):
        yield Offer(Action("suppress", label, code), f"Suppress {code} in {name}", QUICK_FIX, frozenset((code,)))


def _fixer(finding: Finding) -> Fixer:
    return RULE_OF_CODE[finding.code].fixer


def _fills(study: Study, findings: Sequence[Finding]) -> Iterator[Offer]:
    link = study.link
    try:
        flags = _fill_flags(study)
    except SdfInertiaError:
        return
    fixed = [each for each in findings if _fixer(each) in (Fixer.FILL, Fixer.FILL_MISSING)]
    is_current = study.is_managed and not fixed and not flags
    if is_current or not study.has_solids:
        return
    title = f"Fill {link.name}"
    if "all" in flags:
        title = f"Compute {link.name} from its geometry, its mass kept"
    elif "overwrite_edited" in flags:
        title += " again, replacing numbers edited by hand"
    is_safe = all(fix_of(each) == "safe" for each in fixed)
    if not is_safe:
        title += " (unsafe: its density or units are in doubt)"
    codes = frozenset(each.code for each in fixed)
    kind = QUICK_FIX if codes else REWRITE
    yield Offer(Action("fill", link.key.label), title, kind, codes, bool(codes) and is_safe)


def _fill_flags(study: Study) -> dict[str, bool]:
    """The flags that `fill` needs beside the name of a link."""
    if study.is_auto:
        return {}
    if study.provenance is not None:
        return {"overwrite_edited": True} if study.is_edited else {}
    return {"all": True} if study.link.has_inertial else {"missing": True}


def _repairs(version: Version, link: Link, findings: Sequence[Finding]) -> Iterator[Offer]:
    codes = frozenset(each.code for each in findings) & ABOUT_NUMBERS
    why = next((each.why for each in findings if each.why is not None), None)
    if why is None:
        return
    ways: dict[By, str] = {}
    best = likeliest(why)
    if best is not None and not why.obstacle:
        ways["cause"] = f"Repair {link.name}: {best.cause}, {proposal_words(why.written, best)}"
    twins = version.explainer.gathering.twins(link)
    if twins:
        ways["twin"] = f"Repair {link.name}: as its twin {twins[0].name}, mirrored"
    if version.document.study(link).has_solids:
        ways["geometry"] = f"Repair {link.name}: from its geometry, its mass kept"
    if codes & _INVALID:
        ways["nearest"] = f"Repair {link.name}: the nearest valid tensor"
    for by, title in ways.items():
        yield Offer(Action("repair", link.key.label, by), title, QUICK_FIX, codes, by == "cause")


# Edits ----------------------------------------------------------------------------------------------------------------


def edits_of(version: Version, action: Action) -> Sequence[Edit]:
    """The edits of an action.

    Raises:
        SdfInertiaError: it is not possible, or changes nothing.
    """
    link = version.link_labelled(action.link) if action.link else None
    if action.link and link is None:
        raise ConfigurationError(f"there is no link {action.link!r} any more")
    match action.verb:
        case "fill":
            return _filled(version, link)
        case "fix":
            return _fixed(version, link, ("safe",))
        case "unsafe-fix":
            return _fixed(version, link, ("safe", "unsafe"))
        case "repair":
            if action.what not in BY:
                raise ConfigurationError(f"there is no repair by {action.what!r}")
            return _repaired(version, link, next(by for by in BY if by == action.what))
        case "suppress":
            if link is None:
                raise ConfigurationError("a finding is suppressed in a link")
            if action.what not in RULE_OF_CODE:
                raise ConfigurationError(f"there is no rule {action.what!r}")
            return [_suppression(link, action.what)]
    raise ConfigurationError(f"there is no action {action.verb!r}")


def _filled(version: Version, link: Link | None) -> Sequence[Edit]:
    """The edits of `fill`, or of `fill --link` with the flags that the link needs."""
    options = version.options
    if link is not None:
        options = narrowed(options, link).replaced(_fill_flags(version.document.study(link)))
    document = version.opened(options)
    result = fill_document(document, options)
    if link is not None and options.all:
        reason = next(
            (harm_of(document.study(link), each.inertia, document.study) for each in result.links if each.inertia), ""
        )
        if reason:
            raise ConfigurationError(f"{link.name} is left: computed from its geometry, {reason}")
    return _edits(result)


def _fixed(version: Version, link: Link | None, fixes: Collection[str]) -> Sequence[Edit]:
    """The edits of `check --fix`, or of `check --unsafe-fixes`."""
    if link is not None:
        findings: Sequence[Finding] = version.findings_of(link)
    else:
        if version.result is None:
            for _ in version.steps():
                pass
        assert version.result is not None, "it was checked"
        findings = version.result.findings
    edits, errors, _ = fixes_of(version.document, [each for each in findings if fix_of(each) in fixes])
    if not edits:
        raise (errors[0] if errors else ConfigurationError("nothing to fix"))
    # The edits in this text, not in files that it includes.
    return next(iter(version.document.robot.document.divided(edits)))[1]


def _repaired(version: Version, link: Link | None, by: By) -> Sequence[Edit]:
    """The edits of `repair --by`."""
    options = narrowed(version.options, link) if link is not None else version.options
    return _edits(repair_document(version.opened(options), options, by))


def _edits(result: FillResult) -> Sequence[Edit]:
    if result.errors:
        raise result.errors[0]
    if not result.edits:
        notes = [note for each in result.links for note in each.notes]
        raise ConfigurationError("; ".join(notes) or "nothing to do")
    return result.edits


def _suppression(link: Link, code: str) -> Edit:
    """A comment at the start of a link, on a line of its own if the link has several lines."""
    element, data = link.element, link.element.document.data
    if element.is_self_closing:
        raise ConfigurationError(f"the link {link.name!r} has no room for a comment")
    found = _FIRST_BREAK.match(data, element.inner_start, element.inner_end)
    comment = b"<!-- sdfinertia: ignore %s -->" % code.encode("ascii")
    return Edit(element.inner_start, element.inner_start, (found[0] if found is not None else b"") + comment)
