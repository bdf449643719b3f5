// From one place of the page to another.

export function go(path) {
  history.pushState(null, "", `/app/${path}`);
  window.dispatchEvent(new PopStateEvent("popstate"));
}
