// How the parts play together: what is picked, hidden and shown, by mouse and by keyboard.

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
    view.show(scenes[index]);
    if (chooser) chooser.value = String(index);
    hint();
    view.fit();
    applyToggles();
  }

  function hint() {
    const step = lengthText(view.current.step);
    const ghost = view.current.links.find((link) => link.ghost);
    const ghosts = ghost ? ` · pink: as ${ghost.status === "filled now" ? "before" : "written"}` : "";
    const besides = view.current.links.some((link) => link.besides) ? " · green: proposed · orange: of the geometry" : "";
    const { total, arrived, problems, isCoarser } = drawing.surfaces;
    const coming = arrived < total ? ` · ${total - arrived} of ${total} meshes to come` : "";
    const lost = problems.length ? ` · not drawn: ${problems.join("; ")}` : "";
    const coarse = `${coming}${data.isCoarser || isCoarser ? " · large meshes drawn coarser than they are" : ""}${lost}`;
    byId("hint").textContent = `grid ${step}${ghosts}${besides}${coarse} · drag to turn, wheel or + − to zoom, right drag to move · ? for all keys`;
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
    else view.fit();
  }

  function isolate(chosen) {
    for (const link of data.scenes[current].links) chosen.includes(link) ? hidden.delete(link) : hidden.add(link);
    applyToggles();
    fitLinks(chosen);
  }

  function fitLinks(chosen) {
    const box = new THREE.Box3();
    for (const link of chosen) if (link.parts) box.union(drawing.boxOf(link));
    view.fit(box.isEmpty() ? undefined : drawing.cornersOf(box));
  }

  function pick(target, options) {
    view.atOnce(() => pickNow(target, options));
  }

  function pickNow(target, { scroll = true } = {}) {
    if (target && target.scene !== current) show(target.scene);
    picked = view.picked = target;
    const link = target && target.shapes ? target : null;
    for (const other of links) {
      if (!other.skin) continue;
      for (const material of [other.skin, other.facets, other.outline]) {
        material.color.set(other === link ? drawing.palette.accent : other.hue);
      }
      other.skin.opacity = other.facets.opacity = other === link ? 0.5 : link ? 0.2 : 0.34;
      other.outline.opacity = other === link ? 1 : link ? 0.35 : 0.55;
    }
    table.mark(link, { scroll });
    byId("picked-name").textContent = target ? nameOf(target) : "";
    applyToggles();
    page.onPick?.(link);
  }

  function nameOf(target) {
    return target.shapes ? target.name : `${target.name} (${target.kind}: ${target.parent} → ${target.child})`;
  }

  const isOn = (kind) => byId(`toggle-${kind}`).checked;

  function applyToggles() {
    for (const link of view.current.links) {
      link.frame.visible = !hidden.has(link);
      for (const kind of KINDS) if (link.parts[kind]) link.parts[kind].visible = isOn(kind);
      for (const solids of [link.parts.box, link.ghostSolids]) {
        solids?.children.forEach((part) => (part.visible = part.name === solid.value));
      }
    }
    for (const joint of view.current.scene.joints) if (joint.frame) joint.frame.visible = isOn("joints") || joint === picked;
    for (const total of view.current.scene.totals) total.marker.visible = isOn("totals");
    solid.disabled = !isOn("box");
    tree.mark(picked, isHidden);
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
    f: () => (picked?.shapes ? fitLinks([picked]) : view.fit()),
    n: () => table.nextFinding(),
    h: () => picked?.shapes && actions.hide({ kind: "link", target: picked }),
    i: () => picked?.shapes && isolate([picked]),
    a: showAll,
    e: () => turnSwitch("solid", ["box", "ellipsoid"]),
    k: () => turnSwitch("unit-mass", ["kg", "g"]),
    l: () => turnSwitch("unit-length", ["m", "mm"]),
    p: savePicture,
    "/": () => byId("search").focus(),
    "?": () => (byId("keys").hidden = !byId("keys").hidden),
    Escape: () => {
      byId("keys").hidden = true;
      byId("shown").open = false;
      pick(null);
    },
  };
  const TOGGLE_KEYS = { c: "collisions", v: "visuals", m: "com", x: "axes", b: "box", g: "ghost", w: "besides", j: "joints", t: "totals" };

  function watchKeys() {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { target } = event;
      if (target.matches("input[type=search], input[type=number], input[type=text], textarea, select")) return;
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
  show(0);
  table.swatches();
  KINDS.forEach((kind) => byId(`toggle-${kind}`).addEventListener("change", applyToggles));
  solid.addEventListener("change", applyToggles);
  byId("fit").addEventListener("click", () => view.fit());
  byId("all").addEventListener("click", showAll);
  byId("picture").addEventListener("click", savePicture);
  byId("help").addEventListener("click", () => KEYS["?"]());
  byId("preset").addEventListener("change", (event) => view.look(event.target.value));
  for (const kind of ["mass", "length"]) {
    byId(`unit-${kind}`).addEventListener("change", (event) => {
      units[kind] = event.target.value;
      showUnits();
      hint();
    });
  }
  chooser?.addEventListener("change", () => {
    pick(null);
    show(Number(chooser.value));
  });
  view.controls.addEventListener("change", view.draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    drawing.colours();
    pick(picked);
  });
  watchPointer();
  watchKeys();
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
    hueOf: (name) => `#${named(name).skin.color.getHexString()}`,
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

try {
  window.sdfinertia = start(...(await libraries()));
} catch (error) {
  byId("trouble").textContent = `The view cannot be shown (${error.message}); the numbers are all in the table.`;
  byId("trouble").hidden = false;
}
