// @ts-check
/// <reference lib="dom" />
import { html } from "./ui.js";

export const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/**
 * @typedef {{ day: number, hour: number }} Place
 * @typedef {{ from: Place, to: Place }} Chosen
 */

/**
 * @param {{
 *   label: string, show: (place: Place) => string, speak: (place: Place) => string, shade: (place: Place) => string,
 *   chosen?: Chosen, now?: Place | undefined, onChoose?: (chosen: Chosen) => void, onKey?: (key: string) => boolean,
 * }} props `shade` gives a class of the style sheet; `onKey` says whether it used the key
 */
export function Heat({ label, show, speak, shade, chosen, now, onChoose, onKey }) {
  const at = chosen?.to ?? { day: 0, hour: 0 };
  const id = (/** @type {Place} */ { day, hour }) => `${label.replace(/\W+/g, "-").toLowerCase()}-${day}-${hour}`;
  const within = (/** @type {number} */ day, /** @type {number} */ hour) => chosen !== undefined && onChoose !== undefined &&
    between(day, chosen.from.day, chosen.to.day) && between(hour, chosen.from.hour, chosen.to.hour);
  const moved = (/** @type {any} */ event) => {
    const steps = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -23], End: [0, 23] });
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) {
      if (!event.ctrlKey && !event.metaKey && !event.altKey && onKey?.(event.key)) event.preventDefault();
      return;
    }
    event.preventDefault();
    const place = { day: clamp(at.day + step[0], 6), hour: clamp(at.hour + step[1], 23) };
    onChoose?.({ from: event.shiftKey && chosen !== undefined ? chosen.from : place, to: place });
    document.getElementById(id(place))?.focus();
  };
  return html`<div class="scroll"><table class="heat" role="grid" aria-label=${label} aria-multiselectable=${onKey !== undefined} onKeyDown=${moved}>
    <thead><tr><th scope="col"><span class="hidden">Day</span></th>${Array.from({ length: 24 }, (_, hour) => html`<th scope="col">${two(hour)}</th>`)}</tr></thead>
    <tbody>${DAYS.map((name, day) => html`<tr><th scope="row">${name.slice(0, 3)}</th>${Array.from({ length: 24 }, (_, hour) => html`
      <td id=${id({ day, hour })} role="gridcell" tabindex=${at.day === day && at.hour === hour ? 0 : -1} aria-label=${`${name} ${two(hour)}:00, ${speak({ day, hour })}`}
        aria-selected=${onKey === undefined ? undefined : within(day, hour)} class=${[shade({ day, hour }), within(day, hour) ? "chosen" : "", now?.day === day && now.hour === hour ? "now" : ""].join(" ")}
        onClick=${(/** @type {any} */ event) => onChoose?.({ from: event.shiftKey && chosen !== undefined ? chosen.from : { day, hour }, to: { day, hour } })}>${show({ day, hour })}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

/**
 * Each place of a choice.
 *
 * @param {Chosen} chosen
 */
export function placesOf({ from, to }) {
  const places = [];
  for (let day = Math.min(from.day, to.day); day <= Math.max(from.day, to.day); day++) {
    for (let hour = Math.min(from.hour, to.hour); hour <= Math.max(from.hour, to.hour); hour++) places.push({ day, hour });
  }
  return places;
}

/**
 * The class of a value between the least and the most of a map.
 *
 * @param {number} value
 * @param {number} least
 * @param {number} most
 */
export function heatClass(value, least, most) {
  return `h${most > least ? Math.min(6, Math.floor((value - least) / (most - least) * 7)) : 0}`;
}

/**
 * The class of a factor: grey below 1, the accent above.
 *
 * @param {number} factor
 */
export function factorClass(factor) {
  if (factor === 1) return "h0";
  return factor < 1 ? `c${factor <= 0.6 ? 3 : factor <= 0.85 ? 2 : 1}` : `h${Math.min(6, 1 + Math.floor((factor - 1) / 0.15))}`;
}

/** @param {number} hour */
export function two(hour) {
  return String(hour).padStart(2, "0");
}

/**
 * @param {number} value
 * @param {number} one
 * @param {number} other
 */
function between(value, one, other) {
  return value >= Math.min(one, other) && value <= Math.max(one, other);
}

/**
 * @param {number} value
 * @param {number} most
 */
function clamp(value, most) {
  return Math.max(0, Math.min(most, value));
}
