// A page that a server answers and that changes nothing: it is loaded again when what is on disk has changed.

function startWatching() {
  const told = byId("told");
  const version = Number(byId("toolbar").dataset.version);
  setInterval(async () => {
    try {
      const status = await (await fetch("./status")).json();
      if (status.version !== version) location.reload();
      told.textContent = status.onDisk === "gone" ? "The file is gone." : "";
    } catch {
      told.textContent = "The server has ended.";
    }
  }, 400);
  byId("close").addEventListener("click", async () => {
    await fetch("./close", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
    told.textContent = "The server has ended.";
  });
}

if (window.sdfinertia) startWatching();
