// @ts-check
/// <reference lib="dom" />
import { pageEffect, signal } from "./ui.js";

const OFF = "adsctl-console-keys";

export const keysOn = signal(localStorage.getItem(OFF) !== "off");

/** @typedef {{ key: string, does: string, run: (event: KeyboardEvent) => void }} PageKey */

/** @type {PageKey[]} */
let own = [];
/** @type {PageKey[]} */
let everywhere = [];

/**
 * Sets the keys of a page until another one is opened.
 *
 * @param {PageKey[]} keys
 */
export function pageKeys(keys) {
  own = keys;
  pageEffect(() => () => {
    if (own === keys) own = [];
  });
}

/** @param {PageKey[]} keys of every page */
export function commonKeys(keys) {
  everywhere = keys;
  addEventListener("keydown", (event) => {
    if (!keysOn.value && event.key !== "?") return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
    if (document.querySelector("dialog[open]") !== null) return;
    // A link or a button in focus is what Enter means.
    if (event.key === "Enter" && event.target instanceof Element && event.target.closest("a, button, summary") !== null) return;
    const found = [...own, ...everywhere].find(({ key }) => key === event.key);
    if (found === undefined) return;
    event.preventDefault();
    found.run(event);
  });
}

export function allKeys() {
  return [...own, ...everywhere];
}

/** @param {boolean} on */
export function switchKeys(on) {
  localStorage.setItem(OFF, on ? "on" : "off");
  keysOn.value = on;
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && target.getAttribute("type") !== "checkbox");
}
