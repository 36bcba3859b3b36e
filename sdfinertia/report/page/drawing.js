// What is drawn of a scene: its links with their shapes and inertias, its joints, planes, and the centres of its models.

const KINDS = ["bodies", "collisions", "com", "axes", "box", "ghost", "besides", "joints", "totals"];
const HUES = ["#8d9db3", "#9aad9f", "#b3a58f", "#a79db8", "#8fabae", "#b39fa5", "#a5aa8d", "#9aa1aa"];
const COLOURLESS = [0.72, 0.74, 0.77, 1]; // of bodies without a colour of their own
const QUIET = 0.45; // how far the colours of bodies are drawn towards grey
const LINES_OF_A_PLANE = 20;
const ROOM_SHARE = 0.5, FEW_IN_A_ROOM = 4, ROOM_HEIGHT = 0.4; // a room: of the world, links in it; how much of it is drawn
const ROUND_BODIES = 0.25; // of the size of all bodies, on each side, that is seen for the solids of findings

function makeDrawing(THREE, data) {
  const surfaces = makeSurfaces(THREE, data.surfaces);
  const nothing = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute([], 3));
  const palette = {};
  let usual = Infinity; // extent of the links of the scene
  let hasFindings = data.scenes.some((scene) => scene.links.some((link) => link.level));

  const matrix = (rows12) => new THREE.Matrix4().set(...rows12, 0, 0, 0, 1);
  const rotation = ([a, b, c, d, e, f, g, h, i]) => new THREE.Matrix4().set(a, b, c, 0, d, e, f, 0, g, h, i, 0, 0, 0, 0, 1);

  const { marker, rod, axes, equivalent, ghost, besides, cutOff } = makeSolids(THREE, palette, rotation);

  // Materials take their colours from the style sheet, light or dark. What is written has full lines, what is computed
  // dashed ones, and what is cut off dotted ones, so that no colour alone tells them apart.
  function colours() {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(`--${name}`).trim();
    const onTop = { depthTest: false, depthWrite: false, transparent: true, toneMapped: false };
    palette.com ??= new THREE.MeshBasicMaterial(onTop);
    palette.rim ??= new THREE.MeshBasicMaterial(onTop);
    palette.total ??= new THREE.MeshBasicMaterial(onTop);
    palette.axes ??= [0, 1, 2].map(() => new THREE.MeshBasicMaterial(onTop));
    for (const kind of [WRITTEN, COMPUTED, PROPOSED]) {
      palette[kind] ??= {
        fill: new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.08, depthWrite: false }),
        line: kind === COMPUTED
          ? new THREE.LineDashedMaterial({ transparent: true, dashSize: 0.1, gapSize: 0.04 })
          : new THREE.LineBasicMaterial({ transparent: true }),
        cut: new THREE.LineDashedMaterial({ transparent: true, opacity: 0.6, dashSize: 0.012, gapSize: 0.02 }),
        mark: new THREE.MeshBasicMaterial(onTop),
      };
      for (const material of Object.values(palette[kind])) material.color.set(of(kind));
    }
    palette.arrow ??= new THREE.MeshBasicMaterial(onTop);
    palette.grid ??= new THREE.LineBasicMaterial({ transparent: true, opacity: 0.6 });
    palette.joint ??= new THREE.MeshBasicMaterial(onTop);
    palette.outline ??= new THREE.LineBasicMaterial({ transparent: true, opacity: 0.8 });
    palette.shell ??= new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.1, depthWrite: false, side: THREE.DoubleSide });
    palette.com.color.set("#ffc400");
    palette.rim.color.set("#16181c");
    palette.total.color.set("#ffffff");
    ["axis-x", "axis-y", "axis-z"].forEach((name, index) => palette.axes[index].color.set(of(name)));
    palette.arrow.color.set(of(WRITTEN));
    palette.grid.color.set(of("grid"));
    palette.joint.color.set(of("joint"));
    for (const name of ["outline", "shell"]) palette[name].color.set(of("place"));
    palette.levels = { error: of("error-body"), warning: of("warning-body") };
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
  function draw(shape, mesh, edges) {
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
    });
  }

  // Of links without findings, quiet beside links with some.
  const hueOf = (link, place) => palette.levels[link.level] ?? (hasFindings ? greyOf() : HUES[place % HUES.length]);
  const greyOf = () => `#${quiet(COLOURLESS).getHexString()}`;

  function quiet([red, green, blue]) {
    const [r, g, b] = COLOURLESS;
    return new THREE.Color().setRGB(red, green, blue, THREE.SRGBColorSpace).lerp(new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace), QUIET);
  }

  // What is seen of a link: its visuals, or its collisions where there are none.
  function bodies(link) {
    const group = new THREE.Group();
    link.materials = [];
    for (const shape of link.visuals.length ? link.visuals : link.shapes) {
      if (shape.kind === "plane") continue;
      const mesh = new THREE.Mesh(nothing, paint(link, shape, shape.colour));
      draw(shape, mesh, null);
      mesh.applyMatrix4(matrix(shape.pose));
      mesh.userData = { link, isBody: true };
      group.add(mesh);
    }
    return group;
  }

  function paint(link, shape, colour) {
    const material = new THREE.MeshLambertMaterial({ side: THREE.DoubleSide, flatShading: shape.kind === "mesh" });
    material.userData = { colour: colour ? quiet(colour) : null, opacity: colour?.[3] ?? 1 };
    link.materials.push(material);
    return material;
  }

  // Paints a link as it stands: what is wrong in its colour; what is picked lets its solids through; others are faint.
  function shade(link, state = link.state ?? "") {
    link.state = state;
    for (const material of link.materials) {
      const { colour, opacity } = material.userData;
      material.color.set(state === "faint" ? greyOf() : link.level || !colour ? link.hue : colour);
      material.opacity = { faint: 0.1, picked: 0.7 * opacity }[state] ?? opacity;
      material.depthWrite = state !== "faint";
      const wasClear = material.transparent;
      material.transparent = material.opacity < 1;
      material.needsUpdate ||= wasClear !== material.transparent;
    }
  }

  // The collisions of a link over what is seen of it, once that is asked for.
  function collisions(link) {
    const group = new THREE.Group();
    for (const shape of link.shapes) {
      if (shape.kind === "plane") continue;
      const mesh = new THREE.Mesh(nothing, palette.shell);
      const edges = new THREE.LineSegments(nothing, palette.outline);
      draw(shape, mesh, edges);
      for (const object of [mesh, edges]) {
        object.applyMatrix4(matrix(shape.pose));
        group.add(object);
      }
      mesh.userData = { link, isBody: true };
    }
    link.frame.add(group);
    link.parts.collisions = group;
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
      const label = link.isComputed ? COMPUTED : WRITTEN;
      link.parts.axes = axes(link);
      link.parts.box = equivalent(link, palette[label]);
      link.parts.box.userData.label = label;
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
    link.centre = undefined;
    fillFrame(link);
    cutOff(link, usual);
  }

  // Findings that come or go may give all links other colours.
  function recolour(links) {
    hasFindings = links.some((link) => link.level);
    for (const { links: own } of data.scenes) {
      own.forEach((link, place) => {
        link.hue = hueOf(link, place);
        if (link.materials) shade(link);
      });
    }
  }

  function fillFrame(link) {
    link.parts = { bodies: bodies(link), joints: triad(null) };
    link.frame.add(...Object.values(link.parts));
    shade(link);
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

  // The box round a link as it is drawn; empty where nothing of it is.
  function boxOf(link) {
    const box = new THREE.Box3();
    for (const body of link.parts.bodies.children) if (body.userData.isBody) box.expandByObject(body);
    return box;
  }

  // The same with its centre of mass and its solids, as far as they are drawn.
  function boxWithSolids(link) {
    link.frame.updateWorldMatrix(true, true);
    const box = boxOf(link);
    if (link.centre) box.expandByPoint(link.centre.getWorldPosition(new THREE.Vector3()));
    // What is cut off has no size of its own.
    const isOfSize = (solid) => !(solid.userData.isCut && link.extent);
    link.frame.traverse((part) => part.name === "box" && isOfSize(part.parent) && box.expandByObject(part));
    return box;
  }

  // The diagonal of a link's box in its own frame; 0 without shapes.
  function extentOf(link) {
    const box = new THREE.Box3();
    for (const { geometry, matrix: X_LG } of link.parts.bodies.children.filter((each) => each.userData.isBody)) {
      if (!geometry.boundingBox) geometry.computeBoundingBox();
      box.union(geometry.boundingBox.clone().applyMatrix4(X_LG));
    }
    return box.isEmpty() ? 0 : box.getSize(new THREE.Vector3()).length();
  }

  // Cuts the upper part of buildings away, whose ceilings would hide what is in them; whether there are any.
  function openRooms(links, whole) {
    const length = (box) => box.getSize(new THREE.Vector3()).length();
    const boxes = links.map(boxOf).map((box, k) => ({ box, link: links[k], isLarge: length(box) > ROOM_SHARE * length(whole) }));
    const isRoom = ({ box, isLarge }) => isLarge && boxes.filter((each) => !each.box.isEmpty() && box.containsBox(each.box)).length > FEW_IN_A_ROOM;
    const cuts = boxes.filter(isRoom).map(({ box: { min, max } }) => min.z + ROOM_HEIGHT * (max.z - min.z));
    const planes = cuts.length ? [new THREE.Plane(new THREE.Vector3(0, 0, -1), Math.min(...cuts))] : null;
    for (const { link, isLarge } of boxes) for (const material of link.materials) material.clippingPlanes = isLarge ? planes : null;
    return planes !== null;
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
    for (const link of scene.links) {
      body.union(boxOf(link));
      link.extent = extentOf(link);
    }
    const extents = scene.links.map((link) => link.extent).filter(Boolean).sort((a, b) => a - b);
    usual = extents[extents.length >> 1] ?? Infinity;
    for (const link of scene.links) cutOff(link, usual);
    root.updateMatrixWorld(true);
    const low = body.isEmpty() ? 0 : body.min.z;
    drawn.isOpened = scene.isWorld && openRooms(scene.links, body);
    // The solids of findings are seen too, unless they are much larger than all bodies; without bodies, whatever there is.
    const isEmpty = body.isEmpty();
    const room = body.clone().expandByVector(body.getSize(new THREE.Vector3()).multiplyScalar(ROUND_BODIES));
    for (const link of scene.links) if (isEmpty || link.level) body.union(boxWithSolids(link));
    if (!isEmpty) body.intersect(room);
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
      link.parts.bodies.add(lines);
      return lines;
    });
    return Object.assign(drawn, { sphere, corners: cornersOf(body), step, floors: [grid, ...grids] });
  }

  return {
    build, measure, surfaces, colours, palette, boxWithSolids, cornersOf, hueOf, redraw, recolour, shade, collisions, matrix, rotation,
    equivalent,
  };
}
