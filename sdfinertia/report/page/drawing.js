// What is drawn of a scene: its links with their shapes and inertias, its joints, planes, and the centres of its models.

const KINDS = ["collisions", "visuals", "com", "axes", "box", "ghost", "besides", "joints", "totals"];
const HUES = ["#5b7fa6", "#6a9a7b", "#a6855b", "#8a73ab", "#5a9aa0", "#a8707c", "#7f8a52", "#6c7785"];
const UNSUSPICIOUS = "#8b95a1"; // of links without findings, beside links with some
const COLOURLESS = [0.72, 0.74, 0.77, 1]; // of visuals
const LINES_OF_A_PLANE = 20;

function makeDrawing(THREE, data) {
  const surfaces = makeSurfaces(THREE, data.surfaces);
  const nothing = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute([], 3));
  const unitSphere = new THREE.SphereGeometry(1, 32, 20);
  const unitDot = new THREE.SphereGeometry(1, 24, 16); // of a few pixels
  const unitBox = new THREE.BoxGeometry(1, 1, 1);
  const unitRod = new THREE.CylinderGeometry(1, 1, 1, 8);
  const unitTip = new THREE.ConeGeometry(1, 1, 16).translate(0, -0.5, 0);
  const palette = {};
  let hasFindings = data.scenes.some((scene) => scene.links.some((link) => link.level));

  const matrix = (rows12) => new THREE.Matrix4().set(...rows12, 0, 0, 0, 1);
  const rotation = ([a, b, c, d, e, f, g, h, i]) => new THREE.Matrix4().set(a, b, c, 0, d, e, f, 0, g, h, i, 0, 0, 0, 0, 1);

  // Materials take their colours from the style sheet, light or dark.
  function colours() {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(`--${name}`).trim();
    const onTop = { depthTest: false, depthWrite: false, transparent: true, toneMapped: false };
    palette.com ??= new THREE.MeshBasicMaterial(onTop);
    palette.rim ??= new THREE.MeshBasicMaterial(onTop);
    palette.total ??= new THREE.MeshBasicMaterial(onTop);
    palette.axes ??= [0, 1, 2].map(() => new THREE.MeshBasicMaterial(onTop));
    palette.solid ??= new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.07, depthWrite: false });
    palette.frame ??= new THREE.LineBasicMaterial({ transparent: true, opacity: 0.9 });
    palette.ghost ??= new THREE.LineBasicMaterial({ transparent: true, opacity: 0.95 });
    palette.ghostSolid ??= new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.1, depthWrite: false });
    palette.proposed ??= new THREE.LineBasicMaterial({ transparent: true, opacity: 0.95 });
    palette.computed ??= new THREE.LineBasicMaterial({ transparent: true, opacity: 0.7 });
    palette.arrow ??= new THREE.MeshBasicMaterial(onTop);
    palette.grid ??= new THREE.LineBasicMaterial({ transparent: true, opacity: 0.6 });
    palette.joint ??= new THREE.MeshBasicMaterial(onTop);
    palette.com.color.set("#ffc400");
    palette.rim.color.set("#16181c");
    palette.total.color.set("#ffffff");
    ["axis-x", "axis-y", "axis-z"].forEach((name, index) => palette.axes[index].color.set(of(name)));
    palette.solid.color.set(of("accent"));
    palette.frame.color.set(of("accent"));
    for (const name of ["ghost", "ghostSolid", "arrow"]) palette[name].color.set(of("ghost"));
    palette.proposed.color.set("#1f9d55");
    palette.computed.color.set("#d97706");
    palette.grid.color.set(of("grid"));
    palette.joint.color.set(of("joint"));
    palette.accent = of("accent");
    palette.levels = { error: of("error"), warning: of("warning") };
  }

  // SDF turns its solids round z, three.js round y.
  function geometryOf({ kind, dimensions: d }) {
    const upright = (geometry) => geometry.rotateX(Math.PI / 2);
    switch (kind) {
      case "box": return new THREE.BoxGeometry(...d);
      case "sphere": return new THREE.SphereGeometry(d[0], 48, 28);
      case "ellipsoid": return new THREE.SphereGeometry(1, 48, 28).scale(...d);
      case "cylinder": return upright(new THREE.CylinderGeometry(d[0], d[0], d[1], 48));
      case "cone": return upright(new THREE.ConeGeometry(d[0], d[1], 48));
      case "capsule": return upright(new THREE.CapsuleGeometry(d[0], d[1], 12, 48));
      default: throw new Error(`there is no solid ${kind}`);
    }
  }

  // Draws the surface of a shape with objects that have none yet; of a mesh that is still to come they show nothing.
  function draw(shape, mesh, edges, onArrival = () => {}) {
    if (shape.dimensions) {
      mesh.geometry = geometryOf(shape);
      if (edges) edges.geometry = new THREE.EdgesGeometry(mesh.geometry, 35);
      return;
    }
    mesh.visible = false;
    surfaces.use(shape, (surface) => {
      mesh.geometry = surface.geometry;
      mesh.visible = true;
      if (edges) edges.geometry = surface.edges;
      onArrival(surface);
    });
  }

  const hueOf = (link, place) => palette.levels[link.level] ?? (hasFindings ? UNSUSPICIOUS : HUES[place % HUES.length]);

  function collisions(link) {
    const group = new THREE.Group();
    link.skin = new THREE.MeshLambertMaterial({
      color: link.hue, transparent: true, opacity: 0.34, depthWrite: false, side: THREE.DoubleSide, flatShading: false,
    });
    link.facets = link.skin.clone();
    link.facets.flatShading = true;
    link.outline = new THREE.LineBasicMaterial({ color: link.hue, transparent: true, opacity: 0.55 });
    for (const shape of link.shapes) {
      if (shape.kind === "plane") continue;
      const mesh = new THREE.Mesh(nothing, shape.kind === "mesh" ? link.facets : link.skin);
      const edges = new THREE.LineSegments(nothing, link.outline);
      draw(shape, mesh, edges);
      for (const object of [mesh, edges]) {
        object.applyMatrix4(matrix(shape.pose));
        object.userData.link = link;
        group.add(object);
      }
      mesh.userData.isBody = true;
    }
    return group;
  }

  function paint(shape, colour) {
    const [red, green, blue, opacity] = colour ?? COLOURLESS;
    return new THREE.MeshLambertMaterial({
      color: new THREE.Color().setRGB(red, green, blue, THREE.SRGBColorSpace), side: THREE.DoubleSide,
      transparent: opacity < 1, opacity, flatShading: shape.kind === "mesh",
      // Behind a collision that is as large.
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
    });
  }

  function visuals(link) {
    const group = new THREE.Group();
    for (const shape of link.visuals) {
      if (shape.kind === "plane") continue;
      const mesh = new THREE.Mesh(nothing, paint(shape, shape.colour));
      // The colours of a mesh file count where the description gives none.
      draw(shape, mesh, null, ({ colours: own }) => {
        if (own.length && !shape.colour) mesh.material = own.map((colour) => paint(shape, colour));
      });
      mesh.applyMatrix4(matrix(shape.pose));
      mesh.userData.link = link;
      mesh.userData.isVisual = true;
      group.add(mesh);
    }
    return group;
  }

  function marker(core, size = 1) {
    const group = new THREE.Group();
    const add = (material, radius, order) => {
      const ball = new THREE.Mesh(unitDot, material);
      ball.scale.setScalar(radius * size);
      ball.renderOrder = order;
      group.add(ball);
    };
    add(palette.rim, 1.35, 20);
    add(core, 1.0, 21);
    return group;
  }

  // A rod along y from the origin, as long as the unit, thick as so many pixels.
  function rod(material, order) {
    const mesh = new THREE.Mesh(unitRod, material);
    mesh.renderOrder = order;
    mesh.userData.isThin = true;
    return mesh;
  }

  const TURNS = [[0, 0, -Math.PI / 2], [0, 0, 0], [Math.PI / 2, 0, 0]]; // from the rod's own axis, y

  function axes(body) {
    const group = new THREE.Group();
    // A little longer than the box, so that each end is seen outside of it; a flat body has short axes too.
    const largest = Math.max(...body.box);
    TURNS.forEach((turn, index) => {
      const line = rod(palette.axes[index], 10);
      line.rotation.set(...turn);
      line.scale.y = body.box[index] + 0.3 * largest;
      group.add(line);
    });
    return group;
  }

  function equivalent(body, { solid, frame }) {
    const group = new THREE.Group();
    const parts = {
      box: [new THREE.Mesh(unitBox, solid), new THREE.LineSegments(new THREE.EdgesGeometry(unitBox), frame)],
      ellipsoid: [new THREE.Mesh(unitSphere, solid)],
    };
    for (const [name, objects] of Object.entries(parts)) {
      const part = new THREE.Group();
      part.name = name;
      part.add(...objects);
      // A plate has a box without height, but a matrix needs one.
      part.scale.set(...body[name].map((size) => Math.max(size, 1e-9)));
      group.add(part);
    }
    // The rings in which the principal planes cut the ellipsoid.
    const ring = Array.from({ length: 97 }, (_, k) => [Math.cos((k * Math.PI) / 48), Math.sin((k * Math.PI) / 48)]);
    for (const place of [(c, s) => [c, s, 0], (c, s) => [c, 0, s], (c, s) => [0, c, s]]) {
      const points = ring.map(([c, s]) => new THREE.Vector3(...place(c, s)));
      group.getObjectByName("ellipsoid").add(new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), frame));
    }
    return group;
  }

  // What is written, where it is another than what is drawn: its solid, and an arrow from its centre to the other.
  function ghost(link) {
    const group = new THREE.Group();
    const { com, axes: turn } = link.ghost;
    const start = new THREE.Vector3(...com);
    if (turn) {
      const turned = new THREE.Group();
      turned.applyMatrix4(rotation(turn));
      turned.position.copy(start);
      link.ghostSolids = equivalent(link.ghost, { solid: palette.ghostSolid, frame: palette.ghost });
      turned.add(link.ghostSolids);
      group.add(turned);
    }
    const end = new THREE.Vector3(...link.com);
    const way = end.clone().sub(start);
    const length = way.length();
    if (length > 0) {
      const arrow = new THREE.Group();
      arrow.position.copy(start);
      arrow.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.clone().divideScalar(length));
      const line = rod(palette.arrow, 24);
      line.scale.y = length;
      line.position.y = length / 2;
      const tip = new THREE.Mesh(unitTip, palette.arrow);
      tip.position.y = length;
      tip.renderOrder = 25;
      tip.userData.isTip = length;
      arrow.add(line, tip);
      group.add(arrow);
    }
    return group;
  }

  // The boxes of what is proposed for a link, and of what its geometry gives, beside the one of what is written.
  function besides(link) {
    const group = new THREE.Group();
    for (const { label, com, axes: turn, box } of link.besides) {
      const frame = new THREE.LineSegments(new THREE.EdgesGeometry(unitBox), palette[label]);
      frame.applyMatrix4(rotation(turn).setPosition(...com));
      frame.scale.set(...box.map((size) => Math.max(size, 1e-9)));
      group.add(frame);
    }
    return group;
  }

  function drawBody(link) {
    if (!link.com) return;
    link.centre = new THREE.Group();
    link.centre.position.set(...link.com);
    link.parts.com = marker(palette.com);
    link.centre.add(link.parts.com);
    if (link.axes) {
      const turned = new THREE.Group();
      turned.applyMatrix4(rotation(link.axes));
      link.parts.axes = axes(link);
      link.parts.box = equivalent(link, palette);
      turned.add(link.parts.axes, link.parts.box);
      link.centre.add(turned);
    }
    link.frame.add(link.centre);
    if (link.ghost?.com) {
      link.parts.ghost = ghost(link);
      link.frame.add(link.parts.ghost);
    }
  }

  // Three axes of a frame, and the axis of its joint.
  function triad(axis) {
    const group = new THREE.Group();
    TURNS.forEach((turn, index) => {
      const line = rod(palette.axes[index], 12);
      line.rotation.set(...turn);
      line.position.setComponent(index, 0.5);
      group.add(line);
    });
    if (axis) {
      const line = rod(palette.joint, 13);
      line.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(...axis));
      line.scale.y = 4;
      group.add(line);
    }
    group.userData.isFrame = true;
    return group;
  }

  function drawLink(link, place) {
    link.hue = hueOf(link, place);
    link.frame = new THREE.Group();
    link.frame.applyMatrix4(matrix(link.pose));
    fillFrame(link);
  }

  // Draws a link anew where it is, with other numbers or shapes.
  function redraw(link, place) {
    link.hue = hueOf(link, place);
    link.frame.clear();
    link.centre = link.ghostSolids = undefined;
    fillFrame(link);
  }

  // Findings that come or go may give all links other colours.
  function recolour(links) {
    hasFindings = links.some((link) => link.level);
    for (const { links: own } of data.scenes) own.forEach((link, place) => (link.hue = hueOf(link, place)));
  }

  function fillFrame(link) {
    link.parts = { collisions: collisions(link), visuals: visuals(link), joints: triad(null) };
    link.frame.add(...Object.values(link.parts));
    drawBody(link);
    if (link.besides) {
      link.parts.besides = besides(link);
      link.frame.add(link.parts.besides);
    }
  }

  // A plane has no end; what is drawn of it is a grid round the model, no larger than the file says.
  function plane(shape, frame, sphere) {
    const X_ML = frame.matrixWorld.clone().multiply(matrix(shape.pose));
    const local = sphere.center.clone().applyMatrix4(X_ML.clone().invert());
    const sizes = shape.dimensions.map((size) => Math.min(size, 6 * sphere.radius));
    const middle = [local.x, local.y].map((value, k) => {
      const reach = (shape.dimensions[k] - sizes[k]) / 2;
      return Math.min(Math.max(value, -reach), reach);
    });
    const points = [];
    for (let k = 0; k <= LINES_OF_A_PLANE; k++) {
      const part = k / LINES_OF_A_PLANE - 0.5;
      const [u, v] = [middle[0] + part * sizes[0], middle[1] + part * sizes[1]];
      points.push(u, middle[1] - sizes[1] / 2, 0, u, middle[1] + sizes[1] / 2, 0);
      points.push(middle[0] - sizes[0] / 2, v, 0, middle[0] + sizes[0] / 2, v, 0);
    }
    const lines = new THREE.LineSegments(lineGeometry(points), palette.grid);
    lines.applyMatrix4(matrix(shape.pose));
    lines.name = "plane";
    return lines;
  }

  function lineGeometry(points) {
    const geometry = new THREE.BufferGeometry();
    return geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  }

  // A grid below the model, of the round step that gives about ten lines.
  function floor(sphere, low) {
    const step = round((2.4 * sphere.radius) / 12);
    const half = Math.ceil((1.2 * sphere.radius) / step);
    const points = [];
    for (let k = -half; k <= half; k++) {
      points.push(k * step, -half * step, 0, k * step, half * step, 0, -half * step, k * step, 0, half * step, k * step, 0);
    }
    const grid = new THREE.LineSegments(lineGeometry(points), palette.grid);
    const snap = (value) => Math.round(value / step) * step;
    grid.position.set(snap(sphere.center.x), snap(sphere.center.y), low);
    return { grid, step };
  }

  function round(value) {
    const power = 10 ** Math.floor(Math.log10(value));
    return [1, 2, 5, 10].find((factor) => factor * power >= value * 0.999) * power;
  }

  function cornersOf(box) {
    return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new THREE.Vector3(
      ...["x", "y", "z"].map((axis, bit) => ((k >> bit) & 1 ? box.max : box.min)[axis]),
    ));
  }

  // The box round a link as it is drawn; null where nothing of it is.
  function boxOf(link) {
    const box = new THREE.Box3();
    for (const child of link.parts.collisions.children) box.expandByObject(child, true);
    if (box.isEmpty()) link.parts.visuals.children.forEach((child) => box.expandByObject(child, true));
    if (link.centre) box.expandByPoint(link.centre.getWorldPosition(new THREE.Vector3()));
    return box;
  }

  function build(scene) {
    const root = new THREE.Group();
    scene.links.forEach((link, place) => {
      drawLink(link, place);
      root.add(link.frame);
    });
    for (const joint of scene.joints) {
      if (!joint.pose) continue;
      joint.frame = triad(joint.axis);
      joint.frame.applyMatrix4(matrix(joint.pose));
      root.add(joint.frame);
    }
    for (const total of scene.totals) {
      total.marker = marker(palette.total, 1.25);
      total.marker.position.set(...total.com);
      root.add(total.marker);
    }
    return measure({ root, scene, links: scene.links, floors: [] });
  }

  // Finds out how large what is drawn is, now, and draws the floor below it.
  function measure(drawn) {
    const { root, scene } = drawn;
    for (const old of drawn.floors) old.removeFromParent();
    root.updateMatrixWorld(true);
    const body = new THREE.Box3();
    for (const link of scene.links) body.union(boxOf(link));
    const low = body.isEmpty() ? 0 : body.min.z;
    for (const link of scene.links) {
      if (link.parts.box) body.expandByObject(link.parts.box.getObjectByName("box"), true);
      link.parts.besides?.children.forEach((frame) => body.expandByObject(frame, true));
      link.parts.ghost?.traverse((part) => part.name === "box" && body.expandByObject(part, true));
    }
    const planes = scene.links.flatMap((link) => link.shapes.filter((shape) => shape.kind === "plane").map((shape) => ({ link, shape })));
    // Nothing but planes: as much of them is seen as the file says, up to ten metres.
    if (body.isEmpty() && planes.length) {
      const reach = Math.min(10, ...planes.flatMap(({ shape }) => shape.dimensions)) / 2;
      body.set(new THREE.Vector3(-reach, -reach, 0), new THREE.Vector3(reach, reach, 0));
    }
    if (body.isEmpty()) body.set(new THREE.Vector3(-0.5, -0.5, 0), new THREE.Vector3(0.5, 0.5, 0));
    const sphere = body.getBoundingSphere(new THREE.Sphere());
    sphere.radius = Math.max(sphere.radius, 1e-3);
    const { grid, step } = floor(sphere, low);
    // Where a model has a plane, that is the floor.
    if (!planes.length) root.add(grid);
    const grids = planes.map(({ link, shape }) => {
      const lines = plane(shape, link.frame, sphere);
      link.parts.collisions.add(lines);
      return lines;
    });
    return Object.assign(drawn, { sphere, corners: cornersOf(body), step, floors: [grid, ...grids] });
  }

  return { build, measure, surfaces, colours, palette, boxOf, cornersOf, hueOf, redraw, recolour, matrix, rotation, equivalent, rod };
}
