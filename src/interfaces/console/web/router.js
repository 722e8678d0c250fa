// @ts-check
/// <reference lib="dom" />
import { signal } from "./ui.js";

export const path = signal(location.pathname);

export const query = signal(Object.fromEntries(new URLSearchParams(location.search)));

addEventListener("popstate", read);

function read() {
  path.value = location.pathname;
  query.value = Object.fromEntries(new URLSearchParams(location.search));
}

/**
 * Opens another page of the console.
 *
 * @param {string} address
 */
export function go(address) {
  history.pushState(null, "", address);
  read();
  scrollTo(0, 0);
  document.getElementById("main")?.focus();
}

/**
 * Changes values of the address in place; an empty one is taken out.
 *
 * @param {Record<string, string>} values
 */
export function setQuery(values) {
  const all = Object.entries({ ...query.value, ...values }).filter(([, value]) => value !== "");
  const text = new URLSearchParams(all).toString();
  history.replaceState(null, "", path.value + (text === "" ? "" : `?${text}`));
  query.value = Object.fromEntries(all);
}

/**
 * Lets plain clicks on links of the console change the page without loading it anew.
 *
 * @param {MouseEvent} event
 */
export function followLink(event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (link === null || !plain || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  event.preventDefault();
  go(link.pathname + link.search);
}
