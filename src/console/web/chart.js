// @ts-check
/// <reference lib="dom" />
/** Curves over days, with the figures in a table for those who do not see them. */
import plot from "./lib/uplot.js";
import { html } from "./ui.js";

/** Typed by hand: the library's own types do not come along. */
const uPlot = /** @type {any} */ (plot);

/**
 * @typedef {{ name: string, values: (number | null)[], axis?: "left" | "right", show?: (value: number) => string }} Curve
 */

/**
 * A chart of days. Days from `immatureFrom` on are drawn lighter and dashed: their figures still change.
 *
 * @param {{ label: string, days: string[], curves: Curve[], immatureFrom?: string, height?: number, first?: string, tick?: (day: string) => string }} props
 *   `first` heads the column of days, `tick` writes one
 */
export function Chart({ label, days, curves, immatureFrom, height = 220, first = "Day", tick = (day) => day.slice(5) }) {
  const key = JSON.stringify([days, curves.map(({ name, values }) => [name, values])]);
  return html`<figure class="chart">
    <div class="canvas" role="img" aria-label=${label} key=${key} style=${{ height: `${height}px` }}
      ref=${(/** @type {any} */ box) => box !== null && draw(box, { days, curves, immatureFrom, height, tick })}></div>
    <ul class="legend">${curves.map(({ name }, at) => html`<li><span class=${`dot s${at + 1}`} aria-hidden="true"></span>${name}</li>`)}
      ${immatureFrom && days.some((day) => day >= immatureFrom) && html`<li class="under">dashed: days that still change</li>`}</ul>
    <details><summary>Figures of the chart</summary><div class="scroll"><table class="plain">
      <thead><tr><th scope="col">${first}</th>${curves.map(({ name }) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
      <tbody>${days.map((day, at) => html`<tr><td>${first === "Day" ? day : tick(day)}</td>${
    curves.map(({ values, show = String }) => {
      const value = values[at] ?? null;
      return html`<td class="number">${value === null ? "" : show(value)}</td>`;
    })
  }</tr>`)}</tbody></table></div></details>
  </figure>`;
}

const dark = matchMedia("(prefers-color-scheme: dark)");

/**
 * @param {any} box
 * @param {{ days: string[], curves: Curve[], immatureFrom?: string | undefined, height: number, tick: (day: string) => string }} chart
 */
function draw(box, { days, curves, immatureFrom, height, tick }) {
  if (box.plot !== undefined) return;
  const paint = () => {
    box.plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const color = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
    const cut = immatureFrom === undefined ? days.length : days.findIndex((day) => day >= immatureFrom);
    const mature = cut === -1 ? days.length : cut;
    const axis = { stroke: color("--muted"), grid: { stroke: color("--line"), width: 1 }, ticks: { show: false } };
    /** @type {any[]} */
    const data = [days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000)];
    /** @type {any[]} */
    const series = [{}];
    curves.forEach(({ values, axis: scale = "left" }, at) => {
      const stroke = color(`--series-${at + 1}`);
      data.push(values.map((value, day) => day < mature ? value : null));
      // The dashed curve begins at the last firm day, so that the two meet.
      data.push(values.map((value, day) => day >= mature - 1 ? value : null));
      series.push({ stroke, width: 2, scale }, { stroke, width: 1.5, dash: [4, 4], alpha: 0.75, scale });
    });
    const hasRight = curves.some(({ axis: scale }) => scale === "right");
    const axes = [
      { ...axis, values: (/** @type {any} */ _plot, /** @type {number[]} */ ticks) =>
        ticks.map((at) => tick(new Date(at * 1000).toISOString().slice(0, 10))) },
      { ...axis, scale: "left", size: 60 },
      ...(hasRight ? [{ ...axis, scale: "right", side: 1, size: 50, grid: { show: false } }] : []),
    ];
    const width = Math.max(200, box.clientWidth);
    box.plot = new uPlot({
      width,
      height,
      series,
      axes,
      scales: { left: { range: fromZero }, right: { range: fromZero } },
      legend: { show: false },
      cursor: { show: false },
      tzDate: (/** @type {number} */ seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    }, data, box);
  };
  paint();
  const resized = new ResizeObserver(() => {
    if (!box.isConnected) return resized.disconnect();
    box.plot.setSize({ width: Math.max(200, box.clientWidth), height });
  });
  resized.observe(box);
  dark.addEventListener("change", () => box.isConnected && paint());
}

/**
 * @param {unknown} _plot
 * @param {number} _low
 * @param {number} high
 */
function fromZero(_plot, _low, high) {
  return [0, high > 0 ? high * 1.1 : 1];
}
