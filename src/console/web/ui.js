// @ts-check
/// <reference lib="dom" />
/** What pages are drawn with: `html` makes elements, signals hold state, and whatever reads a signal is drawn again. */
import { createElement } from "./lib/preact.js";
import htm from "./lib/htm.js";
import { computed, effect, signal, untracked } from "./lib/signals.js";

export { render } from "./lib/preact.js";
export { computed, effect, signal, untracked };

export const html = htm.bind(createElement);

/** @type {(() => void)[]} */
let ends = [];

/**
 * An effect that ends when another page is opened.
 *
 * @param {() => void} run
 */
export function pageEffect(run) {
  ends.push(effect(run));
}

/** Ends the effects of the page that is left. */
export function endPageEffects() {
  ends.forEach((end) => end());
  ends = [];
}

const INVISIBLE =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/**
 * A text of the account as it may be shown: what is invisible, or turns the direction of what follows, is spelt out. The
 * same as `visibleText` of the library; a test compares them.
 *
 * @param {unknown} text
 */
export function visible(text) {
  return String(text ?? "").replace(INVISIBLE, (char) => {
    if (char === "\n" || char === "\r" || char === "\t") return " ";
    const code = char.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
  });
}

/**
 * A sign and a word for a state, never colour alone.
 *
 * @param {{ kind: string, children?: unknown }} props
 */
export function Badge({ kind, children }) {
  const sign = SIGNS[kind] ?? "•";
  return html`<span class=${`badge ${kind}`}><span aria-hidden="true">${sign}</span> ${children}</span>`;
}

/** @type {Record<string, string>} */
const SIGNS = { good: "✓", bad: "✗", wait: "●", muted: "–", note: "i", advise: "!", approve: "‼", deny: "✗" };

/**
 * A message that is read out as soon as it appears.
 *
 * @param {{ error?: unknown, children?: unknown }} props
 */
export function Notice({ error, children }) {
  if (error) {
    const text = error instanceof Error ? error.message : String(error);
    return html`<p class="notice bad" role="alert">${visible(text)}</p>`;
  }
  return html`<p class="notice" role="status">${children}</p>`;
}

/** Shown while something loads; of the height of a line, so that nothing moves. */
export function Loading() {
  return html`<p class="loading" role="status">Loading …</p>`;
}
