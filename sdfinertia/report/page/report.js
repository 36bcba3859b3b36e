// How the parts play together: what is picked, hidden and shown, by mouse and by keyboard.

const LEAST_SEEN = 0.15; // of the radius of all: what is picked is seen with some of the rest
const MOST_SOLIDS = 60; // of links with findings; of more, only what is picked has some
const BETWEEN_ARRIVALS = 1000; // ms from one look at what has come to the next

async function libraries() {
  const module = (source) => URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const core = module(textOf("three.core.min.js"));
  const three = module(textOf("three.module.min.js").replaceAll('"./three.core.min.js"', `"${core}"`));
  const controls = module(textOf("OrbitControls.js").replace("from 'three';", `from "${three}";`));
  page.threeAddress = three;
  return [await import(three), (await import(controls)).OrbitControls];
}

async function handles(three) {
  const module = (source) => URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  return (await import(module(textOf("TransformControls.js").replace("from 'three';", `from "${three}";`)))).TransformControls;
}

function start(THREE, OrbitControls) {
  const data = textOf("data");
  const links = data.scenes.flatMap((scene, index) => scene.links.map((link) => Object.assign(link, { scene: index })));
  data.scenes.forEach((scene, index) => scene.joints.forEach((joint) => (joint.scene = index)));
  const [stage, canvas, chooser, solid] = ["stage", "canvas", "scene", "solid"].map(byId);
  const hidden = new Set();
  const drawing = makeDrawing(THREE, data);
  const view = makeView(THREE, OrbitControls, stage, canvas);
  const scenes = data.scenes.map(() => null);
  let current = 0;
  let picked = null;
  let before = null; // where the camera was when nothing was picked

  const isHidden = (link) => hidden.has(link);
  const actions = {
    pick,
    picked: () => picked,
    pickNode(entry) {
      if (entry.scene !== current) show(entry.scene);
      if (entry.kind === "link" || entry.kind === "joint") return pick(entry.target === picked ? null : entry.target);
      pick(null);
      if (entry.kind === "model") fitLinks(linksOf(entry));
    },
    hide(entry) {
      const chosen = linksOf(entry);
      const hides = !chosen.every(isHidden);
      chosen.forEach((link) => (hides ? hidden.add(link) : hidden.delete(link)));
      applyToggles();
    },
    isolate: (entry) => isolate(linksOf(entry)),
    filter: (wanted) => table.filter(wanted),
    hueOf: (link) => drawing.hueOf(link, data.scenes[link.scene].links.indexOf(link)),
  };
  const table = makeTable(links, actions);
  const tree = makeTree(data, actions);

  function linksOf(entry) {
    if (entry.kind === "link") return [entry.target];
    return data.scenes[entry.scene].links.filter((link) => entry.kind === "scene" || link.name.startsWith(`${entry.name}::`));
  }

  function show(index) {
    view.atOnce(() => showNow(index));
  }

  function showNow(index) {
    // Of one that was drawn before, more meshes may have come.
    scenes[index] = scenes[index] ? drawing.measure(scenes[index]) : drawing.build(data.scenes[index]);
    current = index;
    before = null;
    view.show(scenes[index]);
    for (const link of view.current.links) drawing.shade(link, "");
    if (chooser) chooser.value = String(index);
    view.fit();
    applyToggles();
  }

  const isBeside = (link, kind) => isOn("besides") && link.besides?.some(({ label }) => label === kind);

  // What the colours and lines mean of which something is seen, each with a word and a sign of its own.
  const LEGEND = [
    ["error", "error", (link) => link.level === "error"],
    ["warning", "warning", (link) => link.level === "warning"],
    ["written", "— as written", (link) => (link.box && !link.isComputed) || (isOn("ghost") && link.ghost?.box)],
    ["computed", "┅ computed", (link) => (link.box && link.isComputed) || isBeside(link, COMPUTED)],
    ["proposed", "— proposed", (link) => isBeside(link, PROPOSED)],
  ];

  function showLegend() {
    const seen = view.current.links.filter((link) => link.frame.visible);
    const solids = seen.filter((link) => link.parts.box?.visible || link.parts.besides?.visible);
    const entries = LEGEND.filter(([kind, , is]) => (kind === "error" || kind === "warning" ? seen : solids).some(is));
    const isFilled = solids.some((link) => link.ghost && link.status === "filled now");
    byId("legend").replaceChildren(...entries.map(([kind, text]) => Object.assign(document.createElement("span"), {
      className: `key ${kind}`, textContent: kind === "written" && isFilled ? "— before" : text,
    })));
  }

  function hint() {
    const { total, arrived, problems, isCoarser } = drawing.surfaces;
    const { missing, links: all } = view.current.scene;
    const undrawn = all.reduce((sum, link) => sum + link.undrawn, 0);
    const cut = view.current.links.filter((link) => link.parts.box?.visible && cutOf(link).length).length;
    const said = [
      `grid ${lengthText(view.current.step)}`,
      arrived < total && `${total - arrived} of ${total} meshes to come`,
      (data.isCoarser || isCoarser) && "large meshes drawn coarser than they are",
      view.current.isOpened && "rooms cut open",
      cut && `${cut} ${cut === 1 ? "solid is" : "solids are"} over ${LARGEST_SOLID} times the link and cut off (dotted)`,
      isCrowded() && !isOn("every") && "axes and solids of what is picked only (y for all)",
      undrawn && `${undrawn} ${undrawn === 1 ? "shape is" : "shapes are"} not drawn, see the notes`,
      problems.length && `not drawn: ${problems.join("; ")}`,
    ];
    byId("hint").textContent = said.filter(Boolean).join(" · ");
    showLegend();
    const why = missing.length ? "no included model was found" : undrawn ? "no mesh was found" : "no link has shapes";
    byId("empty").hidden = all.some(({ shapes, visuals }) => shapes.length || visuals.length);
    byId("empty").textContent = `Nothing to draw: ${why}. The notes below the table say more.`;
  }

  // Meshes that come later are seen as they come; the view follows them until it is moved by hand.
  let isMoved = false;
  let due = null;
  for (const kind of ["pointerdown", "wheel"]) stage.addEventListener(kind, () => (isMoved = true), { capture: true });
  drawing.surfaces.onArrival = () => {
    const { total, arrived } = drawing.surfaces;
    if (arrived < total) due ??= setTimeout(showArrived, BETWEEN_ARRIVALS);
    else showArrived();
  };

  function showArrived() {
    clearTimeout(due);
    due = null;
    drawing.measure(view.current);
    hint();
    if (isMoved) view.draw();
    else fit();
  }

  function isolate(chosen) {
    for (const link of data.scenes[current].links) chosen.includes(link) ? hidden.delete(link) : hidden.add(link);
    applyToggles();
    fitLinks(chosen);
  }

  // Sees links whole, with some of what is round them.
  function fitLinks(chosen) {
    const box = new THREE.Box3();
    for (const link of chosen) if (link.parts) box.union(drawing.boxWithSolids(link));
    if (box.isEmpty()) return view.fit();
    const size = box.getSize(new THREE.Vector3());
    const least = LEAST_SEEN * view.current.sphere.radius;
    box.expandByVector(size.clone().multiplyScalar(0.25).addScalar(Math.max(0, least - size.length()) / 2));
    view.fit(drawing.cornersOf(box));
  }

  function fit() {
    picked?.shapes ? fitLinks([picked]) : view.fit();
  }

  function pick(target, options) {
    view.atOnce(() => pickNow(target, options));
  }

  // Zooms to what is picked, the rest being faint; back to the view before when nothing is.
  function pickNow(target, { scroll = true, zooms = target !== picked } = {}) {
    if (target && target.scene !== current) show(target.scene);
    if (target && !before) before = view.place();
    picked = view.picked = target;
    const link = target && target.shapes ? target : null;
    for (const other of view.current.links) drawing.shade(other, link ? (other === link ? "picked" : "faint") : "");
    applyToggles();
    page.onPick?.(link);
    if (zooms && link) fitLinks([link]);
    if (!target && before) {
      if (zooms) view.goTo(before);
      before = null;
    }
    table.mark(link, { scroll });
    showName();
  }

  // The name of what is picked, and the true sizes of what is cut off of it.
  function showName() {
    const line = (text) => Object.assign(document.createElement("div"), { textContent: text });
    const lines = picked ? [line(nameOf(picked))] : [];
    for (const { label, box } of picked?.shapes ? cutOf(picked) : []) {
      lines.push(line(`box ${label}: ${box.map((size) => lengthText(size)).join(" × ")}, cut off at ${LARGEST_SOLID} times the link`));
    }
    byId("picked-name").replaceChildren(...lines);
  }

  function nameOf(target) {
    return target.shapes ? target.name : `${target.name} (${target.kind}: ${target.parent} → ${target.child})`;
  }

  const isCrowded = () => view.current.links.filter(({ level }) => level).length > MOST_SOLIDS;
  const OF_TOLD = new Set(["axes", "box", "ghost", "besides"]);
  const isOn = (kind) => byId(`toggle-${kind}`).checked;

  function applyToggles() {
    const showsReported = !picked?.shapes && !isCrowded();
    for (const link of view.current.links) {
      link.frame.visible = !hidden.has(link);
      if (isOn("collisions") && !link.parts.collisions) drawing.collisions(link);
      // Axes and solids are of what is picked; else of what has findings.
      const isFaint = Boolean(picked?.shapes) && link !== picked;
      const isTold = isOn("every") || link === picked || (showsReported && Boolean(link.level));
      for (const kind of KINDS) {
        if (link.parts[kind]) link.parts[kind].visible = isOn(kind) && (isTold || !(OF_TOLD.has(kind) || (isFaint && kind === "com")));
      }
      showSolids(link, solid.value, link === picked || isOn("every"));
    }
    for (const joint of view.current.scene.joints) if (joint.frame) joint.frame.visible = isOn("joints") || joint === picked;
    for (const total of view.current.scene.totals) total.marker.visible = isOn("totals");
    solid.disabled = !isOn("box");
    tree.mark(picked, isHidden);
    hint();
    view.draw();
  }

  function turnSwitch(id, choices) {
    const select = byId(id);
    select.value = choices[(choices.indexOf(select.value) + 1) % choices.length];
    select.dispatchEvent(new Event("change"));
  }

  function savePicture() {
    const link = document.createElement("a");
    link.href = page.picture = view.picture();
    link.download = `${data.scenes[current].model || "scene"}.png`;
    link.click();
  }

  function watchPointer() {
    let down = null;
    canvas.addEventListener("pointerdown", (event) => (down = { x: event.offsetX, y: event.offsetY }));
    canvas.addEventListener("pointerup", (event) => {
      // What moved was a turn of the view, not a click.
      if (down && event.button === 0 && Math.hypot(event.offsetX - down.x, event.offsetY - down.y) < 4) {
        if (!page.ownsClick?.()) pick(view.linkUnder(event.offsetX, event.offsetY));
      }
      down = null;
    });
  }

  const KEYS = {
    "+": () => view.zoom(1 / 1.2), "=": () => view.zoom(1 / 1.2), "-": () => view.zoom(1.2), "−": () => view.zoom(1.2),
    ArrowLeft: () => view.turn(-0.1, 0), ArrowRight: () => view.turn(0.1, 0),
    ArrowUp: () => view.turn(0, 0.1), ArrowDown: () => view.turn(0, -0.1),
    f: fit,
    n: () => table.nextFinding(), N: () => table.nextFinding(-1),
    h: () => picked?.shapes && actions.hide({ kind: "link", target: picked }),
    i: () => picked?.shapes && isolate([picked]),
    a: showAll,
    e: () => turnSwitch("solid", ["box", "ellipsoid"]),
    k: () => turnSwitch("unit-mass", ["kg", "g"]),
    l: () => turnSwitch("unit-length", ["m", "mm"]),
    p: savePicture,
    "/": () => byId("search").focus(),
    "?": () => {
      byId("keys").hidden = !byId("keys").hidden;
      if (!byId("keys").hidden) byId("keys").focus();
    },
    Escape: () => {
      byId("keys").hidden = true;
      byId("shown").open = false;
      pick(null);
    },
  };
  const TOGGLE_KEYS = { c: "collisions", v: "bodies", y: "every", m: "com", x: "axes", b: "box", g: "ghost", w: "besides", j: "joints", t: "totals" };

  function watchKeys() {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { target } = event;
      if (target.matches("input:not([type=checkbox]), textarea, select") && event.key !== "Escape") return;
      if (target.matches("select, input")) target.blur();
      const kind = TOGGLE_KEYS[event.key];
      const preset = "0123456".indexOf(event.key);
      if (kind) byId(`toggle-${kind}`).click();
      else if (preset >= 0 && event.key.length === 1) {
        byId("preset").selectedIndex = preset;
        byId("preset").dispatchEvent(new Event("change"));
      } else if (KEYS[event.key]) KEYS[event.key]();
      else return;
      event.preventDefault();
    });
  }

  function showAll() {
    hidden.clear();
    applyToggles();
    view.fit();
  }

  drawing.colours();
  showUnits();
  alignPoints();
  show(0);
  table.swatches();
  KINDS.forEach((kind) => byId(`toggle-${kind}`).addEventListener("change", applyToggles));
  solid.addEventListener("change", applyToggles);
  byId("toggle-every").addEventListener("change", applyToggles);
  byId("fit").addEventListener("click", fit);
  byId("all").addEventListener("click", showAll);
  byId("picture").addEventListener("click", savePicture);
  byId("help").addEventListener("click", () => KEYS["?"]());
  byId("preset").addEventListener("change", (event) => {
    view.direction = DIRECTIONS[event.target.value];
    fit();
  });
  for (const kind of ["mass", "length"]) {
    byId(`unit-${kind}`).addEventListener("change", (event) => {
      units[kind] = event.target.value;
      showUnits();
      alignPoints();
      hint();
      showName();
    });
  }
  chooser?.addEventListener("change", () => {
    pick(null);
    show(Number(chooser.value));
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    drawing.colours();
    drawing.recolour(links);
    table.swatches();
    view.draw();
  });
  // The help for the first visit; a browser that keeps nothing shows it each time.
  const storage = (action) => {
    try {
      return action(localStorage);
    } catch {
      return null;
    }
  };
  byId("help-line").hidden = Boolean(storage((kept) => kept.getItem("sdfinertia-help")));
  byId("help-done").addEventListener("click", () => {
    byId("help-line").hidden = true;
    storage((kept) => kept.setItem("sdfinertia-help", "done"));
  });
  // A canvas is blank on paper.
  const printed = Object.assign(document.createElement("img"), { id: "printed", alt: "The model", hidden: true });
  byId("view").append(printed);
  addEventListener("beforeprint", () => {
    printed.src = view.picture();
    printed.hidden = false;
  });
  addEventListener("afterprint", () => (printed.hidden = true));
  watchPointer();
  watchKeys();
  const header = document.querySelector("header");
  new ResizeObserver(() => document.documentElement.style.setProperty("--head", `${header.offsetHeight}px`)).observe(header);
  new ResizeObserver(view.resize).observe(stage);
  view.resize();
  view.fit();

  const named = (name) => view.current.links.find((link) => link.name === name) ?? links.find((link) => link.name === name);
  Object.assign(page, { THREE, data, links, view, drawing, table, tree, applyToggles, pick, show, scenes });
  return {
    // Pixels count from the upper left corner of the canvas.
    projectCom(name) {
      const { x, y } = view.comPixel(named(name));
      return { x, y };
    },
    linkAt: (x, y) => view.linkUnder(x, y)?.name ?? null,
    isVisible: (kind) => view.current.links.some((link) => link.parts[kind]?.visible),
    isShown: (name) => Boolean(named(name).frame?.visible),
    hueOf: (name) => `#${named(name).materials[0].color.getHexString()}`,
    opacityOf: (name) => named(name).materials[0].opacity,
    drawnScene: () => data.scenes[current].model,
    radius: () => view.current.sphere.radius,
    copied: () => page.copied,
    picture: () => page.picture,
    // Matrices column by column, as three.js has them.
    camera: () => ({
      view: view.camera.matrixWorldInverse.toArray(),
      projection: view.camera.projectionMatrix.toArray(),
      width: canvas.clientWidth,
      height: canvas.clientHeight,
    }),
  };
}

// What is clicked before the view is there is done once it is.
const early = [];
const keep = ({ target }) => target.closest("tr.link, tr.fold, .finding, .node") && !target.closest("summary, a") && early.push(target);
document.addEventListener("click", keep);
try {
  window.sdfinertia = start(...(await libraries()));
  document.removeEventListener("click", keep);
  for (const target of early) target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
} catch (error) {
  byId("trouble").textContent = `The view cannot be shown (${error.message}); the numbers are all in the table.`;
  byId("trouble").hidden = false;
}
