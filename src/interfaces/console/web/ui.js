// @ts-check
/// <reference lib="dom" />
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
  return html`<span class=${`badge ${kind}`}><${Icon} name=${SIGNS[kind] ?? "dot"} /> ${children}</span>`;
}

/**
 * A sign and words without a ground, for lines of a list.
 *
 * @param {{ kind: string, children?: unknown }} props
 */
export function Sign({ kind, children }) {
  const color = { good: "good", bad: "bad", deny: "bad", advise: "warn", approve: "warn", wait: "warn" }[kind] ?? "muted";
  return html`<span class="sign"><span class=${color}><${Icon} name=${SIGNS[kind] ?? "dot"} /></span> <span class="cut">${children}</span></span>`;
}

/** @type {Record<string, string>} */
export const SIGNS = {
  good: "check", bad: "cross", deny: "cross", wait: "ring", muted: "dash", note: "info", advise: "warning", approve: "ask",
  now: "half", drift: "swap", undo: "undo",
};

const PATHS = {
  check: "M3 8.5l3.2 3L13 4.5",
  cross: "M8 1.8a6.2 6.2 0 1 0 0 12.4a6.2 6.2 0 1 0 0-12.4M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4",
  ring: "M8 2.8a5.2 5.2 0 1 0 0 10.4a5.2 5.2 0 1 0 0-10.4",
  half: "M8 2.8a5.2 5.2 0 1 0 0 10.4a5.2 5.2 0 1 0 0-10.4M8 4v8M9.5 4.4v7.2M11 5.4v5.2",
  dot: "M8 7.2v1.6",
  dash: "M4 8h8",
  info: "M8 1.8a6.2 6.2 0 1 0 0 12.4a6.2 6.2 0 1 0 0-12.4M8 7.4v3.6M8 5v.2",
  warning: "M8 2.2L14.2 13.4H1.8zM8 6.4v3.4M8 11.6v.1",
  ask: "M8 1.8a6.2 6.2 0 1 0 0 12.4a6.2 6.2 0 1 0 0-12.4M6.3 6.3c.2-2.2 3.6-2.1 3.4 0c-.1 1.2-1.7 1.3-1.7 2.6M8 11v.1",
  swap: "M2 5.4h11M10.4 2.8L13 5.4L10.4 8M14 10.6H3M5.6 8L3 10.6l2.6 2.6",
  undo: "M5.4 3L2.6 5.8l2.8 2.8M2.6 5.8h7a3.6 3.6 0 0 1 0 7.2H6",
  menu: "M2 4h12M2 8h12M2 12h12",
};

/** @param {{ name: string }} props */
export function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d=${PATHS[/** @type {keyof typeof PATHS} */ (name)]} /></svg>`;
}

/**
 * A message that is read out as soon as it appears. An error says what failed; nothing was sent by reading.
 *
 * @param {{ error?: unknown, again?: () => void, children?: unknown }} props `again` reads once more
 */
export function Notice({ error, again, children }) {
  if (error) {
    const text = error instanceof Error ? error.message : String(error);
    return html`<div class="notice bad" role="alert"><span class="bad"><${Icon} name="cross" /></span> ${visible(text)}${
      again && html` <button type="button" onClick=${again}>Try again</button>`}</div>`;
  }
  return html`<div class="notice" role="status">${children}</div>`;
}

/** Appears only after 150 ms. */
export function Loading() {
  return html`<div class="loading" role="status"><span class="hidden">Loading …</span><i></i><i></i><i></i></div>`;
}

/**
 * A command for the terminal, to copy; its text is empty while a part of it is read.
 *
 * @param {{ text: string }} props
 */
export function Command({ text }) {
  if (text === "") return html`<${Loading} />`;
  return html`<div class="command"><code>${text}</code><${Copy} text=${text} /></div>`;
}

/**
 * A command within a sentence; its text is empty while a part of it is read.
 *
 * @param {{ text: string }} props
 */
export function CommandWords({ text }) {
  return text === "" ? "…" : html`<code>${text}</code>`;
}

/**
 * A button that copies a text, and says so.
 *
 * @param {{ text: string, word?: string }} props
 */
export function Copy({ text, word = "Copy" }) {
  return html`<button type="button" class="link" onClick=${async (/** @type {any} */ { currentTarget }) => {
    await navigator.clipboard?.writeText(text).then(() => (currentTarget.textContent = "Copied"), () => {});
    setTimeout(() => (currentTarget.textContent = word), 1500);
  }}>${word}</button>`;
}

export const phone = signal(matchMedia("(max-width: 639px)").matches);
matchMedia("(max-width: 639px)").addEventListener("change", ({ matches }) => (phone.value = matches));

/**
 * A choice of few words, of which one holds.
 *
 * @param {{ label: string, value: string, options: (readonly [value: string, word: unknown])[], onChange: (value: string) => void }} props
 */
export function Switch({ label, value, options, onChange }) {
  return html`<span class="switch" role="group" aria-label=${label}>${options.map(([one, word]) => html`
    <button type="button" aria-pressed=${one === value} onClick=${() => onChange(one)}>${word}</button>`)}</span>`;
}

/**
 * @param {{ label: string, value: string, options: (readonly [value: string, word: unknown])[], onChange: (value: string) => void, isLate?: boolean }} props `isLate`: options are added later, for which it keeps its width
 */
export function Select({ label, value, options, onChange, isLate = false }) {
  return html`<label class=${isLate ? "choice late" : "choice"}>${label} <select value=${value} disabled=${isLate && options.length < 2} onChange=${(/** @type {any} */ { target }) => onChange(target.value)}>
    ${options.map(([one, word]) => html`<option value=${one} selected=${one === value}>${word}</option>`)}</select></label>`;
}
