import type { Figures } from "../../../store/figures/figures.ts";
import { type FigureChart, figureCharts } from "./figure_charts.ts";

const WIDTH = 760;
const HEIGHT = 280;
const EDGE = { top: 44, right: 16, bottom: 40, left: 72 };
const COLORS = { cost: "#0b5cad", sales: "#b35c00" } as const;
const STEPS = 4;

export function figuresSvg(found: Pick<Figures, "columns" | "rows" | "period">): string {
  const charts = figureCharts(found);
  const { start, end } = found.period;
  const drawn = charts.map((chart, at) =>
    `<g transform="translate(0 ${at * HEIGHT})">\n${chartOf(chart, `${start} to ${end}`)}\n</g>`
  );
  const height = Math.max(1, charts.length) * HEIGHT;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" ` +
    `role="img" aria-label="Cost and sales, ${start} to ${end}" font-family="sans-serif" font-size="12">\n` +
    `<rect width="100%" height="100%" fill="#fff"/>\n${drawn.join("\n")}\n</svg>\n`;
}

function chartOf({ currency, isTime, points }: FigureChart, period: string): string {
  const most = niceMaximum(Math.max(0, ...points.flatMap(({ cost, sales }) => [cost, sales])));
  const [width, height] = [WIDTH - EDGE.left - EDGE.right, HEIGHT - EDGE.top - EDGE.bottom];
  const slot = width / Math.max(1, points.length);
  const x = (at: number): number => round(EDGE.left + slot * (at + 0.5));
  const y = (amount: number): number => round(EDGE.top + height * (1 - amount / most));
  const grid = Array.from({ length: STEPS + 1 }, (_, step) => {
    const amount = most * step / STEPS;
    return `<line x1="${EDGE.left}" x2="${WIDTH - EDGE.right}" y1="${y(amount)}" y2="${
      y(amount)
    }" stroke="#ddd"/>` +
      `<text x="${EDGE.left - 8}" y="${y(amount) + 4}" text-anchor="end" fill="#555">${
        amount.toLocaleString("en-US")
      }</text>`;
  });
  // Names that would overlap are left out; the first and every so many stay.
  const every = Math.max(1, Math.ceil(80 / slot));
  const names = points.flatMap(({ name }, at) =>
    at % every === 0
      ? [
        `<text x="${x(at)}" y="${HEIGHT - 18}" text-anchor="middle" fill="#555">${
          escaped(shortened(name, Math.max(10, slot * every / 7)))
        }</text>`,
      ]
      : []
  );
  const series = (["cost", "sales"] as const).map((key, side) => {
    if (isTime) {
      const line = points.map((point, at) => `${x(at)},${y(point[key])}`).join(" ");
      return `<polyline points="${line}" fill="none" stroke="${COLORS[key]}" stroke-width="2"/>`;
    }
    const bar = slot * 0.36;
    return points.map((point, at) =>
      `<rect x="${round(x(at) + (side - 1) * bar)}" y="${y(point[key])}" width="${round(bar)}" ` +
      `height="${round(EDGE.top + height - y(point[key]))}" fill="${COLORS[key]}"><title>${
        escaped(point.name)
      }: ${point[key]}</title></rect>`
    ).join("");
  });
  const title = `<text x="${EDGE.left}" y="20" font-size="14" font-weight="bold">Cost and sales${
    currency === null ? "" : `, ${escaped(currency)}`
  }, ${period}</text>`;
  const key = (["cost", "sales"] as const).map((name, at) =>
    `<rect x="${EDGE.left + at * 72}" y="28" width="10" height="10" fill="${COLORS[name]}"/>` +
    `<text x="${EDGE.left + at * 72 + 14}" y="37">${name}</text>`
  );
  return [title, ...key, ...grid, ...series, ...names].join("\n");
}

/** Rounds up to the next 1, 2, 4 or 5 times a power of ten. */
function niceMaximum(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([1, 2, 4, 5, 10].find((step) => step * power >= most) ?? 10);
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

function shortened(name: string, length: number): string {
  const characters = [...name];
  return characters.length <= length ? name : `${characters.slice(0, length - 1).join("")}…`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(
    '"',
    "&quot;",
  );
}
