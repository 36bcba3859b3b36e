// A page that changes nothing: it is loaded again when what is on disk has changed.

function startWatching() {
  const told = byId("told");
  const version = Number(byId("toolbar").dataset.version);
  let isChecked = "checked" in byId("toolbar").dataset;

  async function look() {
    const status = await answerOf("status");
    if (status.version !== version) return location.reload();
    told.textContent = status.onDisk === "gone" ? "The file is gone." : "";
    if (status.isChecked === isChecked) return;
    const state = await answerOf("state");
    isChecked = state.isChecked;
    if (showAnswer(state)) page.pick(page.view.picked, { scroll: false });
  }

  async function watch() {
    await look().catch(() => (told.textContent = "The server has ended."));
    setTimeout(watch, BETWEEN_QUESTIONS);
  }

  watch();
  byId("close").addEventListener("click", async () => {
    await fetch("./close", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
    told.textContent = "The server has ended.";
  });
}

if (window.sdfinertia) startWatching();
