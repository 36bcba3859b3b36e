// A page that a server answers: what it says of links, findings and sums takes the place of what is there.

// What is drawn of a link, and what is copied.
const DRAWN = ["level", "status", "pose", "shapes", "visuals", "com", "axes", "box", "ellipsoid", "isComputed", "ghost", "besides", "texts"];
const BETWEEN_QUESTIONS = 400; // ms

// Whether it could be shown; a page of other links is loaded again.
function showAnswer(answer) {
  const { links, drawing, data, table, tree } = page;
  if (Object.entries(answer.links).some(([id, { data: { name } }]) => links[id]?.name !== name)) {
    location.reload();
    return false;
  }
  table.replace(answer.links);
  for (const [id, { data: drawn }] of Object.entries(answer.links)) {
    const link = links[Number(id)];
    const after = { ...drawn, shapes: withSurfaces(drawn.shapes, link.shapes), visuals: withSurfaces(drawn.visuals, link.visuals) };
    if (DRAWN.every((key) => JSON.stringify(link[key]) === JSON.stringify(after[key]))) continue;
    for (const key of DRAWN) delete link[key];
    Object.assign(link, after);
    if (link.frame && !link.shapes.some((shape) => shape.kind === "plane")) {
      drawing.redraw(link, data.scenes[link.scene].links.indexOf(link));
    }
  }
  table.replaceFindings(answer.findings);
  byId("counts").innerHTML = answer.counts;
  byId("summary").innerHTML = answer.summary;
  tree.updateTotals(answer.totals);
  tree.updateLevels();
  showUnits(byId("summary"));
  showUnits(byId("nodes"));
  drawing.recolour(links);
  table.swatches();
  return true;
}

// Shapes as the server tells them, with the surfaces that came with the page.
function withSurfaces(shapes, before) {
  const surfaces = new Map(before.map((shape) => [shape.name, shape.surface]));
  return shapes.map((shape) => (shape.dimensions || shape.mesh ? shape : { ...shape, surface: surfaces.get(shape.name) }));
}

async function answerOf(name) {
  const answer = await fetch(`./${name}`);
  return answer.json();
}
