// The rows of links, what is told of the picked one, and the cards of findings. A page that changes its document puts
// others in their place, so that listeners are on what holds them.

// Scrolls what holds an element, and not the page, until it is seen.
function showWithin(element) {
  let holder = element.parentElement;
  while (holder && !/auto|scroll/.test(getComputedStyle(holder).overflowY)) holder = holder.parentElement;
  if (!holder) return;
  const [inner, outer] = [element, holder].map((each) => each.getBoundingClientRect());
  const top = outer.top + (holder.querySelector("thead")?.offsetHeight ?? 0);
  if (inner.top < top || inner.height > outer.bottom - top) holder.scrollTop += inner.top - top;
  else if (inner.bottom > outer.bottom) holder.scrollTop += inner.bottom - outer.bottom;
}

function makeTable(links, actions) {
  const main = document.querySelector("main");
  const shown = new Map();
  const rows = () => [...document.querySelectorAll("tr.link")];
  const details = () => [...document.querySelectorAll(".detail")];
  const findings = () => [...document.querySelectorAll("#findings .finding")];
  const linkOf = (row) => links[Number(row.dataset.link)];
  const isPickedRow = (row) => linkOf(row) === actions.picked();
  const folds = () => [...document.querySelectorAll("tr.fold button")];
  let isUnfolded = !folds().length;
  const toggle = (row) => actions.pick(isPickedRow(row) ? null : linkOf(row), { scroll: false });

  main.addEventListener("click", (event) => {
    const { target } = event;
    const copied = target.closest("[data-copy]");
    const finding = target.closest(".finding");
    const row = target.closest("tr.link");
    if (target.closest("tr.fold")) return unfold(!isUnfolded);
    if (copied) copyText(links[Number(copied.closest(".detail").dataset.detail)].texts[copied.dataset.copy], copied);
    else if (finding && target.classList.contains("copy")) copyText(finding.querySelector("code").textContent, target);
    else if (target.closest("#details, summary")) return;
    else if (finding && getSelection().isCollapsed) pickFinding(finding);
    else if (row && getSelection().isCollapsed) toggle(row);
  });

  // The cards that the filters leave; of one with several findings, those of the rule.
  const chosen = { level: "", rule: "" };
  main.addEventListener("change", ({ target }) => {
    const kind = /^filter-(level|rule)$/.exec(target.id)?.[1];
    if (!kind) return;
    chosen[kind] = target.value;
    filterCards();
  });

  function filterCards() {
    for (const kind of ["level", "rule"]) {
      const select = byId(`filter-${kind}`);
      if (!select) return;
      select.value = chosen[kind];
      // What was chosen may be found no more.
      if (select.selectedIndex < 0) select.value = chosen[kind] = "";
    }
    for (const card of findings()) {
      const lines = [...card.querySelectorAll(".wrong")];
      for (const line of lines) {
        const badge = line.querySelector(".badge");
        line.hidden = Boolean((chosen.level && !badge.classList.contains(chosen.level)) || (chosen.rule && badge.textContent !== chosen.rule));
      }
      card.hidden = lines.every((line) => line.hidden);
    }
  }

  main.addEventListener("keydown", (event) => {
    const { target, key } = event;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (target.matches(".finding") && (key === "Enter" || key === " ")) pickFinding(target);
    else if (target.matches("tr.link") && (key === "Enter" || key === " ")) toggle(target);
    else if (target.matches("tr.link") && step) {
      const seen = rows().filter((each) => !each.hidden);
      seen[seen.indexOf(target) + step]?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  // Links without findings are below those that have some, and folded away until they are wanted.
  function unfold(isWanted) {
    isUnfolded = isWanted;
    for (const row of rows()) row.hidden = !isUnfolded && row.classList.contains("rest");
    for (const each of folds()) each.ariaExpanded = String(isUnfolded);
  }
  unfold(isUnfolded);

  // One row is reached by Tab, the others by arrows from it.
  main.addEventListener("focusin", ({ target }) => target.matches("tr.link") && reach(target));
  function reach(row) {
    for (const each of rows()) each.tabIndex = each === row ? 0 : -1;
  }
  if (rows().length) reach(rows()[0]);

  function pickFinding(finding) {
    const link = links[Number(finding.dataset.about)];
    if (finding.dataset.about !== undefined && link) actions.pick(link);
    findings().forEach((each) => each.classList.toggle("picked", each === finding));
    showWithin(finding);
  }

  // What is told of the picked link stands in its card, if it has one.
  function placeDetails(link) {
    const card = link && findings().find((each) => Number(each.dataset.about ?? NaN) === link.id);
    if (card) card.append(byId("details"));
    else (byId("findings") ?? byId("panel").lastElementChild).before(byId("details"));
  }

  function swatches() {
    for (const row of rows()) row.querySelector(".swatch").style.background = linkOf(row).hue ?? actions.hueOf(linkOf(row));
  }

  return {
    swatches,
    mark(link, { scroll = true } = {}) {
      if (!isUnfolded && rows().some((row) => row.hidden && linkOf(row) === link)) unfold(true);
      for (const row of rows()) {
        const isPicked = link !== null && linkOf(row) === link;
        row.classList.toggle("picked", isPicked);
        row.setAttribute("aria-selected", String(isPicked));
        if (isPicked && scroll) showWithin(row);
      }
      placeDetails(link);
      byId("details").firstElementChild.hidden = link !== null;
      for (const detail of details()) detail.hidden = link === null || Number(detail.dataset.detail) !== link.id;
      for (const finding of findings()) {
        const isAbout = link !== null && finding.dataset.about !== undefined && Number(finding.dataset.about) === link.id;
        finding.classList.toggle("picked", isAbout);
        if (isAbout && scroll) showWithin(finding);
      }
    },
    filter(wanted) {
      if (!wanted) return unfold(isUnfolded);
      for (const row of rows()) row.hidden = !row.dataset.name.toLowerCase().includes(wanted);
    },
    nextFinding(step = 1) {
      const all = findings().filter((card) => !card.hidden);
      if (!all.length) return;
      const place = all.findIndex((each) => each.classList.contains("picked"));
      pickFinding(all[place < 0 ? (step > 0 ? 0 : all.length - 1) : (place + step + all.length) % all.length]);
    },
    // Puts other rows of a link in the place of those that are there; the texts come from the server as it escaped them.
    replace(answers) {
      const places = new Map();
      for (const each of rows()) places.set(`row ${each.dataset.link}`, each);
      for (const each of details()) places.set(`detail ${each.dataset.detail}`, each);
      for (const [id, answer] of Object.entries(answers)) {
        for (const kind of ["row", "detail"]) {
          if (shown.get(`${kind} ${id}`) === answer[kind]) continue;
          shown.set(`${kind} ${id}`, answer[kind]);
          const made = document.createElement("template");
          made.innerHTML = answer[kind];
          showUnits(made.content);
          const [old, next] = [places.get(`${kind} ${id}`), made.content.firstElementChild];
          next.tabIndex = old.tabIndex;
          old.replaceWith(next);
        }
      }
      alignPoints();
    },
    replaceFindings(text) {
      const made = document.createElement("template");
      made.innerHTML = text;
      placeDetails(null);
      byId("findings").replaceWith(made.content.firstElementChild);
      filterCards();
    },
  };
}
