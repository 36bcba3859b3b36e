// The camera, and what is under the pointer.

const MARKER_PIXELS = 3; // largest radius of the marker of a centre of mass
const MARKER_SHARE = 0.08; // of its link, which it does not cover
const AXIS_PIXELS = 1.1; // half the width of a principal axis
const FRAME_PIXELS = 26; // length of the axes of a frame
const TIP_PIXELS = [4.5, 13]; // radius and length of the tip of an arrow
const PICK_PIXELS = 9; // how near to a marker a click picks it
const SLOW_FRAME = 60, REST = 300; // ms: from which it is drawn coarser while it moves, and after which it rests
const MOVING_SHARE = 0.5; // of the pixels of each side
const FIELD_OF_VIEW = 35; // degrees
const HALF_FIELD = (FIELD_OF_VIEW / 2) * (Math.PI / 180);

// Where the camera stands, seen from the model. What is exactly above would not know which way is up.
const DIRECTIONS = {
  "corner": [1, -1.25, 0.8], "+x": [1, 0, 0], "−x": [-1, 0, 0], "+y": [0, 1, 0], "−y": [0, -1, 0],
  "top, +z": [0, -1e-4, 1], "−z": [0, -1e-4, -1],
};

function makeView(THREE, OrbitControls, stage, canvas) {
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
  renderer.localClippingEnabled = true;
  const camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  camera.up.set(0, 0, 1);
  const controls = new OrbitControls(camera, canvas);
  controls.zoomToCursor = true;
  const world = new THREE.Scene();
  const sun = new THREE.DirectionalLight("#ffffff", 1.9);
  world.add(new THREE.HemisphereLight("#ffffff", "#8a929c", 1.7), sun, sun.target);
  const view = { camera, controls, world, current: null, picked: null, direction: DIRECTIONS.corner };

  // To ask the page for it in each frame would lay it out each time.
  const seen = { height: canvas.clientHeight };
  let held = 0;
  let isWanted = false;

  // Draws what is moved by hand as it moves, and what is placed here once that is asked for.
  let isPlacing = false;
  controls.addEventListener("change", () => isPlacing || view.move());

  function update() {
    isPlacing = true;
    controls.update();
    isPlacing = false;
  }

  view.show = (drawn) => {
    if (view.current) world.remove(view.current.root);
    view.current = drawn;
    world.add(drawn.root);
  };

  // Looks at points from a side, as near as they are seen whole.
  view.fit = (corners = view.current.corners) => view.atOnce(() => fit(corners));

  function fit(corners) {
    const box = new THREE.Box3().setFromPoints(corners);
    const { center, radius: found } = box.getBoundingSphere(new THREE.Sphere());
    const radius = Math.max(found, view.current.sphere.radius * 1e-3);
    const direction = new THREE.Vector3(...view.direction).normalize();
    let distance = (1.1 * radius) / Math.sin(HALF_FIELD) / Math.min(1, camera.aspect);
    controls.minDistance = view.current.sphere.radius * 1e-3;
    controls.maxDistance = Math.max(distance, view.current.sphere.radius * 4) * 20;
    controls.target.copy(center);
    const place = () => {
      camera.position.copy(controls.target).addScaledVector(direction, distance);
      update();
      camera.updateMatrixWorld();
    };
    for (let round = 0; round < 5; round++) {
      place();
      const seen = new THREE.Box3().setFromPoints(corners.map((corner) => corner.clone().project(camera)));
      const [middle, size] = [seen.getCenter(new THREE.Vector3()), seen.getSize(new THREE.Vector3())];
      const depth = controls.target.clone().project(camera).z;
      controls.target.copy(new THREE.Vector3(middle.x, middle.y, depth).unproject(camera));
      distance *= Math.max(size.x, size.y, 1e-3) / 2 / 0.88;
      distance = Math.max(distance, radius * 0.01);
    }
    place();
    view.draw();
  }

  // Where the camera is, and back to it.
  view.place = () => ({ position: camera.position.clone(), target: controls.target.clone() });
  view.goTo = ({ position, target }) => {
    camera.position.copy(position);
    controls.target.copy(target);
    update();
    view.draw();
  };

  view.zoom = (factor) => {
    camera.position.sub(controls.target).multiplyScalar(factor).add(controls.target);
    update();
    view.draw();
  };

  view.turn = (right, up) => {
    const offset = camera.position.clone().sub(controls.target);
    offset.applyAxisAngle(camera.up, right);
    const side = new THREE.Vector3().crossVectors(camera.up, offset).normalize();
    offset.applyAxisAngle(side, -up);
    camera.position.copy(controls.target).add(offset);
    update();
    view.move();
  };

  // World units that one pixel covers at a point.
  view.unitsPerPixel = (point) => {
    const depth = -point.clone().applyMatrix4(camera.matrixWorldInverse).z;
    return (2 * Math.max(depth, camera.near) * Math.tan(HALF_FIELD)) / seen.height;
  };

  const place = new THREE.Vector3();

  // Gives lines and tips of arrows their sizes in pixels.
  function sizeMarks(object, unit, isPicked) {
    const thin = unit * AXIS_PIXELS * (isPicked ? 1.8 : 1);
    object.traverse((part) => {
      if (part.userData.isThin) part.scale.x = part.scale.z = thin;
      if (part.userData.isTip) {
        const [radius, length] = TIP_PIXELS;
        part.scale.set(unit * radius, Math.min(unit * length, part.userData.isTip), unit * radius);
      }
    });
  }

  function sizeFrame(frame, isPicked) {
    const unit = view.unitsPerPixel(frame.getWorldPosition(place));
    frame.scale.setScalar(unit * FRAME_PIXELS);
    const thin = (AXIS_PIXELS * (isPicked ? 1.8 : 1)) / FRAME_PIXELS;
    frame.traverse((part) => part.userData.isThin && (part.scale.x = part.scale.z = thin));
  }

  // Draws once, at the end, whatever is to be drawn of what is done.
  view.atOnce = (work) => {
    held += 1;
    try {
      work();
    } finally {
      held -= 1;
      if (isWanted) view.draw();
    }
  };

  view.draw = () => {
    isWanted = held > 0;
    if (isWanted) return;
    const { current, picked } = view;
    const distance = camera.position.distanceTo(current.sphere.center);
    const radius = 4 * current.sphere.radius;
    camera.far = distance + radius;
    camera.near = Math.max(distance - radius, camera.far * 1e-4);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    sun.position.copy(camera.position).addScaledVector(camera.up, distance);
    sun.target.position.copy(controls.target);
    for (const link of current.links) {
      const isPicked = link === picked;
      if (link.parts.joints.visible) sizeFrame(link.parts.joints, isPicked);
      if (!link.centre || !link.frame.visible) continue;
      const { com, axes, ghost, besides } = link.parts;
      const unit = view.unitsPerPixel(link.centre.getWorldPosition(place));
      const isFree = isPicked || !link.extent;
      com.scale.setScalar(isFree ? unit * MARKER_PIXELS : Math.min(unit * MARKER_PIXELS, MARKER_SHARE * link.extent));
      if (besides?.visible) besides.traverse((part) => part.userData.isMark && part.scale.copy(com.scale));
      for (const part of [axes, ghost]) if (part?.visible) sizeMarks(part, unit, isPicked);
    }
    for (const joint of current.scene.joints) if (joint.frame?.visible) sizeFrame(joint.frame, joint === picked);
    for (const total of current.scene.totals) {
      total.marker.scale.setScalar(view.unitsPerPixel(total.marker.position) * 1.5 * MARKER_PIXELS);
    }
    view.beforeRender?.();
    renderer.render(world, camera);
  };

  // While it moves, it is drawn as fine as there is time for, and as fine as the screen is when it rests.
  let last = 0;
  let share = 1;
  let rest = null;
  view.move = () => {
    const passed = performance.now() - last;
    last = performance.now();
    if (passed > SLOW_FRAME && passed < REST && share === 1) setShare(MOVING_SHARE);
    else view.draw();
    clearTimeout(rest);
    rest = setTimeout(() => share !== 1 && setShare(1), REST);
  };

  function setShare(wanted) {
    share = wanted;
    view.resize();
  }

  view.resize = () => {
    const { clientWidth: width, clientHeight: height } = stage;
    if (!width || !height) return;
    seen.height = height;
    renderer.setPixelRatio(window.devicePixelRatio * share);
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    view.draw();
  };

  // The picture as a PNG; what was drawn is there until the browser shows the next frame.
  view.picture = () => {
    view.draw();
    return canvas.toDataURL("image/png");
  };

  view.pixelOf = (point) => {
    const p = point.clone().project(camera);
    return { x: ((p.x + 1) / 2) * canvas.clientWidth, y: ((1 - p.y) / 2) * canvas.clientHeight, depth: p.z };
  };

  view.comPixel = (link) => view.pixelOf(link.centre.getWorldPosition(new THREE.Vector3()));

  view.rayAt = (x, y) => {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((x / canvas.clientWidth) * 2 - 1, 1 - (y / canvas.clientHeight) * 2), camera);
    return ray;
  };

  const isSeen = (object) => {
    for (let each = object; each; each = each.parent) if (!each.visible) return false;
    return true;
  };

  view.linkUnder = (x, y) => {
    const near = view.current.links
      .filter((link) => link.centre && isSeen(link.parts.com))
      .map((link) => ({ link, ...view.comPixel(link) }))
      .map((mark) => ({ ...mark, distance: Math.hypot(mark.x - x, mark.y - y) }))
      .filter((mark) => mark.distance <= PICK_PIXELS && Math.abs(mark.depth) <= 1)
      .sort((a, b) => a.distance - b.distance || a.depth - b.depth);
    if (near.length) return near[0].link;
    const bodies = [];
    view.current.root.traverse((object) => {
      if (object.userData.isBody && isSeen(object)) bodies.push(object);
    });
    // What is cut away is not in the way.
    const isThere = ({ object, point }) => !object.userData.link.materials[0].clippingPlanes?.some((plane) => plane.distanceToPoint(point) < 0);
    return view.rayAt(x, y).intersectObjects(bodies, false).find(isThere)?.object.userData.link ?? null;
  };

  view.isSeen = isSeen;
  return view;
}
