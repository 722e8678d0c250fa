/**
 * Control characters, line and paragraph separators, the marks that turn the direction of writing, and characters
 * without a shape that could hide a text from people while agents read it. Joiners (U+200C, U+200D) and variation
 * selectors stay: scripts and emoji need them.
 */
const INVISIBLE =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** Most texts: asking this first is many times faster. */
const PLAIN = /^[ -~]*$/;

/**
 * One line that shows all there is: a name out of an account must not draw on a terminal, begin a new row of a table
 * or turn the text around it. Line breaks and tabs become spaces, other invisible characters their code (`\x1b`).
 */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(INVISIBLE, (char) => {
    if (char === "\n" || char === "\r" || char === "\t") return " ";
    const code = char.codePointAt(0)!;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
  });
}

/** JSON text that means the same and draws nothing on a terminal: invisible characters in it become `\\uXXXX`. */
export function visibleJson(json: string): string {
  return json.replace(
    INVISIBLE,
    (char) =>
      char === "\n"
        ? char
        : char.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/** Text for one cell of a Markdown table: visible, without markup, and unable to end its cell. */
export function markdownCell(text: string): string {
  return withoutMarkup(visibleText(text.replaceAll("\\", "\\\\"))).replaceAll("|", "\\|");
}

/** HTML tags, emphasis, code, links and pictures. A single `*`, `_`, `[` or `<` is common in values and marks up nothing. */
const MARKUP = /<(?=[a-z/!?])|\*\*|__|`|\](?=[([])|!(?=\[)/gi;

/** Escapes what Markdown would render. */
function withoutMarkup(text: string): string {
  return text.replace(MARKUP, (mark) => mark.replace(/[^]/g, "\\$&"));
}

/** Longest name in a sentence. */
const MAX_NAME = 80;
/** Names that read as one name inside a sentence. */
const PLAIN_NAME = /^[\p{L}\p{M}\p{N} +\-_/&,.()#%'’:=|→…]*$/u;
/** Ends of sentences, and emphasis. */
const SENTENCE = /[.:]\s|__/;

/**
 * A name out of the account inside a sentence: one that could end the sentence, quote something or mark up text is put
 * in quotes, so that it cannot pass for words of ours.
 */
export function nameInProse(name: string): string {
  // Targets are named by expressions such as asin="B000000001", and keywords as "shoes" (EXACT).
  const words = name.replace(/\b[a-z]+="[\w-]{1,40}"/gi, "").replace(/^"([^"]*)" (?=\()/, "$1 ");
  const isPlain = name.length <= MAX_NAME && PLAIN_NAME.test(words) && !SENTENCE.test(words);
  return isPlain ? name : quotedName(name);
}

/** A name out of the account in quotes: one line, without quotes and markup of its own, cut to 80 characters. */
export function quotedName(name: string): string {
  const characters = [...name.replaceAll('"', "'")];
  const short = characters.length > MAX_NAME
    ? `${characters.slice(0, MAX_NAME - 1).join("")}…`
    : characters.join("");
  return `"${withoutMarkup(visibleText(short))}"`;
}
