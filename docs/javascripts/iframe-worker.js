// Browsers start no worker from a page on disk: there a hidden frame runs the script of the search in its place.
if (location.protocol === "file:") {
  const load = (page, url) => new Promise((loaded) => {
    const script = page.createElement("script");
    script.src = url;
    script.onload = loaded;
    page.body.append(script);
  });
  // The search looks for this name to find its languages.
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.scope = frame.contentWindow;
      const page = frame.contentDocument;
      page.open();
      page.write("<!doctype html><body>");
      page.close();
      this.scope.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.scope.importScripts = (...urls) => urls.reduce((before, each) => before.then(() => load(page, each)), Promise.resolve());
      this.ready = load(page, url);
    }
    postMessage(data) {
      this.ready.then(() => this.scope.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
  window.Worker = window.IFrameWorker;
}
