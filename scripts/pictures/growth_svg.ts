/** One curve: what was measured at each size. */
export interface Curve {
  /** What it shows, where there is more than one beside each other. */
  readonly name?: string;
  /** Points by growing size. */
  readonly points: readonly { readonly size: number; readonly value: number }[];
  /** Belongs to the curve before it, and is drawn in its colour. @default false */
  readonly isDashed?: boolean;
}

/** Curves that share their axes. */
export interface Panel {
  /** What they show, with its unit. */
  readonly title: string;
  /** At least one. */
  readonly curves: readonly Curve[];
}

const PANEL = { width: 340, height: 250, left: 64, right: 20, top: 52, bottom: 42 };
const GAP = 16;
/** Width of a name beside the line that explains it. */
const LETTER = 7;

/** Colours that can be told apart on the panel, also by those who see red and green alike. */
const COLOURS = ["#6cb2f7", "#f2b05e"];

const STYLE = `
  .panel { fill: #16202b }
  text { font: 12px system-ui, sans-serif; fill: #d7dee6 }
  .title { font-weight: bold; fill: #ffffff }
  .name { font-size: 11px }
  .grid { stroke: #33414f }
  .curve { stroke-width: 2; fill: none }
  .dashed { stroke-dasharray: 5 4 }
`;

/**
 * Draws panels side by side, both axes logarithmic, so that what grows in proportion is a straight line of one slope.
 *
 * @param title What the picture shows; its text for readers who cannot see it.
 */
export function growthSvg(panels: readonly Panel[], { title }: { title: string }): string {
  const columns = 2;
  const rows = Math.ceil(panels.length / columns);
  const width = columns * PANEL.width + (columns + 1) * GAP;
  const height = rows * PANEL.height + (rows + 1) * GAP;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `role="img" aria-label="${title}">`,
    `<style>${STYLE}</style>`,
    `<rect class="panel" width="${width}" height="${height}" rx="10"/>`,
    ...panels.flatMap((panel, at) => {
      const x = GAP + (at % columns) * (PANEL.width + GAP);
      const y = GAP + Math.floor(at / columns) * (PANEL.height + GAP);
      return [`<g transform="translate(${x} ${y})">`, ...drawn(panel), "</g>"];
    }),
    "</svg>",
    "",
  ].join("\n");
}

function drawn({ title, curves }: Panel): string[] {
  const [left, right] = [PANEL.left, PANEL.width - PANEL.right];
  const [top, bottom] = [PANEL.top, PANEL.height - PANEL.bottom];
  const points = curves.flatMap((curve) => curve.points);
  const sizes = [...new Set(points.map(({ size }) => size))];
  const across = scale(sizes, left, right);
  const up = scale(points.map(({ value }) => value), bottom, top);
  const colours = coloursOf(curves);
  return [
    `<text class="title" x="8" y="18">${title}</text>`,
    ...names(curves, colours),
    ...up.ticks.flatMap((tick) => {
      const y = up.at(tick).toFixed(1);
      return [
        `<line class="grid" x1="${left}" y1="${y}" x2="${right}" y2="${y}"/>`,
        `<text x="${left - 8}" y="${y}" dy="4" text-anchor="end">${tick.toLocaleString("en-US")}</text>`,
      ];
    }),
    ...sizes.map((size) =>
      `<text x="${across.at(size).toFixed(1)}" y="${bottom + 20}" text-anchor="middle">${short(size)}</text>`
    ),
    ...curves.flatMap((curve, index) => {
      const stroke = `stroke="${colours[index]}"`;
      const places = curve.points.map(({ size, value }) =>
        [across.at(size).toFixed(1), up.at(value).toFixed(1)] as const
      );
      const dashed = curve.isDashed ? " dashed" : "";
      return [
        `<path class="curve${dashed}" ${stroke} d="M ${
          places.map((place) => place.join(" ")).join(" L ")
        }"/>`,
        ...places.map(([x, y]) => `<circle fill="${colours[index]}" cx="${x}" cy="${y}" r="3"/>`),
      ];
    }),
  ];
}

/** A dashed curve has the colour of the one before it. */
function coloursOf(curves: readonly Curve[]): string[] {
  let place = -1;
  return curves.map(({ isDashed = false }) => {
    if (!isDashed) place++;
    return COLOURS[Math.max(0, place) % COLOURS.length]!;
  });
}

/** The names of the curves in a row under the title. */
function names(curves: readonly Curve[], colours: readonly string[]): string[] {
  let x = 8;
  return curves.flatMap(({ name, isDashed }, index) => {
    if (name === undefined) return [];
    const at = x;
    x += 28 + name.length * LETTER;
    return [
      `<line class="curve${isDashed ? " dashed" : ""}" stroke="${colours[index]}" x1="${at}" y1="33" x2="${
        at + 16
      }" y2="33"/>`,
      `<text class="name" x="${at + 20}" y="37">${name}</text>`,
    ];
  });
}

/** `1,000`, `333.6K`, `100.1M`. */
function short(size: number): string {
  return size < 10_000
    ? size.toLocaleString("en-US")
    : size.toLocaleString("en-US", { notation: "compact", maximumFractionDigits: 1 });
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
