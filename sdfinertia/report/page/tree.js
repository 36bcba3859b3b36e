// The tree of models, links and joints: to pick, to search, to hide, and to show alone.

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
      line.append(part, k < 2 ? ", " : " ");
    });
    const length = element("span", "unit");
    length.dataset.d = "length";
    line.append(length);
    return line;
  }

  // A row of the tree.
  function row({ kind, name, label, depth, scene, target = null, level = "", note = "" }) {
    const node = element("div", `node ${kind} ${level}`.trim());
    node.style.setProperty("--depth", depth);
    node.tabIndex = 0;
    node.dataset.name = name;
    const title = element("span", "label", label);
    title.title = note ? `${name}: ${note}` : name;
    node.append(title);
    if (kind === "missing") node.append(element("span", "reason", note));
    const entry = { node, kind, name, scene, target };
    if (kind === "model" || kind === "link") {
      const hide = element("button", "eye", "hide");
      hide.type = "button";
      hide.setAttribute("aria-label", `Hide ${name}`);
      const alone = element("button", "alone", "only");
      alone.type = "button";
      alone.setAttribute("aria-label", `Show only ${name}`);
      hide.addEventListener("click", (event) => (event.stopPropagation(), actions.hide(entry)));
      alone.addEventListener("click", (event) => (event.stopPropagation(), actions.isolate(entry)));
      node.append(alone, hide);
    }
    node.addEventListener("click", () => actions.pickNode(entry));
    node.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (event.key === "Enter" || event.key === " ") actions.pickNode(entry);
      else if (step) neighbour(node, step)?.focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    list.append(node);
    nodes.push(entry);
    return entry;
  }

  function neighbour(node, step) {
    const seen = nodes.map((entry) => entry.node).filter((each) => !each.hidden);
    return seen[seen.indexOf(node) + step];
  }

  function fill(scene, index) {
    const file = row({ kind: "scene", name: scene.model, label: scene.isWorld ? `world ${scene.model}` : scene.model, depth: 0, scene: index, note: "" });
    file.node.querySelector(".label").title = scene.file;
    const depthOf = (names) => names.length - (scene.isWorld ? 0 : 1) || 1;
    for (const { name, reason } of scene.missing) {
      const names = name.split("::");
      row({ kind: "missing", name, label: names.at(-1) || "include", depth: depthOf(names), scene: index, level: "error", note: reason });
    }
    const totals = new Map(scene.totals.map((total) => [total.name, total]));
    const known = new Set();
    const addModels = (names) => {
      for (let depth = 1; depth < names.length; depth++) {
        const name = names.slice(0, depth).join("::");
        if (known.has(name)) continue;
        known.add(name);
        // A root model is the scene itself.
        const isScene = !scene.isWorld && depth === 1;
        const entry = isScene ? file : row({ kind: "model", name, label: names[depth - 1], depth, scene: index });
        if (isScene) entry.name = name;
        const total = totals.get(name);
        if (total) {
          const line = numbers(total);
          entry.node.append(line);
          totalLines.set(total, line);
        }
      }
    };
    const joints = new Map();
    for (const joint of scene.joints) {
      const model = joint.name.split("::").slice(0, -1).join("::");
      joints.set(model, [...(joints.get(model) ?? []), joint]);
    }
    const finish = (model) => {
      for (const joint of joints.get(model) ?? []) {
        const names = joint.name.split("::");
        const note = `${joint.kind}: ${joint.parent} → ${joint.child}`;
        row({ kind: "joint", name: joint.name, label: names.at(-1), depth: depthOf(names), scene: index, target: joint, note });
      }
      joints.delete(model);
    };
    let model = null;
    for (const link of scene.links) {
      const names = link.name.split("::");
      const own = names.slice(0, -1).join("::");
      if (model !== null && own !== model) finish(model);
      model = own;
      addModels(names);
      row({ kind: "link", name: link.name, label: names.at(-1), depth: depthOf(names), scene: index, target: link, level: link.level });
    }
    for (const each of [...joints.keys()]) finish(each);
  }

  data.scenes.forEach(fill);

  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    for (const { node, name } of nodes) node.hidden = Boolean(wanted) && !name.toLowerCase().includes(wanted);
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
      for (const { node, kind, name, target, scene } of nodes) {
        const isPicked = picked !== null && target === picked;
        node.classList.toggle("picked", isPicked);
        const links = kind === "link" ? [target] : data.scenes[scene].links.filter((link) => link.name.startsWith(`${name}::`));
        node.classList.toggle("hidden", (kind === "link" || kind === "model") && links.length > 0 && links.every(isHidden));
        if (isPicked) node.scrollIntoView({ block: "nearest" });
      }
    },
  };
}
