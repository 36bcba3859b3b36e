// Changing the document: what is meant goes to the server, which answers with numbers, rows and the difference. Nothing
// is worked out here but where a handle is while it is dragged.

const HANDLE_PIXELS = 34; // length of an arrow on a face
const GRAB_PIXELS = 11; // how near to its tip it is grabbed
const MODES = [["faces", "Faces"], ["centre", "Centre"], ["turn", "Axes"], ["shape", "Shape"]];
const FEW_LINKS = 3; // that are named
const POSITIVE = /^edit-(mass|density|size|shape-.*)(-\d)?$/; // fields whose numbers are above zero
const DEGREES = 180 / Math.PI;

function startEditing(TransformControls) {
  const { THREE, links, view, drawing, data } = page;
  const [stage, canvas, editor, told] = ["stage", "canvas", "editor", "told"].map(byId);
  const overlay = { group: new THREE.Group(), arrows: [], numbers: null, link: null, frame: null };
  const pink = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, toneMapped: false });
  const outline = new THREE.LineBasicMaterial({ transparent: true });
  const skin = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.16, depthWrite: false });
  const gizmo = new TransformControls(view.camera, canvas);
  let state = null;
  let mode = "faces";
  let shapeName = null;
  let drag = null;
  let isAsking = false;
  let isEditorKept = false;
  let saved = null; // what Save wrote last, until something is changed

  // Asking ------------------------------------------------------------------------------------------------------------

  async function post(name, question = {}) {
    const answer = await fetch(`./${name}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ version: state?.version, ...question }),
    });
    return [answer.ok, await answer.json()];
  }

  async function ask(name, question) {
    let ok, answer;
    try {
      [ok, answer] = await post(name, question);
    } catch {
      return tell("The server has ended.", "error");
    }
    if (answer.state) apply(answer.state);
    if (!ok) {
      tell([answer.error, answer.remedy].filter(Boolean).join("; "), "error");
      showPicked();
      return;
    }
    saved = answer.saved ?? (answer.isChanged ? null : saved);
    apply(answer);
    const impossible = state.unphysical.map((each) => `physically impossible, Save will ask: ${each}`);
    const notes = [...(answer.notes ?? []), ...impossible];
    if (answer.saved) {
      const { path, changes, links: changed } = answer.saved;
      const what = changed.length && changed.length <= FEW_LINKS ? ` (${changed.join(", ")})` : "";
      tell([`Saved ${changes} ${changes === 1 ? "change" : "changes"}${what} to ${path}.`, ...notes].join(" "), "done");
      if (answer.saved.diff) told.append(element("a", { href: "#diff" }, "Show the diff"));
    } else tell(notes.join("; "), impossible.length > 0 && "error");
    if (answer.unmanaged) {
      tell(`${answer.unmanaged} now has numbers by hand: check no longer watches whether they fit its shapes.`);
      told.append(button("compute-instead", "Compute it from its shapes instead", () => ask("change", { change: "Compute", values: { link: answer.unmanaged } })));
    }
  }

  // What is physically impossible is written where it is meant.
  function save() {
    const { unphysical } = state;
    if (!unphysical.length) return ask("save");
    const isMeant = confirm(`Physically impossible:\n\n${unphysical.join("\n")}\n\nSave anyway?`);
    if (isMeant) ask("save", { unphysical: true });
    else tell("Nothing was written.");
  }

  const change = (kind, values) => ask("change", { change: kind, values: { link: overlay.numbers.name, ...values } });

  // Says what came of it; `kind` is "error", or "done" of what was written.
  function tell(text, kind = "") {
    told.textContent = text;
    told.className = kind || "";
  }

  // What the answer says is shown everywhere.
  function apply(answer) {
    view.atOnce(() => applyNow(answer));
  }

  function applyNow(answer) {
    if (!showAnswer(answer)) return;
    state = { ...state, ...answer, links: { ...state?.links, ...answer.links } };
    byId("undo").disabled = !state.canUndo;
    byId("redo").disabled = !state.canRedo;
    byId("save").disabled = !state.isChanged;
    byId("save").textContent = state.isChanged ? `Save (${state.changes})` : "Save";
    const lines = document.createElement("template");
    const diff = state.diff || saved?.diff || "";
    lines.innerHTML = diff;
    byId("diff-lines").replaceChildren(lines.content);
    byId("diff").firstElementChild.textContent = state.diff ? "What Save would write" : "What Save wrote";
    byId("diff").hidden = !diff;
    byId("save").classList.toggle("error", state.unphysical.length > 0);
    showDisk();
    // What was picked before the answer came stays so.
    page.pick(page.view.picked ?? null, { scroll: false });
  }

  function showDisk() {
    byId("on-disk")?.remove();
    if (state.onDisk === "same") return;
    const bar = element("span", { id: "on-disk", className: "error" }, { gone: "The file is gone. " }[state.onDisk] ?? "The file changed on disk. ");
    if (state.onDisk !== "gone") bar.append(button("reload", "Reload", () => ask("reload")));
    byId("toolbar").append(bar);
  }

  // The fields --------------------------------------------------------------------------------------------------------

  function element(tag, properties = {}, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }

  const button = (id, text, action) => {
    const made = element("button", { type: "button", id }, text);
    made.addEventListener("click", action);
    return made;
  };

  function field(id, value, send) {
    const input = element("input", { type: "number", step: "any", id });
    fillField(input, value);
    input.addEventListener("change", () => {
      if (input.value === "") return fillField(input, value);
      if (!POSITIVE.test(id) || Number(input.value) > 0) return send(Number(input.value));
      // What cannot be is refused where it is typed, and not asked for.
      input.setCustomValidity("must be above 0");
      input.parentElement.querySelector(".error")?.remove();
      input.parentElement.append(element("span", { className: "error", role: "alert" }, input.validationMessage));
    });
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      fillField(input, value);
      input.blur();
    });
    return input;
  }

  // As many digits as can be read; what is not typed is sent as it was.
  function fillField(input, value) {
    input.value = String(Number(value.toPrecision(12)));
    input.title = String(value);
    input.setCustomValidity("");
    input.parentElement?.querySelector(".error")?.remove();
  }

  // What is rounding beside the scale is shown as zero.
  const rounded = (value, scale) => (Math.abs(value) <= 1e-9 * scale ? 0 : value);
  const scaleOf = (given) => Math.max(...given.map(Math.abs));

  // A line of numbers of which each can be changed; `send` is given all of them.
  function line(label, id, given, send, scale = scaleOf(given)) {
    const fields = given.map((value, k) => {
      const made = field(
        given.length > 1 ? `${id}-${k}` : id,
        rounded(value, scale),
        (typed) => send(given.map((each, n) => (n === k ? typed : each)), k),
      );
      made.setAttribute("aria-label", given.length > 1 ? `${label}, ${k + 1} of ${given.length}` : label);
      return made;
    });
    return element("div", { className: "line fields" }, element("label", { htmlFor: fields[0].id }, label), ...fields);
  }

  const isOn = (id) => Boolean(byId(id)?.checked);

  function check(id, label, isChecked) {
    const input = element("input", { type: "checkbox", id, checked: isChecked });
    return element("label", { className: "check" }, input, ` ${label}`);
  }

  const switches = { "edit-linked": true, "edit-alone": false, "edit-density-stays": false };

  function choice(id, label, entries, value, send) {
    const select = element("select", { id }, ...entries.map(([name, text]) => element("option", { value: name }, text)));
    select.setAttribute("aria-label", label);
    if (value) select.value = value;
    select.addEventListener("change", () => send?.(select.value));
    return select;
  }

  function showEditor() {
    for (const id of Object.keys(switches)) if (byId(id)) switches[id] = isOn(id);
    const numbers = overlay.numbers;
    if (!numbers) {
      const why = overlay.link ? "This link is in another file, which is not changed here." : "Pick a link to change it.";
      editor.replaceChildren(element("p", {}, why));
      return;
    }
    const parts = [element("h2", {}, numbers.name)];
    if (numbers.problem) parts.push(element("p", { className: "error" }, numbers.problem));
    else {
      if (numbers.unphysical) parts.push(element("p", { className: "error", id: "edit-unphysical" }, `Physically impossible: ${numbers.unphysical}`));
      parts.push(...numberLines(numbers));
    }
    for (const { name, kind, dimensions } of numbers.shapes) {
      // Names are long, and best broken between their words.
      parts.push(line(`${kind} ${name.replaceAll("_", "_\u200b")}, m`, `edit-shape-${name}`, dimensions, (typed) => change("ResizeShape", { collision: name, dimensions: typed })));
    }
    parts.push(element("div", { className: "line" }, button("edit-compute", "Compute from shapes", () => change("Compute", {})), button("edit-policies", "Open meshes …", showPolicies)));
    const others = links.filter((link) => state.links[link.id]?.numbers?.mass && link !== overlay.link).map((link) => state.links[link.id].numbers.name);
    if (others.length) {
      // The twin first, and in its mirror.
      const twin = others.includes(numbers.twin?.name) ? numbers.twin : null;
      const named = others.filter((name) => name !== twin?.name).map((name) => [name, name]);
      const entries = twin ? [[twin.name, `${twin.name} (twin)`], ...named] : named;
      const source = choice("edit-source", "Mirror from", entries);
      const axis = choice("edit-mirror-axis", "Across", [["x", "across x"], ["y", "across y"], ["z", "across z"]], twin?.axis ?? "y");
      parts.push(element("div", { className: "line" }, button("edit-mirror", "Mirror from", () => change("Mirror", { source: source.value, axis: axis.value })), source, axis));
    }
    editor.replaceChildren(...parts);
  }

  // What would be, while something is moved: the fields stay where they are.
  function showNumbers(numbers) {
    const sizes = sizesOf(numbers);
    const groups = {
      "edit-mass": [numbers.mass], "edit-density": numbers.density ? [numbers.density] : [], "edit-centre": numbers.centre,
      "edit-size": sizes ?? [], "edit-rpy": numbers.rpy?.map((angle) => angle * DEGREES), "edit-moments": numbers.moments,
      "edit-tensor": numbers.tensor?.slice(0, 3), "edit-products": numbers.tensor?.slice(3),
    };
    const scales = { "edit-rpy": 180, "edit-products": Math.max(...(numbers.tensor ?? [0])) };
    for (const { name, dimensions } of numbers.shapes) groups[`edit-shape-${name}`] = dimensions;
    for (const [id, given] of Object.entries(groups)) {
      (given ?? []).forEach((value, k) => {
        const input = byId(given.length > 1 ? `${id}-${k}` : id);
        if (input && value !== undefined) fillField(input, rounded(value, scales[id] ?? scaleOf(given)));
      });
    }
  }

  function sizesOf(numbers) {
    return byId("solid").value === "box" ? numbers.box : numbers.ellipsoid?.map((radius) => 2 * radius);
  }

  function numberLines(numbers) {
    const modes = MODES.filter(([name]) => name !== "shape" || numbers.shapes.length);
    const pickShape = choice("edit-shape", "Shape", numbers.shapes.map(({ name }) => [name, name]), shapeName, (name) => ((shapeName = name), showPicked()));
    pickShape.hidden = mode !== "shape";
    const linked = () => isOn("edit-linked");
    const solid = byId("solid").value;
    const sizes = sizesOf(numbers);
    const resize = (typed, k) => {
      const grown = typed[k] - sizes[k];
      dragFace({ axis: k, side: 1, distance: isOn("edit-alone") ? grown : grown / 2 });
    };
    return [
      element("div", { className: "line" }, element("label", { htmlFor: "edit-mode" }, "Handles"), choice("edit-mode", "Handles", modes, mode, setMode), pickShape),
      element("div", { className: "line" }, check("edit-linked", "tensor follows mass", switches["edit-linked"]), check("edit-alone", "one face alone", switches["edit-alone"]), check("edit-density-stays", "density stays", switches["edit-density-stays"])),
      line("mass, kg", "edit-mass", [numbers.mass], ([mass]) => change("SetMass", { mass, is_linked: linked() })),
      ...(numbers.density ? [line("density, kg/m³", "edit-density", [numbers.density], ([density]) => change("SetDensity", { density, is_linked: linked() }))] : []),
      line("centre, m", "edit-centre", numbers.centre, (centre) => change("MoveCentre", { centre })),
      ...(sizes ? [line(`${solid}, m`, "edit-size", sizes, resize)] : []),
      line("axes, rpy °", "edit-rpy", numbers.rpy.map((angle) => angle * DEGREES), (rpy) => change("TurnAxes", { rpy: rpy.map((angle) => angle / DEGREES) }), 180),
      line("moments, kg·m²", "edit-moments", numbers.moments, (moments) => change("SetMoments", { moments })),
      line("xx yy zz", "edit-tensor", numbers.tensor.slice(0, 3), (typed) => change("SetTensor", { tensor: [...typed, ...numbers.tensor.slice(3)] })),
      line("xy xz yz", "edit-products", numbers.tensor.slice(3), (typed) => change("SetTensor", { tensor: [...numbers.tensor.slice(0, 3), ...typed] }), Math.max(...numbers.tensor)),
    ];
  }

  async function showPolicies() {
    const { name: link, policies } = overlay.numbers;
    const rows = [];
    for (const policy of policies) {
      const [ok, answer] = await post("preview", { change: "Compute", values: { link, open_mesh: policy } });
      const result = ok ? `${shortNumber(answer.numbers.mass)} kg` : answer.error;
      rows.push(element("div", { className: "line" }, button(`policy-${policy}`, policy, () => change("Compute", { open_mesh: policy })), element("span", {}, result)));
    }
    byId("edit-policies").closest(".line").after(...rows);
  }

  // The solid that is changed, and its handles ------------------------------------------------------------------------

  function setMode(name) {
    mode = name;
    showPicked();
  }

  const dragFace = (values) => change("DragFace", {
    ...values, solid: byId("solid").value, is_alone: isOn("edit-alone"), keeps_density: isOn("edit-density-stays"),
  });

  // Half the sizes of what has faces now, along the axes of the overlay.
  function halves() {
    const { numbers } = overlay;
    if (mode !== "shape") return byId("solid").value === "box" ? numbers.box.map((size) => size / 2) : numbers.ellipsoid;
    const { kind, dimensions: d } = shape();
    switch (kind) {
      case "box": return d.map((size) => size / 2);
      case "ellipsoid": return d;
      case "sphere": return [d[0], d[0], d[0]];
      case "capsule": return [d[0], d[0], d[1] / 2 + d[0]];
      default: return [d[0], d[0], d[1] / 2];
    }
  }

  const shape = () => overlay.numbers.shapes.find(({ name }) => name === shapeName) ?? overlay.numbers.shapes[0];

  // The dimensions of the shape once a face has moved; its pose stays, so that the opposite face moves with it.
  function resized(axis, distance) {
    const { kind, dimensions } = shape();
    const made = [...dimensions];
    if (kind === "box") made[axis] += 2 * distance;
    else if (kind === "ellipsoid") made[axis] += distance;
    else if (kind === "sphere" || axis < 2) made[0] += distance;
    else made[1] += 2 * distance;
    return made;
  }

  function showPicked() {
    overlay.group.removeFromParent();
    gizmo.detach();
    overlay.arrows = [];
    const link = page.view.picked?.shapes ? page.view.picked : null;
    overlay.link = link;
    overlay.numbers = (link && state?.links[link.id]?.numbers) || null;
    if (!isEditorKept) showEditor();
    const { numbers } = overlay;
    if (!numbers?.centre || !link.frame) return view.draw();
    if (mode === "shape" && !numbers.shapes.length) mode = "faces";
    const group = (overlay.group = new THREE.Group());
    if (mode === "shape") {
      const drawn = link.shapes.find(({ name }) => name === shape().name);
      if (drawn) group.applyMatrix4(drawing.matrix(drawn.pose));
    } else {
      group.applyMatrix4(drawing.rotation(numbers.rotation));
      group.position.set(...numbers.centre);
    }
    link.frame.add(group);
    paint(!numbers.unphysical);
    const solids = numbers.unphysical ? numbers.outline : numbers;
    const hasSolid = mode === "shape" || solids?.box;
    if (hasSolid) {
      overlay.solid = mode === "shape" ? new THREE.Group() : drawing.equivalent(solids, { fill: skin, line: outline, cut: outline });
      overlay.solid.children.forEach((part) => (part.visible = part.name === byId("solid").value));
      group.add(overlay.solid);
    }
    if (mode === "shape" || (mode === "faces" && numbers.box)) addArrows(group);
    if (mode === "centre" || mode === "turn") {
      gizmo.setMode(mode === "centre" ? "translate" : "rotate");
      gizmo.setSpace("local");
      gizmo.attach(group);
      view.world.add(gizmo.getHelper());
    }
    view.draw();
  }

  // Pink as the inertia of Gazebo, and red where no body could have it.
  function paint(isSound) {
    const style = getComputedStyle(document.documentElement);
    const colour = style.getPropertyValue(isSound ? "--written" : "--error").trim();
    for (const material of [pink, outline, skin]) material.color.set(colour);
    editing.isSound = isSound;
  }

  function addArrows(group) {
    const tip = new THREE.ConeGeometry(0.16, 0.42, 16).translate(0, 0.79, 0);
    const stem = new THREE.CylinderGeometry(0.035, 0.035, 0.6, 8).translate(0, 0.3, 0);
    for (const axis of [0, 1, 2]) {
      for (const side of [1, -1]) {
        const arrow = new THREE.Group();
        const direction = new THREE.Vector3().setComponent(axis, side);
        arrow.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), direction);
        for (const geometry of [stem, tip]) {
          const part = new THREE.Mesh(geometry, pink);
          part.renderOrder = 30;
          arrow.add(part);
        }
        group.add(arrow);
        overlay.arrows.push({ arrow, axis, side, direction });
      }
    }
    placeArrows();
  }

  // Each arrow on its face, where that is now.
  function placeArrows() {
    const half = halves();
    for (const { arrow, axis, side } of overlay.arrows) {
      const moved = drag?.moved ?? 0;
      const isDragged = drag && axis === drag.axis && (side === drag.side || !drag.isAlone);
      arrow.position.set(0, 0, 0).setComponent(axis, side * (half[axis] + (isDragged ? moved : 0)));
    }
  }

  view.beforeRender = () => {
    for (const { arrow } of overlay.arrows) {
      arrow.scale.setScalar(view.unitsPerPixel(arrow.getWorldPosition(new THREE.Vector3())) * HANDLE_PIXELS);
    }
  };

  function tipOf({ arrow }) {
    return view.pixelOf(arrow.localToWorld(new THREE.Vector3(0, 0.79, 0)));
  }

  function arrowAt(x, y) {
    let best = null;
    for (const each of overlay.arrows) {
      const { x: tx, y: ty } = tipOf(each);
      const distance = Math.hypot(tx - x, ty - y);
      if (distance <= GRAB_PIXELS && (!best || distance < best.distance)) best = { ...each, distance };
    }
    return best;
  }

  // How far along an axis of the overlay the ray of a pixel comes nearest to it.
  function along(axis, x, y) {
    const { origin, direction } = view.rayAt(x, y).ray;
    const base = overlay.group.getWorldPosition(new THREE.Vector3());
    const line = new THREE.Vector3().setComponent(axis, 1).transformDirection(overlay.group.matrixWorld);
    const between = base.clone().sub(origin);
    const cosine = line.dot(direction);
    const across = 1 - cosine * cosine;
    return across < 1e-6 ? null : (cosine * direction.dot(between) - line.dot(between)) / across;
  }

  stage.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.target !== canvas) return;
    const grabbed = arrowAt(event.offsetX, event.offsetY);
    if (!grabbed) return;
    const start = along(grabbed.axis, event.offsetX, event.offsetY);
    if (start === null) return;
    // No turn of the view, and no pick.
    event.stopPropagation();
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    drag = { axis: grabbed.axis, side: grabbed.side, start, moved: 0, isAlone: mode === "faces" && isOn("edit-alone") };
  }, { capture: true });

  stage.addEventListener("pointermove", (event) => {
    if (!drag) return;
    event.stopPropagation();
    const now = along(drag.axis, event.offsetX, event.offsetY);
    if (now === null) return;
    drag.moved = (now - drag.start) * drag.side;
    drawDrag();
    preview(...meant());
  }, { capture: true });

  stage.addEventListener("pointerup", (event) => {
    if (!drag) return;
    event.stopPropagation();
    const done = drag.moved === 0 ? null : meant();
    drag = null;
    if (done) change(...done);
    else showPicked();
  }, { capture: true });

  // What the drag means, as a change.
  function meant() {
    const { axis, side, moved, isAlone } = drag;
    if (mode === "shape") return ["ResizeShape", { collision: shape().name, dimensions: resized(axis, moved) }];
    return ["DragFace", { axis, side, distance: moved, solid: byId("solid").value, is_alone: isAlone, keeps_density: isOn("edit-density-stays") }];
  }

  // The solid follows the pointer in every frame; the numbers come from the server.
  function drawDrag() {
    const half = halves()[drag.axis];
    if (mode === "faces") {
      const grown = Math.max((2 * half + drag.moved * (drag.isAlone ? 1 : 2)) / 2, 1e-9);
      for (const part of overlay.solid.children) part.scale.setComponent(drag.axis, part.name === "box" ? 2 * grown : grown);
      overlay.solid.position.set(0, 0, 0).setComponent(drag.axis, drag.isAlone ? (drag.side * drag.moved) / 2 : 0);
    }
    placeArrows();
    view.draw();
  }

  // Asks what a change would give while it is still moved: one question at a time, the last one always.
  let waiting = null;
  async function preview(kind, values) {
    waiting = [kind, values];
    if (isAsking) return;
    isAsking = true;
    while (waiting && (drag || gizmo.dragging)) {
      const [name, asked] = waiting;
      waiting = null;
      try {
        const [ok, answer] = await post("preview", { change: name, values: { link: overlay.numbers.name, ...asked } });
        // What comes too late is of a drag that is over.
        if (!drag && !gizmo.dragging) continue;
        const isSound = ok && !answer.unphysical;
        paint(isSound);
        if (ok) showNumbers(answer.numbers);
        const said = ok ? [answer.unphysical && `physically impossible: ${answer.unphysical}`, ...answer.findings] : [answer.error, answer.remedy];
        tell(said.filter(Boolean).join("; "), !isSound && "error");
        view.draw();
      } catch {
        tell("The server has ended.", "error");
      }
    }
    isAsking = false;
  }

  // The centre and the axes, by the handles of three.js --------------------------------------------------------------

  gizmo.addEventListener("dragging-changed", ({ value }) => {
    view.controls.enabled = !value;
    editing.isDragging = value;
    if (value) return;
    const [name, values] = turned();
    change(name, values);
  });
  gizmo.addEventListener("objectChange", () => preview(...turned()));
  gizmo.addEventListener("change", () => view.draw());
  page.ownsClick = () => Boolean(drag) || gizmo.axis !== null && gizmo.object !== undefined;

  function turned() {
    const { position, quaternion } = overlay.group;
    if (mode === "centre") return ["MoveCentre", { centre: position.toArray() }];
    // Rz Ry Rx, as SDF turns.
    const { x, y, z } = new THREE.Euler().setFromQuaternion(quaternion, "ZYX");
    return ["TurnAxes", { rpy: [x, y, z] }];
  }

  // Buttons and keys --------------------------------------------------------------------------------------------------

  const actions = { undo: () => ask("undo"), redo: () => ask("redo"), save };
  for (const [name, action] of Object.entries(actions)) byId(name).addEventListener("click", action);
  byId("compute-all").addEventListener("click", () => ask("change", { change: "Compute", values: {} }));
  byId("close").addEventListener("click", async () => {
    if (state.isChanged && !confirm("There are unsaved changes. Close anyway?")) return;
    await post("close");
    state.isChanged = false;
    tell("The server has ended.");
  });
  byId("solid").addEventListener("change", showPicked);
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey)) return;
    const name = { z: event.shiftKey ? "redo" : "undo", Z: "redo", y: "redo", s: "save" }[event.key];
    if (!name) return;
    event.preventDefault();
    if (!byId(name).disabled) actions[name]();
  });
  window.addEventListener("beforeunload", (event) => state?.isChanged && event.preventDefault());

  async function look() {
    const status = await answerOf("status");
    if (!state || drag || gizmo.dragging) return;
    if (status.version !== state.version) apply(await answerOf("state"));
    else if (status.isChecked !== state.isChecked) {
      // What is being typed stays.
      const answer = await answerOf("state");
      isEditorKept = true;
      apply(answer);
      isEditorKept = false;
    } else if (status.onDisk !== state.onDisk) {
      state.onDisk = status.onDisk;
      showDisk();
    }
  }

  async function watch() {
    await look().catch((error) => {
      tell("The server has ended.", "error");
      console.warn(error);
    });
    setTimeout(watch, BETWEEN_QUESTIONS);
  }

  const editing = {
    isSound: true,
    isDragging: false,
    state: () => state,
    mode: () => mode,
    // The pixel of the tip of the arrow on a face.
    handle(axis, side) {
      const { x, y } = tipOf(overlay.arrows.find((each) => each.axis === axis && each.side === side));
      return { x, y };
    },
    // The pixel of the centre of the solid that is changed, and of a point beside it along an axis.
    pixel(offset) {
      const { x, y } = view.pixelOf(overlay.group.localToWorld(new THREE.Vector3(...offset)));
      return { x, y };
    },
    gizmoSize: () => view.unitsPerPixel(overlay.group.getWorldPosition(new THREE.Vector3())),
  };
  page.onPick = showPicked;
  window.sdfinertia.editing = editing;
  answerOf("state").then((answer) => {
    apply(answer);
    editing.isReady = true;
    watch();
  });
}

if (window.sdfinertia) startEditing(await handles(page.threeAddress));
