import { withoutMarks } from "../../base/text/visible_text.ts";

interface KnownWord {
  readonly english: string;
  /** ISO 639-1 code, with a country if needed. */
  readonly language: string;
  readonly isUnconfirmed: boolean;
}

/** Known equivalents of unknown words; see `--map`. */
export type WordMap = Readonly<Record<string, string>>;

const PLAIN = /^[\w-]+(?: [\w-]+)*$/;

export function wordKey(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return withoutMarks(text.normalize("NFKC")).toLowerCase().replace(/[‐-―−﹣]/g, "-").replace(/[“”„«»]/g, '"')
    .replace(/[‘’‚´`]/g, "'").replace(/\s*([()])\s*/g, " $1").replace(/\s+/g, " ").trim();
}

const VENDOR = "{vendor}";

export class SheetWords {
  readonly #words = new Map<string, Map<string, KnownWord>>();
  readonly #patterns = new Map<string, { pattern: RegExp; word: KnownWord }[]>();
  readonly #suffixes: { ending: string; english: string }[] = [];

  /** @param data By column and English word: language, source and word, separated by `|`. */
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

  find(column: string, text: string): KnownWord | undefined {
    const [name, key] = [wordKey(column), wordKey(text)];
    return this.#words.get(name)?.get(key) ??
      this.#patterns.get(name)?.find(({ pattern }) => pattern.test(key))?.word;
  }

  bare(head: string): { readonly text: string; readonly suffix: string } {
    const key = wordKey(head);
    const found = this.#suffixes.find(({ ending }) => key.endsWith(ending));
    if (found === undefined) return { text: head, suffix: "" };
    const suffix = found.english === "(Read only)" ? "" : ` ${found.english}`;
    return { text: key.slice(0, -found.ending.length), suffix };
  }
}
