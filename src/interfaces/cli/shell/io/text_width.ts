import { eastAsianWidth } from "get-east-asian-width";

// deno-lint-ignore no-control-regex
const CONTROL = /\x1b\[[\d;]*[A-Za-z]/g;
/** Commands must stay copyable, so they are never wrapped. */
const COMMAND = /^\s*(?:\$ )?adsctl /;

/**
 * Continuation lines are indented. Commands and unterminated lines, such as progress, are not wrapped.
 *
 * @param columns Width of the terminal; `undefined` if there is none.
 */
export function wrapLines(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  const all = text.split("\n");
  return all.flatMap((line, at) => {
    if (widthOf(line) <= columns || COMMAND.test(line) || at === all.length - 1) return [line];
    const indent = " ".repeat(
      Math.min(/^ */.exec(line.replaceAll(CONTROL, ""))![0].length + 2, columns >> 1),
    );
    const lines: string[] = [];
    for (const word of line.split(" ")) {
      const last = lines.at(-1);
      if (last === undefined) lines.push(word);
      else if (widthOf(last) + 1 + widthOf(word) <= columns) lines[lines.length - 1] = `${last} ${word}`;
      else if (word !== "") lines.push(indent + word);
    }
    return lines.map((one) => one.trimEnd());
  }).join("\n");
}

function widthOf(text: string): number {
  return textWidth(text.replaceAll(CONTROL, ""));
}

const PLAIN = /^[\u0020-\u007e]*$/;

const ONE_BY_ONE =
  /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff\uac00-\ud7a3]*$/;

let segmenter: Intl.Segmenter | undefined;

/** `text` must not contain control characters. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const segment of segments(text)) width += segmentWidth(segment);
  return width;
}

export function fitText(text: string, columns: number, align: "left" | "right" = "left"): string {
  const width = textWidth(text);
  if (width <= columns) {
    const space = " ".repeat(columns - width);
    return align === "left" ? text + space : space + text;
  }
  let cut = "";
  let used = 0;
  for (const segment of segments(text)) {
    const next = segmentWidth(segment);
    if (used + next > columns - 1) break;
    cut += segment;
    used += next;
  }
  return `${cut}…${" ".repeat(columns - used - 1)}`;
}

/** The segmenter is created lazily, because that takes 9 ms. */
function* segments(text: string): Generator<string> {
  if (ONE_BY_ONE.test(text)) return yield* text;
  segmenter ??= new Intl.Segmenter();
  for (const { segment } of segmenter.segment(text)) yield segment;
}

function segmentWidth(segment: string): number {
  if (/\p{RGI_Emoji}/v.test(segment)) return 2;
  const first = segment.codePointAt(0)!;
  return /^\p{M}/u.test(segment) ? 0 : eastAsianWidth(first);
}

export function wrapped(text: string, width: number, indent = ""): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(indent + word);
  }
  return lines;
}
