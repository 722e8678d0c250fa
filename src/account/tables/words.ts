import { withoutMarks } from "../../base/text/without_marks.ts";

/** A known word in another language, or in another form. */
interface KnownWord {
  readonly english: string;
  /** ISO 639-1 code, with the country where it matters. */
  readonly language: string;
  /** True for a translation that was never seen in a file. */
  readonly isUnconfirmed: boolean;
}

/** Known equivalents of unknown words; see `--map`. */
export type WordMap = Readonly<Record<string, string>>;

/** Words of ASCII letters with single spaces: their key is the text in lower case. */
const PLAIN = /^[\w-]+(?: [\w-]+)*$/;

/** A text as words are compared: without case, doubled spaces, and the different forms of dashes, quotes and brackets. */
export function wordKey(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return withoutMarks(text.normalize("NFKC")).toLowerCase().replace(/[‐-―−﹣]/g, "-").replace(/[“”„«»]/g, '"')
    .replace(/[‘’‚´`]/g, "'").replace(/\s*([()])\s*/g, " $1").replace(/\s+/g, " ").trim();
}

/** Words with the platform's own name in them, which stands for any. */
const VENDOR = "{vendor}";

/** The words of bulk sheets and reports in every language, by column. */
export class SheetWords {
  readonly #words = new Map<string, Map<string, KnownWord>>();
  readonly #patterns = new Map<string, { pattern: RegExp; word: KnownWord }[]>();
  readonly #suffixes: { ending: string; english: string }[] = [];

  /** @param data By column and English word: language, kind of source and word, parted by `|`. */
  constructor(data: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>) {
    for (const [column, byEnglish] of Object.entries(data)) {
      for (const [english, list] of Object.entries(byEnglish)) {
        for (const packed of list) {
          const [language = "", source, ...rest] = packed.split("|");
          this.add(column, rest.join("|"), { english, language, isUnconfirmed: source === "unconfirmed" });
        }
      }
    }
    for (const { english, word } of this.#list("suffix")) {
      this.#suffixes.push({ ending: ` ${word}`, english });
    }
    this.#suffixes.push({ ending: " (informational only)", english: "(Informational only)" });
  }

  *#list(column: string): Generator<{ word: string; english: string }> {
    for (const [word, { english }] of this.#words.get(column) ?? []) yield { word, english };
  }

  /** Adds a word; a confirmed one takes the place of one that is not. */
  add(column: string, text: string, word: KnownWord): void {
    const key = wordKey(text);
    const name = wordKey(column);
    if (key.includes(VENDOR)) {
      const source = key.split(VENDOR).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".+?");
      const own = this.#patterns.get(name) ?? [];
      this.#patterns.set(name, [...own, { pattern: new RegExp(`^${source}$`, "u"), word }]);
      return;
    }
    const own = this.#words.get(name) ?? new Map<string, KnownWord>();
    this.#words.set(name, own);
    if (own.get(key)?.isUnconfirmed !== false) own.set(key, word);
  }

  /** The known word for a text in a column; `undefined` for a text that is not known. */
  find(column: string, text: string): KnownWord | undefined {
    const [name, key] = [wordKey(column), wordKey(text)];
    return this.#words.get(name)?.get(key) ??
      this.#patterns.get(name)?.find(({ pattern }) => pattern.test(key))?.word;
  }

  /** A head with what its column is for taken apart: `Keyword ID (Read only)` is a keyword's id. */
  bare(head: string): { readonly text: string; readonly suffix: string } {
    const key = wordKey(head);
    const found = this.#suffixes.find(({ ending }) => key.endsWith(ending));
    if (found === undefined) return { text: head, suffix: "" };
    const suffix = found.english === "(Read only)" ? "" : ` ${found.english}`;
    return { text: key.slice(0, -found.ending.length), suffix };
  }
}
