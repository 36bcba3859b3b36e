// The view of a report: the collisions of each link, its centre of mass, principal axes and equivalent solid.
// The libraries stand in the page as JSON; they become modules here, so that the page needs no other file.

const text = (id) => JSON.parse(document.getElementById(id).textContent);
const module = (source) => URL.createObjectURL(new Blob([source], { type: "text/javascript" }));

// The last is there only where something explains what is wrong with a link.
const KINDS = ["collisions", "com", "axes", "box", "besides"].filter((kind) => document.getElementById(`toggle-${kind}`));
const MARKER_PIXELS = 5; // radius of the marker of a centre of mass
const AXIS_PIXELS = 1.1; // half the width of a principal axis
const PICK_PIXELS = 9; // how near to a marker a click picks it
const FIELD_OF_VIEW = 35; // degrees
const HUES = ["#5b7fa6", "#6a9a7b", "#a6855b", "#8a73ab", "#5a9aa0", "#a8707c", "#7f8a52", "#6c7785"];

async function libraries() {
  const core = module(text("three.core.min.js"));
  const three = module(text("three.module.min.js").replaceAll('"./three.core.min.js"', `"${core}"`));
  const controls = module(text("OrbitControls.js").replace("from 'three';", `from "${three}";`));
  return [await import(three), (await import(controls)).OrbitControls];
}

function bytes(base64) {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)).buffer;
}

function start(THREE, OrbitControls) {
  const data = text("data");
  const stage = document.getElementById("stage");
  const canvas = document.getElementById("canvas");
  const hint = document.getElementById("hint");
  const pickedName = document.getElementById("picked-name");
  const chooser = document.getElementById("scene");
  const solid = document.getElementById("solid");
  const rows = [...document.querySelectorAll("tr.link")];
  const links = data.scenes.flatMap((scene, index) => scene.links.map((link) => ({ ...link, scene: index })));

  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
  const camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  camera.up.set(0, 0, 1);
  const controls = new OrbitControls(camera, canvas);
  controls.zoomToCursor = true;
  const world = new THREE.Scene();
  const sun = new THREE.DirectionalLight("#ffffff", 1.9);
  world.add(new THREE.HemisphereLight("#ffffff", "#8a929c", 1.7), sun, sun.target);

  const geometries = data.surfaces.map(() => null);
  const unitSphere = new THREE.SphereGeometry(1, 32, 20);
  const unitBox = new THREE.BoxGeometry(1, 1, 1);
  const unitRod = new THREE.CylinderGeometry(1, 1, 1, 8);
  const palette = {};
  const scenes = data.scenes.map(() => null);
  let current = null;
  let picked = null;

  function matrix(rows12) {
    return new THREE.Matrix4().set(...rows12, 0, 0, 0, 1);
  }

  function surface(index) {
    if (!geometries[index]) {
      const { positions, indices, width } = data.surfaces[index];
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(bytes(positions)), 3));
      const numbers = width === "2" ? new Uint16Array(bytes(indices)) : new Uint32Array(bytes(indices));
      geometry.setIndex(new THREE.BufferAttribute(numbers, 1));
      geometries[index] = geometry;
    }
    return geometries[index];
  }

  // SDF turns its solids round z, three.js round y.
  function geometryOf({ kind, dimensions: d, surface: index }) {
    const upright = (geometry) => geometry.rotateX(Math.PI / 2);
    switch (kind) {
      case "box": return new THREE.BoxGeometry(...d);
      case "sphere": return new THREE.SphereGeometry(d[0], 48, 28);
      case "ellipsoid": return new THREE.SphereGeometry(1, 48, 28).scale(...d);
      case "cylinder": return upright(new THREE.CylinderGeometry(d[0], d[0], d[1], 48));
      case "cone": return upright(new THREE.ConeGeometry(d[0], d[1], 48));
      case "capsule": return upright(new THREE.CapsuleGeometry(d[0], d[1], 12, 48));
      default: return surface(index);
    }
  }

  function collisions(link, hue) {
    const group = new THREE.Group();
    link.skin = new THREE.MeshLambertMaterial({
      color: hue, transparent: true, opacity: 0.34, depthWrite: false, side: THREE.DoubleSide, flatShading: false,
    });
    link.facets = link.skin.clone();
    link.facets.flatShading = true;
    link.outline = new THREE.LineBasicMaterial({ color: hue, transparent: true, opacity: 0.55 });
    for (const shape of link.shapes) {
      const geometry = geometryOf(shape);
      const mesh = new THREE.Mesh(geometry, shape.kind === "mesh" ? link.facets : link.skin);
      const edges = new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 35), link.outline);
      for (const object of [mesh, edges]) {
        object.applyMatrix4(matrix(shape.pose));
        object.userData.link = link;
        group.add(object);
      }
      mesh.userData.isBody = true;
    }
    return group;
  }

  function marker() {
    const group = new THREE.Group();
    const draw = (material, size, order) => {
      const ball = new THREE.Mesh(unitSphere, material);
      ball.scale.setScalar(size);
      ball.renderOrder = order;
      group.add(ball);
    };
    draw(palette.rim, 1.35, 20);
    draw(palette.com, 1.0, 21);
    return group;
  }

  function axes(link) {
    const group = new THREE.Group();
    // A little longer than the box, so that each end is seen outside of it; a flat body has short axes too.
    const largest = Math.max(...link.box);
    const turns = [[0, 0, -Math.PI / 2], [0, 0, 0], [Math.PI / 2, 0, 0]]; // from the rod's own axis, y
    turns.forEach((turn, index) => {
      const rod = new THREE.Mesh(unitRod, palette.axes[index]);
      rod.rotation.set(...turn);
      rod.scale.y = link.box[index] + 0.3 * largest;
      rod.renderOrder = 10;
      group.add(rod);
    });
    return group;
  }

  function equivalent(link) {
    const group = new THREE.Group();
    const parts = {
      box: [new THREE.Mesh(unitBox, palette.solid), new THREE.LineSegments(new THREE.EdgesGeometry(unitBox), palette.frame)],
      ellipsoid: [new THREE.Mesh(unitSphere, palette.solid)],
    };
    for (const [name, objects] of Object.entries(parts)) {
      const part = new THREE.Group();
      part.name = name;
      part.add(...objects);
      // A plate has a box without height, but a matrix needs one.
      part.scale.set(...link[name].map((size) => Math.max(size, 1e-9)));
      group.add(part);
    }
    // The rings in which the principal planes cut the ellipsoid.
    const ring = Array.from({ length: 97 }, (_, k) => [Math.cos((k * Math.PI) / 48), Math.sin((k * Math.PI) / 48)]);
    for (const place of [(c, s) => [c, s, 0], (c, s) => [c, 0, s], (c, s) => [0, c, s]]) {
      const points = ring.map(([c, s]) => new THREE.Vector3(...place(c, s)));
      group.getObjectByName("ellipsoid").add(new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), palette.frame));
    }
    return group;
  }

  // The boxes of what is proposed for a link, and of what its geometry gives, beside the one of what is written.
  function besides(link) {
    const group = new THREE.Group();
    for (const { label, com, axes: [a, b, c, d, e, f, g, h, i], box } of link.besides) {
      const frame = new THREE.LineSegments(new THREE.EdgesGeometry(unitBox), palette[label]);
      frame.applyMatrix4(new THREE.Matrix4().set(a, b, c, com[0], d, e, f, com[1], g, h, i, com[2], 0, 0, 0, 1));
      frame.scale.set(...box.map((size) => Math.max(size, 1e-9)));
      group.add(frame);
    }
    return group;
  }

  function build(index) {
    const root = new THREE.Group();
    const body = new THREE.Box3();
    const own = links.filter((link) => link.scene === index);
    own.forEach((link, place) => {
      link.hue = HUES[place % HUES.length];
      link.frame = new THREE.Group();
      link.frame.applyMatrix4(matrix(link.pose));
      link.parts = { collisions: collisions(link, link.hue) };
      link.frame.add(link.parts.collisions);
      if (link.com) {
        link.centre = new THREE.Group();
        link.centre.position.set(...link.com);
        link.parts.com = marker();
        link.centre.add(link.parts.com);
        if (link.axes) {
          const [a, b, c, d, e, f, g, h, i] = link.axes;
          const turned = new THREE.Group();
          turned.applyMatrix4(new THREE.Matrix4().set(a, b, c, 0, d, e, f, 0, g, h, i, 0, 0, 0, 0, 1));
          link.parts.axes = axes(link);
          link.parts.box = equivalent(link);
          turned.add(link.parts.axes, link.parts.box);
          link.centre.add(turned);
        }
        link.frame.add(link.centre);
      }
      if (link.besides) {
        link.parts.besides = besides(link);
        link.frame.add(link.parts.besides);
      }
      root.add(link.frame);
      root.updateMatrixWorld(true);
      link.parts.collisions.children.forEach((child) => body.expandByObject(child, true));
      if (link.com) body.expandByPoint(link.centre.getWorldPosition(new THREE.Vector3()));
    });
    const low = body.isEmpty() ? 0 : body.min.z;
    own.forEach((link) => link.parts.box && body.expandByObject(link.parts.box.getObjectByName("box"), true));
    own.forEach((link) => link.parts.besides?.children.forEach((frame) => body.expandByObject(frame, true)));
    if (body.isEmpty()) body.expandByPoint(new THREE.Vector3());
    const sphere = body.getBoundingSphere(new THREE.Sphere());
    sphere.radius = Math.max(sphere.radius, 1e-3);
    // A grid below the model, of the round step that gives about ten lines.
    const step = round((2.4 * sphere.radius) / 12);
    const half = Math.ceil((1.2 * sphere.radius) / step);
    const grid = new THREE.LineSegments(gridGeometry(half, step), palette.grid);
    const snap = (value) => Math.round(value / step) * step;
    grid.position.set(snap(sphere.center.x), snap(sphere.center.y), low);
    root.add(grid);
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new THREE.Vector3(
      ...["x", "y", "z"].map((axis, bit) => ((k >> bit) & 1 ? body.max : body.min)[axis]),
    ));
    return { root, sphere, corners, step, links: own };
  }

  function gridGeometry(half, step) {
    const points = [];
    for (let k = -half; k <= half; k++) {
      points.push(k * step, -half * step, 0, k * step, half * step, 0, -half * step, k * step, 0, half * step, k * step, 0);
    }
    const geometry = new THREE.BufferGeometry();
    return geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  }

  function round(value) {
    const power = 10 ** Math.floor(Math.log10(value));
    return [1, 2, 5, 10].find((factor) => factor * power >= value * 0.999) * power;
  }

  // Materials take their colours from the style sheet, light or dark.
  function colours() {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(`--${name}`).trim();
    const onTop = { depthTest: false, depthWrite: false, transparent: true, toneMapped: false };
    palette.com ??= new THREE.MeshBasicMaterial(onTop);
    palette.rim ??= new THREE.MeshBasicMaterial(onTop);
    palette.axes ??= [0, 1, 2].map(() => new THREE.MeshBasicMaterial(onTop));
    palette.solid ??= new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.07, depthWrite: false });
    palette.frame ??= new THREE.LineBasicMaterial({ transparent: true, opacity: 0.9 });
    palette.proposed ??= new THREE.LineBasicMaterial({ transparent: true, opacity: 0.95 });
    palette.computed ??= new THREE.LineBasicMaterial({ transparent: true, opacity: 0.7 });
    palette.grid ??= new THREE.LineBasicMaterial({ transparent: true, opacity: 0.6 });
    palette.com.color.set("#ffc400");
    palette.rim.color.set("#16181c");
    ["axis-x", "axis-y", "axis-z"].forEach((name, index) => palette.axes[index].color.set(of(name)));
    palette.solid.color.set(of("accent"));
    palette.frame.color.set(of("accent"));
    palette.proposed.color.set("#1f9d55");
    palette.computed.color.set("#d97706");
    palette.grid.color.set(of("grid"));
    palette.accent = of("accent");
  }

  function show(index) {
    if (current) world.remove(current.root);
    scenes[index] ??= build(index);
    current = scenes[index];
    world.add(current.root);
    if (chooser) chooser.value = String(index);
    const length = current.step >= 1 ? `${current.step} m` : `${Number((current.step * 1000).toPrecision(6))} mm`;
    hint.textContent = `grid ${length} · drag to turn, wheel to zoom, right drag to move`;
    fit();
  }

  // Looks at the model from a corner, as near as it is seen whole.
  function fit() {
    const { center, radius } = current.sphere;
    const direction = new THREE.Vector3(1, -1.25, 0.8).normalize();
    let distance = (1.1 * radius) / Math.sin((FIELD_OF_VIEW / 2) * (Math.PI / 180)) / Math.min(1, camera.aspect);
    controls.minDistance = radius * 1e-3;
    controls.maxDistance = distance * 20;
    controls.target.copy(center);
    for (let round = 0; round < 5; round++) {
      camera.position.copy(controls.target).addScaledVector(direction, distance);
      controls.update();
      camera.updateMatrixWorld();
      const seen = new THREE.Box3().setFromPoints(current.corners.map((corner) => corner.clone().project(camera)));
      const [middle, size] = [seen.getCenter(new THREE.Vector3()), seen.getSize(new THREE.Vector3())];
      const depth = controls.target.clone().project(camera).z;
      controls.target.copy(new THREE.Vector3(middle.x, middle.y, depth).unproject(camera));
      distance *= Math.max(size.x, size.y, 1e-3) / 2 / 0.88;
      distance = Math.max(distance, radius * 0.01);
    }
    camera.position.copy(controls.target).addScaledVector(direction, distance);
    controls.update();
    draw();
  }

  // World units that one pixel covers at a point.
  function unitsPerPixel(point) {
    const depth = -point.clone().applyMatrix4(camera.matrixWorldInverse).z;
    return (2 * Math.max(depth, camera.near) * Math.tan((FIELD_OF_VIEW / 2) * (Math.PI / 180))) / canvas.clientHeight;
  }

  function draw() {
    const distance = camera.position.distanceTo(current.sphere.center);
    const radius = 2.5 * current.sphere.radius;
    camera.far = distance + radius;
    camera.near = Math.max(distance - radius, camera.far * 1e-4);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    sun.position.copy(camera.position).addScaledVector(camera.up, distance);
    sun.target.position.copy(controls.target);
    for (const link of current.links) {
      if (!link.centre) continue;
      const unit = unitsPerPixel(link.centre.getWorldPosition(new THREE.Vector3()));
      link.parts.com.scale.setScalar(unit * MARKER_PIXELS * (link === picked ? 1.35 : 1));
      link.parts.axes?.children.forEach((rod) => {
        rod.scale.x = rod.scale.z = unit * AXIS_PIXELS * (link === picked ? 1.8 : 1);
      });
    }
    renderer.render(world, camera);
  }

  const isVisible = (kind) => document.getElementById(`toggle-${kind}`).checked;

  function applyToggles() {
    for (const link of links) {
      if (!link.parts) continue;
      for (const kind of KINDS) if (link.parts[kind]) link.parts[kind].visible = isVisible(kind);
      link.parts.box?.children.forEach((part) => (part.visible = part.name === solid.value));
    }
    solid.disabled = !isVisible("box");
    draw();
  }

  function resize() {
    const { clientWidth: width, clientHeight: height } = stage;
    if (!width || !height) return;
    renderer.setPixelRatio(window.devicePixelRatio);
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    draw();
  }

  function pixelOf(point) {
    const p = point.clone().project(camera);
    return { x: ((p.x + 1) / 2) * canvas.clientWidth, y: ((1 - p.y) / 2) * canvas.clientHeight, depth: p.z };
  }

  function comPixel(link) {
    return pixelOf(link.centre.getWorldPosition(new THREE.Vector3()));
  }

  function linkUnder(x, y) {
    const near = current.links
      .filter((link) => link.centre && isVisible("com"))
      .map((link) => ({ link, ...comPixel(link) }))
      .map((mark) => ({ ...mark, distance: Math.hypot(mark.x - x, mark.y - y) }))
      .filter((mark) => mark.distance <= PICK_PIXELS && Math.abs(mark.depth) <= 1)
      .sort((a, b) => a.distance - b.distance || a.depth - b.depth);
    if (near.length) return near[0].link;
    if (!isVisible("collisions")) return null;
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((x / canvas.clientWidth) * 2 - 1, 1 - (y / canvas.clientHeight) * 2), camera);
    const bodies = [];
    current.root.traverse((object) => object.userData.isBody && bodies.push(object));
    return ray.intersectObjects(bodies, false)[0]?.object.userData.link ?? null;
  }

  function pick(link, { scroll = true } = {}) {
    if (link && data.scenes[link.scene] && scenes[link.scene] !== current) {
      show(link.scene);
      applyToggles();
    }
    picked = link;
    for (const other of links) {
      if (!other.skin) continue;
      for (const material of [other.skin, other.facets, other.outline]) {
        material.color.set(other === link ? palette.accent : other.hue);
      }
      other.skin.opacity = other.facets.opacity = other === link ? 0.5 : link ? 0.2 : 0.34;
      other.outline.opacity = other === link ? 1 : link ? 0.35 : 0.55;
    }
    rows.forEach((row) => {
      const isPicked = link !== null && Number(row.dataset.link) === link.id;
      row.classList.toggle("picked", isPicked);
      row.setAttribute("aria-selected", String(isPicked));
      if (isPicked && scroll) row.scrollIntoView({ block: "nearest" });
    });
    pickedName.textContent = link ? link.name : "";
    draw();
  }

  function watchPointer() {
    let down = null;
    canvas.addEventListener("pointerdown", (event) => (down = { x: event.offsetX, y: event.offsetY }));
    canvas.addEventListener("pointerup", (event) => {
      // What moved was a turn of the view, not a click.
      if (down && event.button === 0 && Math.hypot(event.offsetX - down.x, event.offsetY - down.y) < 4) {
        pick(linkUnder(event.offsetX, event.offsetY));
      }
      down = null;
    });
  }

  function watchRows() {
    rows.forEach((row, index) => {
      const link = links[Number(row.dataset.link)];
      const toggle = () => pick(link === picked ? null : link, { scroll: false });
      row.addEventListener("click", () => getSelection().isCollapsed && toggle());
      row.addEventListener("keydown", (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (event.key === "Enter" || event.key === " ") toggle();
        else if (step) rows[index + step]?.focus();
        else return;
        event.preventDefault();
      });
    });
    document.addEventListener("keydown", (event) => event.key === "Escape" && pick(null));
  }

  colours();
  show(0);
  // Swatches in the table, as the links are coloured in the view.
  data.scenes.forEach((scene) => scene.links.forEach((link, place) => {
    rows[link.id].querySelector(".swatch").style.background = HUES[place % HUES.length];
  }));
  KINDS.forEach((kind) => document.getElementById(`toggle-${kind}`).addEventListener("change", applyToggles));
  solid.addEventListener("change", applyToggles);
  document.getElementById("fit").addEventListener("click", fit);
  chooser?.addEventListener("change", () => {
    show(Number(chooser.value));
    applyToggles();
    pick(null);
  });
  controls.addEventListener("change", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    colours();
    pick(picked);
  });
  watchPointer();
  watchRows();
  new ResizeObserver(resize).observe(stage);
  resize();
  fit();
  applyToggles();

  const named = (name) => current.links.find((link) => link.name === name) ?? links.find((link) => link.name === name);
  return {
    // Pixels count from the upper left corner of the canvas.
    projectCom(name) {
      const { x, y } = comPixel(named(name));
      return { x, y };
    },
    linkAt: (x, y) => linkUnder(x, y)?.name ?? null,
    isVisible: (kind) => current.links.some((link) => link.parts[kind]?.visible),
    // Matrices column by column, as three.js has them.
    camera: () => ({
      view: camera.matrixWorldInverse.toArray(),
      projection: camera.projectionMatrix.toArray(),
      width: canvas.clientWidth,
      height: canvas.clientHeight,
    }),
  };
}

try {
  window.sdfinertia = start(...(await libraries()));
} catch (error) {
  const trouble = document.getElementById("trouble");
  trouble.textContent = `The view cannot be shown (${error.message}); the numbers are all in the table.`;
  trouble.hidden = false;
}
