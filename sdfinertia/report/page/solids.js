// What is drawn of inertias: centres of mass, principal axes, and equivalent solids, which are cut off where they are much
// larger than their link.

const LARGEST_SOLID = 3; // times its link, beyond which an equivalent solid is cut off
const TURNS = [[0, 0, -Math.PI / 2], [0, 0, 0], [Math.PI / 2, 0, 0]]; // of a rod to x, y, z
const WRITTEN = "written", COMPUTED = "computed", PROPOSED = "proposed";

// The boxes or the ellipsoids of a link; only lines of them, unless they are looked at, and of what is cut off.
function showSolids(link, shape, isFilled) {
  link.frame.traverse((part) => {
    if (part.name !== "box" && part.name !== "ellipsoid") return;
    part.visible = part.name === shape;
    for (const object of part.children) if (object.isMesh) object.visible = isFilled && !part.parent.userData.isCut;
  });
}

// The solids of a link that are cut off, with their true sizes (m).
function cutOf(link) {
  const found = [];
  link.frame?.traverse(({ userData: { isCut, body, label } }) => isCut && found.push({ label, box: body.box }));
  return found;
}

function makeSolids(THREE, palette, rotation) {
  const unitSphere = new THREE.SphereGeometry(1, 32, 20);
  const unitDot = new THREE.SphereGeometry(1, 10, 6); // of a few pixels
  const unitBox = new THREE.BoxGeometry(1, 1, 1);
  const unitRod = new THREE.CylinderGeometry(1, 1, 1, 6);
  const unitTip = new THREE.ConeGeometry(1, 1, 16).translate(0, -0.5, 0);
  const boxEdges = dashed(new THREE.EdgesGeometry(unitBox));
  // In which the principal planes cut the ellipsoid.
  const rings = [(c, s) => [c, s, 0], (c, s) => [c, 0, s], (c, s) => [0, c, s]].map((place) => {
    const ends = Array.from({ length: 192 }, (_, k) => ((k + (k & 1)) >> 1) * (Math.PI / 48));
    return dashed(new THREE.BufferGeometry().setFromPoints(ends.map((at) => new THREE.Vector3(...place(Math.cos(at), Math.sin(at))))));
  });

  // With what dashes of lines need.
  function dashed(geometry) {
    return new THREE.LineSegments(geometry).computeLineDistances().geometry;
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

  function axes(body) {
    const group = new THREE.Group();
    TURNS.forEach((turn, index) => {
      const line = rod(palette.axes[index], 10);
      line.rotation.set(...turn);
      group.add(line);
    });
    group.userData.body = body;
    return group;
  }

  // The box and the ellipsoid of an inertia, in its principal axes.
  function equivalent(body, { fill, line, cut }) {
    const group = new THREE.Group();
    const parts = {
      box: [new THREE.Mesh(unitBox, fill), new THREE.LineSegments(boxEdges, line)],
      ellipsoid: [new THREE.Mesh(unitSphere, fill), ...rings.map((ring) => new THREE.LineSegments(ring, line))],
    };
    for (const [name, objects] of Object.entries(parts)) {
      const part = new THREE.Group();
      part.name = name;
      part.add(...objects);
      // Lines come before what is picked, which lets them through.
      for (const object of objects) object.renderOrder = -1;
      group.add(part);
    }
    group.userData = { body, line, cut };
    sizeSolid(group, Infinity);
    return group;
  }

  // Gives a solid its size, or as much of it as a limit allows: then it is an outline.
  function sizeSolid(group, limit) {
    const { body, line, cut } = group.userData;
    group.userData.isCut = Math.max(...body.box) > limit;
    for (const part of group.children) {
      const most = part.name === "box" ? limit : limit / 2;
      // A plate has a box without height, but a matrix needs one.
      part.scale.set(...body[part.name].map((size) => Math.max(Math.min(size, most), 1e-9)));
      for (const object of part.children) if (!object.isMesh) object.material = group.userData.isCut ? cut : line;
    }
  }

  // Cuts off what is larger than three times its link; one without shapes is as large as most of its model.
  function cutOff(link, usual) {
    const limit = LARGEST_SOLID * (link.extent || usual);
    const { axes: rods, box, ghost: other, besides: others } = link.parts;
    if (rods) {
      // A little longer than the box, so that each end is seen outside of it; a flat body has short axes too.
      const sizes = rods.userData.body.box.map((size) => Math.min(size, limit / LARGEST_SOLID));
      rods.children.forEach((line, index) => (line.scale.y = sizes[index] + 0.3 * Math.max(...sizes)));
    }
    for (const part of [box, other, others]) {
      part?.traverse((solid) => solid.userData.body && solid.userData.line && sizeSolid(solid, limit));
    }
  }

  // A solid where its inertia has it, called after what it is.
  function placed(body, label) {
    const turned = new THREE.Group();
    turned.applyMatrix4(rotation(body.axes).setPosition(...body.com));
    const solid = equivalent(body, palette[label]);
    solid.userData.label = label;
    turned.add(solid);
    return turned;
  }

  // What is written, where it is another than what is drawn: its solid, and an arrow from its centre to the other.
  function ghost(link) {
    const group = new THREE.Group();
    const start = new THREE.Vector3(...link.ghost.com);
    if (link.ghost.axes) group.add(placed(link.ghost, WRITTEN));
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

  // What is proposed for a link, and what its geometry gives, beside what is written.
  function besides(link) {
    const group = new THREE.Group();
    for (const body of link.besides) {
      const solid = placed(body, body.label);
      // The centre that is proposed is drawn as the written one is.
      if (body.label === PROPOSED) {
        const centre = marker(palette[PROPOSED].mark);
        centre.userData.isMark = true;
        solid.add(centre);
      }
      group.add(solid);
    }
    return group;
  }

  return { marker, rod, axes, equivalent, ghost, besides, cutOff };
}
