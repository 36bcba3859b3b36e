// The rows of links with what is told below each, and the list of findings. A page that changes its document puts other
// rows in their place, so that listeners are on what holds them.

function makeTable(links, actions) {
  const numbers = byId("numbers");
  const shown = new Map();
  const rows = () => [...document.querySelectorAll("tr.link")];
  const details = () => [...document.querySelectorAll("tr.detail")];
  const findings = () => [...document.querySelectorAll("#findings .finding")];
  const linkOf = (row) => links[Number(row.dataset.link)];
  const isPickedRow = (row) => linkOf(row) === actions.picked();
  const toggle = (row) => actions.pick(isPickedRow(row) ? null : linkOf(row), { scroll: false });

  numbers.addEventListener("click", (event) => {
    const { target } = event;
    const copied = target.closest("[data-copy]");
    const finding = target.closest(".finding");
    const row = target.closest("tr.link");
    if (copied) copyText(links[Number(copied.closest("tr").dataset.detail)].texts[copied.dataset.copy], copied);
    else if (finding && target.classList.contains("copy")) copyText(finding.querySelector("code").textContent, target);
    else if (finding && getSelection().isCollapsed) pickFinding(finding);
    else if (row && getSelection().isCollapsed) toggle(row);
  });

  numbers.addEventListener("keydown", (event) => {
    const { target, key } = event;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (target.matches(".finding") && key === "Enter") pickFinding(target);
    else if (target.matches("tr.link") && (key === "Enter" || key === " ")) toggle(target);
    else if (target.matches("tr.link") && step) {
      const seen = rows().filter((each) => !each.hidden);
      seen[seen.indexOf(target) + step]?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  function pickFinding(finding) {
    const link = links[Number(finding.dataset.about)];
    if (finding.dataset.about !== undefined && link) actions.pick(link);
    findings().forEach((each) => each.classList.toggle("picked", each === finding));
    finding.scrollIntoView({ block: "nearest" });
  }

  function swatches() {
    for (const row of rows()) row.querySelector(".swatch").style.background = linkOf(row).hue ?? actions.hueOf(linkOf(row));
  }

  return {
    swatches,
    mark(link, { scroll = true } = {}) {
      for (const row of rows()) {
        const isPicked = link !== null && linkOf(row) === link;
        row.classList.toggle("picked", isPicked);
        row.setAttribute("aria-selected", String(isPicked));
        if (isPicked && scroll) row.scrollIntoView({ block: "nearest" });
      }
      for (const detail of details()) detail.hidden = link === null || Number(detail.dataset.detail) !== link.id;
      for (const finding of findings()) {
        const isAbout = link !== null && finding.dataset.about !== undefined && Number(finding.dataset.about) === link.id;
        finding.classList.toggle("picked", isAbout);
        if (isAbout && scroll) finding.scrollIntoView({ block: "nearest" });
      }
    },
    filter(wanted) {
      for (const row of rows()) row.hidden = Boolean(wanted) && !row.dataset.name.toLowerCase().includes(wanted);
    },
    nextFinding() {
      const all = findings();
      if (!all.length) return;
      const place = all.findIndex((each) => each.classList.contains("picked"));
      pickFinding(all[(place + 1) % all.length]);
    },
    // Puts other rows of a link in the place of those that are there; the texts come from the server as it escaped them.
    replace(answers) {
      const known = new Map(rows().map((row) => [row.dataset.link, row]));
      for (const [id, { row, detail }] of Object.entries(answers)) {
        if (shown.get(id) === row + detail) continue;
        shown.set(id, row + detail);
        const old = known.get(id);
        for (const [place, text] of [[old.nextElementSibling, detail], [old, row]]) {
          const made = document.createElement("template");
          made.innerHTML = text;
          showUnits(made.content);
          place.replaceWith(made.content.firstElementChild);
        }
      }
    },
    replaceFindings(text) {
      const made = document.createElement("template");
      made.innerHTML = text;
      byId("findings").replaceWith(made.content.firstElementChild);
    },
  };
}
