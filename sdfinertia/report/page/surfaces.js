// The triangles of meshes: those that stand in the page, and those that its server sends once the page is open.

const ASKED_AT_ONCE = 4;

function makeSurfaces(THREE, inPage) {
  const known = new Map();
  const waiting = [];
  let asked = 0;
  const surfaces = { total: 0, arrived: 0, problems: [], isCoarser: false, onArrival: () => {} };

  const bytes = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)).buffer;

  function entryOf(positions, indices) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    geometry.setIndex(new THREE.BufferAttribute(indices, 1));
    let edges = null;
    return {
      geometry,
      get edges() {
        return (edges ??= new THREE.EdgesGeometry(geometry, 35));
      },
    };
  }

  function ofPage(index) {
    const { positions, indices, width } = inPage[index];
    const numbers = width === "2" ? new Uint16Array(bytes(indices)) : new Uint32Array(bytes(indices));
    return entryOf(new Float32Array(bytes(positions)), numbers);
  }

  // As `surface_bytes` of the server lays them out.
  function ofBytes(buffer) {
    const [vertices, faces, isCoarser] = new Uint32Array(buffer, 0, 3);
    surfaces.isCoarser ||= isCoarser === 1;
    const positions = new Float32Array(buffer, 12, 3 * vertices);
    return entryOf(positions, new Uint32Array(buffer, 12 + 12 * vertices, 3 * faces));
  }

  async function ask(name) {
    const answer = await fetch(`./mesh/${name}`);
    if (!answer.ok) throw new Error((await answer.json()).error);
    return ofBytes(await answer.arrayBuffer());
  }

  async function askNext() {
    if (asked >= ASKED_AT_ONCE || !waiting.length) return;
    const name = waiting.shift();
    const each = known.get(name);
    asked += 1;
    try {
      each.entry = await ask(name);
      for (const user of each.users) user(each.entry);
    } catch (error) {
      surfaces.problems.push(error.message);
    }
    each.users = [];
    asked -= 1;
    surfaces.arrived += 1;
    surfaces.onArrival();
    askNext();
  }

  // Gives the surface of a shape to who draws it: now, or when it comes.
  surfaces.use = ({ surface, mesh }, user) => {
    const key = mesh ?? surface;
    if (!known.has(key)) {
      known.set(key, { entry: mesh ? null : ofPage(surface), users: [] });
      if (mesh) {
        surfaces.total += 1;
        waiting.push(mesh);
        askNext();
      }
    }
    const { entry, users } = known.get(key);
    if (entry) user(entry);
    else users.push(user);
  };

  return surfaces;
}
