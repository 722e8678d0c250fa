/**
 * Control characters, separators, bidirectional marks, and shapeless characters that could hide text from people.
 * Joiners (U+200C, U+200D) and variation selectors are not included, because scripts and emoji need them.
 */
const INVISIBLE =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

const PLAIN = /^[ -~]*$/;

/**
 * Makes account names safe to print on one line. Line breaks and tabs become spaces; other invisible characters are
 * replaced by their code (`\x1b`).
 */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(INVISIBLE, (char) => {
    if (char === "\n" || char === "\r" || char === "\t") return " ";
    const code = char.codePointAt(0)!;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
  });
}

/** Escapes invisible characters as `\\uXXXX`, so that printing the JSON is safe. */
export function visibleJson(json: string): string {
  return json.replace(
    INVISIBLE,
    (char) =>
      char === "\n"
        ? char
        : char.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

export function markdownCell(text: string): string {
  return withoutMarkup(visibleText(text.replaceAll("\\", "\\\\"))).replaceAll("|", "\\|");
}

const MARKUP = /<(?=[a-z/!?])|\*\*|__|`|\](?=[([])|!(?=\[)/gi;

function withoutMarkup(text: string): string {
  return text.replace(MARKUP, (mark) => mark.replace(/[^]/g, "\\$&"));
}

const MAX_NAME = 80;
const PLAIN_NAME = /^[\p{L}\p{M}\p{N} +\-_/&,.()#%'’:=|→…]*$/u;
const SENTENCE = /[.:]\s|__/;

/**
 * Quotes names that could end the sentence, quote something or contain markup, so that they cannot be mistaken for the
 * toolkit's own words.
 */
export function nameInProse(name: string): string {
  // Targets are named by expressions such as asin="B000000001", and keywords as "shoes" (EXACT).
  const words = name.replace(/\b[a-z]+="[\w-]{1,40}"/gi, "").replace(/^"([^"]*)" (?=\()/, "$1 ");
  const isPlain = name.length <= MAX_NAME && PLAIN_NAME.test(words) && !SENTENCE.test(words);
  return isPlain ? name : quotedName(name);
}

export function quotedName(name: string): string {
  const characters = [...name.replaceAll('"', "'")];
  const short = characters.length > MAX_NAME
    ? `${characters.slice(0, MAX_NAME - 1).join("")}…`
    : characters.join("");
  return `"${withoutMarkup(visibleText(short))}"`;
}

const MARKS = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

export function withoutMarks(text: string): string {
  return text.replace(MARKS, "");
}
