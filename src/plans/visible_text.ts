/** Control characters, line and paragraph separators, and the marks that turn the direction of writing. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * One line that shows all there is: a name out of an account must not draw on a terminal, begin a new row of a table
 * or turn the text around it. Line breaks and tabs become spaces, other invisible characters their code (`\x1b`).
 */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, (char) => {
    if (char === "\n" || char === "\r" || char === "\t") return " ";
    const code = char.codePointAt(0)!;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
  });
}

/** Text for one cell of a Markdown table: visible, and unable to end its cell. */
export function markdownCell(text: string): string {
  return visibleText(text.replaceAll("\\", "\\\\")).replaceAll("|", "\\|");
}
