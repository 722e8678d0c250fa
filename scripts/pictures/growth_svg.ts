/** One curve: what was measured at each size. */
export interface Curve {
  /** What it shows, with its unit. */
  readonly title: string;
  /** Points by growing size. */
  readonly points: readonly { readonly size: number; readonly value: number }[];
}

const PANEL = { width: 340, height: 240, left: 64, right: 20, top: 40, bottom: 42 };
const GAP = 16;

/** Colours that can be told apart on a light page and on a dark one. */
const STYLE = `
  .panel { fill: #16202b }
  text { font: 12px system-ui, sans-serif; fill: #d7dee6 }
  .title { font-weight: bold; fill: #ffffff }
  .grid { stroke: #33414f }
  .curve { stroke: #6cb2f7; stroke-width: 2; fill: none }
  .point { fill: #6cb2f7 }
`;

/**
 * Draws curves side by side, both axes logarithmic, so that what grows in proportion is a straight line of one slope.
 *
 * @param title What the picture shows; its text for readers who cannot see it.
 */
export function growthSvg(curves: readonly Curve[], { title }: { title: string }): string {
  const columns = 2;
  const rows = Math.ceil(curves.length / columns);
  const width = columns * PANEL.width + (columns + 1) * GAP;
  const height = rows * PANEL.height + (rows + 1) * GAP;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `role="img" aria-label="${title}">`,
    `<style>${STYLE}</style>`,
    `<rect class="panel" width="${width}" height="${height}" rx="10"/>`,
    ...curves.flatMap((curve, at) => {
      const x = GAP + (at % columns) * (PANEL.width + GAP);
      const y = GAP + Math.floor(at / columns) * (PANEL.height + GAP);
      return [`<g transform="translate(${x} ${y})">`, ...panel(curve), "</g>"];
    }),
    "</svg>",
    "",
  ].join("\n");
}

function panel({ title, points }: Curve): string[] {
  const [left, right] = [PANEL.left, PANEL.width - PANEL.right];
  const [top, bottom] = [PANEL.top, PANEL.height - PANEL.bottom];
  const across = scale(points.map(({ size }) => size), left, right);
  const up = scale(points.map(({ value }) => value), bottom, top);
  const at = ({ size, value }: { size: number; value: number }): string =>
    `${across.at(size).toFixed(1)} ${up.at(value).toFixed(1)}`;
  return [
    `<text class="title" x="${left}" y="18">${title}</text>`,
    ...up.ticks.flatMap((tick) => {
      const y = up.at(tick).toFixed(1);
      return [
        `<line class="grid" x1="${left}" y1="${y}" x2="${right}" y2="${y}"/>`,
        `<text x="${left - 8}" y="${y}" dy="4" text-anchor="end">${tick.toLocaleString("en-US")}</text>`,
      ];
    }),
    ...points.map(({ size }) =>
      `<text x="${across.at(size).toFixed(1)}" y="${bottom + 20}" text-anchor="middle">${
        size.toLocaleString("en-US")
      }</text>`
    ),
    `<path class="curve" d="M ${points.map(at).join(" L ")}"/>`,
    ...points.map((point) => {
      const [x, y] = at(point).split(" ");
      return `<circle class="point" cx="${x}" cy="${y}" r="3.5"/>`;
    }),
  ];
}

/** A logarithmic scale over whole powers of ten. */
function scale(
  values: readonly number[],
  from: number,
  to: number,
): { at: (value: number) => number; ticks: number[] } {
  const least = Math.floor(Math.log10(Math.min(...values)));
  const most = Math.max(least + 1, Math.ceil(Math.log10(Math.max(...values))));
  const at = (value: number): number => from + (Math.log10(value) - least) / (most - least) * (to - from);
  return { at, ticks: Array.from({ length: most - least + 1 }, (_, index) => 10 ** (least + index)) };
}
