// The tree of models, links and joints: to pick, to search, to fold, to hide, and to show alone.

const FEW_MISSING = 3, FEW_JOINTS = 6, FEW_MODELS = 8; // more are folded at first

function makeTree(data, actions) {
  const list = byId("nodes");
  const search = byId("search");
  const nodes = [];
  const totalLines = new Map();

  function element(tag, className, text) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function numbers(total) {
    const line = element("span", "total");
    const value = element("span", "q");
    value.dataset.d = "mass";
    value.dataset.v = String(total.mass);
    value.textContent = shortNumber(total.mass);
    const unit = element("span", "unit");
    unit.dataset.d = "mass";
    line.append(value, " ", unit, " at ");
    total.com.forEach((coordinate, k) => {
      const part = element("span", "q");
      part.dataset.d = "length";
      part.dataset.v = String(Math.abs(coordinate) < 1e-12 ? 0 : coordinate);
      part.textContent = shortNumber(Number(part.dataset.v));
      line.append(part, k < 2 ? ", " : "\u00a0");
    });
    const length = element("span", "unit");
    length.dataset.d = "length";
    line.append(length);
    return line;
  }

  // A name that is broken between its words, if it must be.
  function nameText(name) {
    return name.split(/(?<=::|_+)(?!_)/).flatMap((word, k) => (k ? [document.createElement("wbr"), word] : [word]));
  }

  // A row of the tree, below another one or none.
  function row({ kind, name, label, parent = null, scene, target = null, level = "", note = "" }) {
    const node = element("div", `node ${kind} ${level}`.trim());
    const depth = parent ? parent.depth + 1 : 0;
    node.style.setProperty("--depth", depth);
    node.tabIndex = nodes.length ? -1 : 0;
    node.role = "treeitem";
    node.ariaLevel = depth + 1;
    node.dataset.name = name;
    const title = element("span", "label");
    title.append(...nameText(label));
    title.title = note ? `${name}: ${note}` : name;
    node.append(title);
    if (kind === "missing") node.append(element("span", "reason", note));
    const entry = { node, kind, name, scene, target, parent, depth, isFolded: false };
    if (parent && !parent.node.ariaExpanded) {
      parent.node.ariaExpanded = "true";
      const fold = element("span", "fold");
      fold.addEventListener("click", (event) => (event.stopPropagation(), foldTo(parent, !parent.isFolded)));
      parent.node.prepend(fold);
    }
    if (kind === "model" || kind === "link") {
      const hide = element("button", "eye", "hide");
      hide.title = "Hide it (h)";
      const alone = element("button", "alone", "only");
      alone.title = "Show it alone (i)";
      for (const [button, what] of [[hide, `Hide ${name}`], [alone, `Show only ${name}`]]) {
        button.type = "button";
        button.tabIndex = -1;
        button.setAttribute("aria-label", what);
      }
      hide.addEventListener("click", (event) => (event.stopPropagation(), actions.hide(entry)));
      alone.addEventListener("click", (event) => (event.stopPropagation(), actions.isolate(entry)));
      node.prepend(hide, alone);
    }
    node.addEventListener("click", () => activate(entry));
    node.addEventListener("focus", () => nodes.forEach(({ node: each }) => (each.tabIndex = each === node ? 0 : -1)));
    node.addEventListener("keydown", (event) => {
      const action = {
        Enter: () => activate(entry), " ": () => activate(entry),
        ArrowDown: () => neighbour(node, 1)?.focus(), ArrowUp: () => neighbour(node, -1)?.focus(),
        ArrowRight: () => (entry.isFolded ? foldTo(entry, false) : neighbour(node, 1)?.focus()),
        ArrowLeft: () => (node.ariaExpanded === "true" ? foldTo(entry, true) : parent?.node.focus()),
        h: () => canBeHidden(entry) && actions.hide(entry), i: () => canBeHidden(entry) && actions.isolate(entry),
      }[event.key];
      if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
      action();
      event.preventDefault();
      event.stopPropagation();
    });
    list.append(node);
    nodes.push(entry);
    return entry;
  }

  const canBeHidden = ({ kind }) => kind === "model" || kind === "link";

  function activate(entry) {
    if (entry.kind === "group" || entry.kind === "missing") foldTo(entry, !entry.isFolded);
    else actions.pickNode(entry);
  }

  // Folds a row, or unfolds it; what is folded within it stays so.
  function foldTo(entry, isFolded) {
    if (!entry.node.ariaExpanded) return;
    entry.isFolded = isFolded;
    entry.node.ariaExpanded = String(!isFolded);
    showUnfolded();
  }

  function showUnfolded() {
    for (const { node, name, parent } of nodes) {
      let isFolded = false;
      for (let each = parent; each; each = each.parent) isFolded ||= each.isFolded;
      node.hidden = wanted ? !name.toLowerCase().includes(wanted) : isFolded;
    }
  }

  function neighbour(node, step) {
    const seen = nodes.map((entry) => entry.node).filter((each) => !each.hidden);
    return seen[seen.indexOf(node) + step];
  }

  const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

  // What could not be included: each once, with how often, folded away.
  function addMissing(scene, index, file) {
    if (!scene.missing.length) return;
    const count = scene.missing.reduce((sum, { names }) => sum + names.length, 0);
    const often = count > scene.missing.length ? `, ${count} times` : "";
    const group = row({ kind: "group", name: "missing", label: `${counted(scene.missing.length, "model")} missing${often}`, parent: file, scene: index, level: "error" });
    for (const { names, reason } of scene.missing) {
      const what = /^'([^']+)'/.exec(reason)?.[1] ?? (names[0].split("::").at(-1) || "include");
      const label = names.length > 1 ? `${what} × ${names.length}` : what;
      row({ kind: "missing", name: names.join(", "), label, parent: group, scene: index, note: reason });
    }
    group.isFolded = scene.missing.length > FEW_MISSING;
    group.node.ariaExpanded = String(!group.isFolded);
  }

  function fill(scene, index) {
    const file = row({ kind: "scene", name: scene.model, label: scene.isWorld ? `world ${scene.model}` : scene.model, scene: index });
    file.node.querySelector(".label").title = scene.file;
    addMissing(scene, index, file);
    const totals = new Map(scene.totals.map((total) => [total.name, total]));
    const known = new Map();
    const addModels = (names) => {
      let parent = file;
      for (let depth = 1; depth < names.length; depth++) {
        const name = names.slice(0, depth).join("::");
        if (!known.has(name)) {
          // A root model is the scene itself.
          const isScene = !scene.isWorld && depth === 1;
          const entry = isScene ? file : row({ kind: "model", name, label: names[depth - 1], parent, scene: index });
          known.set(name, entry);
          if (isScene) entry.name = name;
          const total = totals.get(name);
          if (total) {
            const line = numbers(total);
            entry.node.append(line);
            totalLines.set(total, line);
          }
        }
        parent = known.get(name);
      }
      return parent;
    };
    const joints = new Map();
    for (const joint of scene.joints) {
      const model = joint.name.split("::").slice(0, -1).join("::");
      joints.set(model, [...(joints.get(model) ?? []), joint]);
    }
    const finish = (model) => {
      const own = joints.get(model) ?? [];
      joints.delete(model);
      if (!own.length) return;
      const parent = known.get(model) ?? file;
      const group = row({ kind: "group", name: `${model} joints`, label: counted(own.length, "joint"), parent, scene: index });
      for (const joint of own) {
        const note = `${joint.kind}: ${joint.parent} → ${joint.child}`;
        row({ kind: "joint", name: joint.name, label: joint.name.split("::").at(-1), parent: group, scene: index, target: joint, note });
      }
      foldTo(group, own.length > FEW_JOINTS);
    };
    let model = null;
    for (const link of scene.links) {
      const names = link.name.split("::");
      const own = names.slice(0, -1).join("::");
      if (model !== null && own !== model) finish(model);
      model = own;
      row({ kind: "link", name: link.name, label: names.at(-1), parent: addModels(names), scene: index, target: link, level: link.level });
    }
    for (const each of [...joints.keys()]) finish(each);
    // Many models are told by their names alone, but for those with findings.
    const models = [...known.values()].filter(({ kind, depth }) => kind === "model" && depth === 1);
    if (models.length > FEW_MODELS) for (const each of models) each.isFolded = !hasFindings(each);
  }

  const hasFindings = (model) => nodes.some(({ kind, name, target }) => kind === "link" && target.level && name.startsWith(`${model.name}::`));

  let wanted = "";
  data.scenes.forEach(fill);
  for (const { node, isFolded } of nodes) if (node.ariaExpanded) node.ariaExpanded = String(!isFolded);
  showUnfolded();

  search.addEventListener("input", () => {
    wanted = search.value.trim().toLowerCase();
    showUnfolded();
    actions.filter(wanted);
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      const first = nodes.find((entry) => entry.kind === "link" && !entry.node.hidden);
      if (first) actions.pickNode(first);
    } else if (event.key === "Escape") {
      search.value = "";
      search.dispatchEvent(new Event("input"));
      search.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    nodes,
    // Other masses and centres of the same models, scene by scene.
    updateTotals(scenes) {
      scenes.forEach((totals, index) => {
        for (const { name, mass, com } of totals) {
          const known = data.scenes[index].totals.find((total) => total.name === name);
          if (!known) continue;
          Object.assign(known, { mass, com });
          known.marker?.position.set(...com);
          const line = numbers(known);
          totalLines.get(known)?.replaceWith(line);
          totalLines.set(known, line);
        }
      });
    },
    // How grave the findings of each link are by now.
    updateLevels() {
      for (const { node, kind, target } of nodes) {
        if (kind !== "link") continue;
        for (const level of ["error", "warning"]) node.classList.toggle(level, target.level === level);
      }
    },
    mark(picked, isHidden) {
      for (const { node, kind, name, target, scene, parent } of nodes) {
        const isPicked = picked !== null && target === picked;
        node.classList.toggle("picked", isPicked);
        node.ariaSelected = String(isPicked);
        if (kind === "link") node.classList.toggle("hidden", isHidden(target));
        else if (kind === "model") {
          const links = data.scenes[scene].links.filter((link) => link.name.startsWith(`${name}::`));
          node.classList.toggle("hidden", links.length > 0 && links.every(isHidden));
        }
        if (!isPicked) continue;
        for (let each = parent; each; each = each.parent) foldTo(each, false);
        showWithin(node);
      }
    },
  };
}
