import { eastAsianWidth } from "get-east-asian-width";

const SEGMENTER = new Intl.Segmenter();
const PLAIN = /^[\u0020-\u007e]*$/;

/** Columns that a text takes on a terminal; the text holds no control characters. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of SEGMENTER.segment(text)) width += segmentWidth(segment);
  return width;
}

/** The text in exactly `columns` columns: cut with an ellipsis, or filled with spaces on the right or left. */
export function fitText(text: string, columns: number, align: "left" | "right" = "left"): string {
  const width = textWidth(text);
  if (width <= columns) {
    const space = " ".repeat(columns - width);
    return align === "left" ? text + space : space + text;
  }
  let cut = "";
  let used = 0;
  for (const { segment } of SEGMENTER.segment(text)) {
    const next = segmentWidth(segment);
    if (used + next > columns - 1) break;
    cut += segment;
    used += next;
  }
  return `${cut}…${" ".repeat(columns - used - 1)}`;
}

function segmentWidth(segment: string): number {
  if (/\p{RGI_Emoji}/v.test(segment)) return 2;
  const first = segment.codePointAt(0)!;
  return /^\p{M}/u.test(segment) ? 0 : eastAsianWidth(first);
}
