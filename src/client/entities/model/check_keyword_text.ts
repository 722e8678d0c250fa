/** Platform rule for keyword texts. */
export type KeywordTextRule =
  | "empty"
  | "too_long"
  | "too_many_words"
  | "space_at_end"
  | "mark_outside_word"
  | "forbidden_character"
  | "reserved_phrase";

/** A rule that a keyword's text breaks. */
export interface KeywordTextFinding {
  /** The broken rule. */
  readonly rule: KeywordTextRule;
  /** The problem, and a correct form. */
  readonly message: string;
  /** The offending part of the text. */
  readonly fragment: string;
}

/** Settings for checking a keyword text. */
export interface KeywordTextOptions {
  /** True for a negative keyword. @default derived from `matchType`, else false */
  readonly negative?: boolean | undefined;
  /** Match type in any spelling: `EXACT`, `negativePhrase`, `NEGATIVE_EXACT`. */
  readonly matchType?: string | undefined;
  /** Country of the marketplace; a few allow more characters. */
  readonly marketplace?: string | undefined;
}

const MAX_CHARACTERS = 80;
const WORDS = 10;
const WORDS_OF_NEGATIVE = 4;
const RESERVED = "automatically selected keywords";
const PERCENT_MARKETPLACES = new Set(["AE", "SA", "EG"]);
const ACCEPTED = /^[\p{L}\p{M}\p{N} \-+.&[\]'"\t\n\r]$/u;

/**
 * Finds the undocumented platform rules that a keyword's text breaks; returns an empty list if there are none.
 * Advisory only: the library never refuses a keyword because of them, and the platform's own verdict is decisive.
 *
 * @example
 * ```ts
 * import { checkKeywordText } from "@platform/ads";
 *
 * for (const { message } of checkKeywordText("shoes (red)", { matchType: "EXACT" })) console.log(message);
 * // A keyword cannot hold "(": leave it out
 * // A keyword cannot hold ")": leave it out
 * ```
 */
export function checkKeywordText(text: string, options: KeywordTextOptions = {}): KeywordTextFinding[] {
  if (text.trim() === "") return [{ rule: "empty", message: "A keyword cannot be empty", fragment: text }];
  return [
    ...lengthFindings(text, options),
    ...spaceFindings(text),
    ...characterFindings(text, options.marketplace),
    ...reservedFindings(text),
  ];
}

function lengthFindings(text: string, options: KeywordTextOptions): KeywordTextFinding[] {
  const findings: KeywordTextFinding[] = [];
  const characters = [...text].length;
  if (characters > MAX_CHARACTERS) {
    const message = `A keyword has at most ${MAX_CHARACTERS} characters, and this one has ${characters}`;
    findings.push({ rule: "too_long", message, fragment: text });
  }
  const words = wordsOf(text);
  const most = mostWords(options);
  if (words.length > most) {
    const message = `A keyword of this kind has at most ${most} words, and this one has ${words.length}`;
    findings.push({ rule: "too_many_words", message, fragment: words.slice(most).join(" ") });
  }
  return findings;
}

function spaceFindings(text: string): KeywordTextFinding[] {
  if (text === text.trim()) return [];
  const message = "A keyword cannot begin or end with a space";
  return [{ rule: "space_at_end", message, fragment: text }];
}

function characterFindings(text: string, marketplace: string | undefined): KeywordTextFinding[] {
  const percent = PERCENT_MARKETPLACES.has(marketplace?.toUpperCase() ?? "");
  const forbidden = new Set([...text].filter((char) => !ACCEPTED.test(char) && !(char === "%" && percent)));
  const findings = [...forbidden].map((char): KeywordTextFinding => ({
    rule: "forbidden_character",
    message: `A keyword cannot hold ${JSON.stringify(char)}: leave it out`,
    fragment: char,
  }));
  for (const word of wordsOf(text).filter((word) => /^[-+.]|[-+.]$/.test(word))) {
    const message = `Hyphens, plus signs and periods are allowed only inside a word, unlike in ${
      JSON.stringify(word)
    }`;
    findings.push({ rule: "mark_outside_word", message, fragment: word });
  }
  return findings;
}

function reservedFindings(text: string): KeywordTextFinding[] {
  if (text.trim().toLowerCase() !== RESERVED) return [];
  const message = "The platform reserves this phrase: it cannot be a keyword";
  return [{ rule: "reserved_phrase", message, fragment: text }];
}

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}

function mostWords({ negative, matchType = "" }: KeywordTextOptions): number {
  const type = matchType.toLowerCase().replaceAll("_", "");
  if (!(negative ?? type.startsWith("negative"))) return WORDS;
  return type.endsWith("exact") ? WORDS : WORDS_OF_NEGATIVE;
}

export function isProductTerm(text: string): boolean {
  return /^b0[0-9a-z]{8}$/i.test(text.trim());
}

/** Normalizes a keyword text for comparison as the platform does: ignores case and repeated spaces. */
export function comparedText(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, " ");
}

/** True if a text contains a phrase. Both texts must come from {@linkcode comparedText}. */
export function holdsPhrase(text: string, phrase: string): boolean {
  return ` ${text} `.includes(` ${phrase} `);
}
