import type { StyledText } from "./styled_lines.ts";

const CHARACTER = 8;
const LINE = 19;
const MARGIN = 18;
const TITLE = 34;

/** Colours are the panel's own, so that it can be read on a light page and on a dark one. */
const STYLE = `
  .panel { fill: #16202b }
  text { font: 13.3px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d7dee6; white-space: pre }
  .title { fill: #8b99a8 }
  .bold { font-weight: bold; fill: #ffffff }
  .dim { fill: #8b99a8 }
  .red { fill: #ff8a80 }
  .green { fill: #7ee2a0 }
  .yellow { fill: #ffd479 }
  .shaded { fill: #16202b }
  .shade { fill: #4f9fe8 }
`;

/**
 * Draws lines of a terminal as an SVG image. Every run of characters stands at its column and is as wide as its
 * characters, whichever monospaced font the reader has.
 *
 * @param title What the picture shows; also its text for readers who cannot see it.
 */
export function terminalSvg(
  lines: readonly (readonly StyledText[])[],
  { title, columns }: { title: string; columns: number },
): string {
  const width = columns * CHARACTER + 2 * MARGIN;
  const height = TITLE + lines.length * LINE + MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `role="img" aria-label="${escaped(title)}">`,
    `<style>${STYLE}</style>`,
    `<rect class="panel" width="${width}" height="${height}" rx="10"/>`,
    ...["#ff5f57", "#febc2e", "#28c840"].map((colour, at) =>
      `<circle cx="${MARGIN + 4 + at * 18}" cy="17" r="5.5" fill="${colour}"/>`
    ),
    `<text class="title" x="${width / 2}" y="21" text-anchor="middle">${escaped(title)}</text>`,
    ...lines.flatMap((line, at) => drawn(line, TITLE + (at + 1) * LINE - 5)),
    "</svg>",
    "",
  ].join("\n");
}

function drawn(line: readonly StyledText[], y: number): string[] {
  let column = 0;
  return line.flatMap(({ text, styles }) => {
    const indent = text.length - text.trimStart().length;
    const shown = text.trim();
    const left = MARGIN + column * CHARACTER;
    const x = left + indent * CHARACTER;
    column += text.length;
    const shade = styles.includes("shaded")
      ? [
        `<rect class="shade" x="${left}" y="${y - 14}" width="${text.length * CHARACTER}" height="${LINE}"/>`,
      ]
      : [];
    if (shown === "") return shade;
    const style = styles.length === 0 ? "" : ` class="${styles.join(" ")}"`;
    return [
      ...shade,
      `<text${style} x="${x}" y="${y}" textLength="${shown.length * CHARACTER}">${escaped(shown)}</text>`,
    ];
  });
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(
    '"',
    "&quot;",
  );
}
