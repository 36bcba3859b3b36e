// The rows of links with what is told below each, and the list of findings.

function makeTable(links, actions) {
  const rows = [...document.querySelectorAll("tr.link")];
  const details = [...document.querySelectorAll("tr.detail")];
  const findings = [...document.querySelectorAll("#findings .finding")];
  const linkOf = (row) => links[Number(row.dataset.link)];

  rows.forEach((row) => {
    const toggle = () => actions.pick(linkOf(row) === actions.picked() ? null : linkOf(row), { scroll: false });
    row.addEventListener("click", () => getSelection().isCollapsed && toggle());
    row.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (event.key === "Enter" || event.key === " ") toggle();
      else if (step) {
        const seen = rows.filter((each) => !each.hidden);
        seen[seen.indexOf(row) + step]?.focus();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    });
  });

  for (const detail of details) {
    for (const button of detail.querySelectorAll("[data-copy]")) {
      button.addEventListener("click", () => copyText(links[Number(detail.dataset.detail)].texts[button.dataset.copy], button));
    }
  }

  function pickFinding(finding) {
    const link = links[Number(finding.dataset.about)];
    if (finding.dataset.about !== undefined && link) actions.pick(link);
    findings.forEach((each) => each.classList.toggle("picked", each === finding));
    finding.scrollIntoView({ block: "nearest" });
  }

  for (const finding of findings) {
    finding.addEventListener("click", (event) => {
      if (event.target.classList.contains("copy")) {
        copyText(finding.querySelector("code").textContent, event.target);
      } else if (getSelection().isCollapsed) pickFinding(finding);
    });
    finding.addEventListener("keydown", (event) => {
      if (event.target !== finding || event.key !== "Enter") return;
      pickFinding(finding);
      event.preventDefault();
    });
  }

  return {
    rows,
    swatches() {
      for (const row of rows) row.querySelector(".swatch").style.background = linkOf(row).hue ?? actions.hueOf(linkOf(row));
    },
    mark(link, { scroll = true } = {}) {
      for (const row of rows) {
        const isPicked = link !== null && linkOf(row) === link;
        row.classList.toggle("picked", isPicked);
        row.setAttribute("aria-selected", String(isPicked));
        if (isPicked && scroll) row.scrollIntoView({ block: "nearest" });
      }
      for (const detail of details) detail.hidden = link === null || Number(detail.dataset.detail) !== link.id;
      for (const finding of findings) {
        const isAbout = link !== null && finding.dataset.about !== undefined && Number(finding.dataset.about) === link.id;
        finding.classList.toggle("picked", isAbout);
        if (isAbout && scroll) finding.scrollIntoView({ block: "nearest" });
      }
    },
    filter(wanted) {
      for (const row of rows) row.hidden = Boolean(wanted) && !row.dataset.name.toLowerCase().includes(wanted);
    },
    nextFinding() {
      if (!findings.length) return;
      const place = findings.findIndex((each) => each.classList.contains("picked"));
      pickFinding(findings[(place + 1) % findings.length]);
    },
  };
}
