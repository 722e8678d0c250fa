import { PlatformAdsError } from "../../errors.ts";
import { stringifyJson } from "../../base/json/json.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";

const MAX_REPEATED = 2;
const MAX_EMPTY = 20;
const MAX_TOKEN_TEXT = 60;

interface PageTokenOptions {
  readonly key?: ((item: unknown) => string) | undefined;
}

/** Follows page tokens and stops endless lists: circular tokens, pages without anything new, or many empty pages. */
export class PageTokens {
  readonly #what: string;
  readonly #key: (item: unknown) => string;
  readonly #followed = new Set<string>();
  readonly #seen = new Set<string>();
  #current: string | undefined;
  #page = 0;
  #repeated = 0;
  #empty = 0;

  constructor(what: string, { key = stringifyJson }: PageTokenOptions = {}) {
    this.#what = what;
    this.#key = key;
  }

  /**
   * Returns `undefined` after the last page.
   *
   * @throws {PlatformAdsError} when the list continues without anything new.
   */
  next(token: unknown, page: readonly unknown[]): string | undefined {
    if (typeof token !== "string" || token === "") return undefined;
    const isRepeated = this.#count(page);
    // One token for all pages is a cursor that moves on the platform's side, as long as the pages differ.
    const isCircle = token === this.#current ? isRepeated || this.#empty > 1 : this.#followed.has(token);
    if (isCircle) this.#stop(token, "the platform repeats the same page");
    if (this.#repeated >= MAX_REPEATED) {
      this.#stop(token, `the platform repeats the same page: ${MAX_REPEATED} in a row hold nothing new`);
    }
    if (this.#empty >= MAX_EMPTY) {
      this.#stop(token, `${MAX_EMPTY} pages in a row are empty, and each names another`);
    }
    this.#followed.add(token);
    this.#current = token;
    return token;
  }

  #count(page: readonly unknown[]): boolean {
    this.#page++;
    const before = this.#seen.size;
    for (const item of page) this.#seen.add(this.#key(item));
    const isRepeated = page.length > 0 && this.#seen.size === before;
    this.#empty = page.length === 0 ? this.#empty + 1 : 0;
    if (page.length > 0) this.#repeated = isRepeated ? this.#repeated + 1 : 0;
    return isRepeated;
  }

  #stop(token: string, why: string): never {
    const shown = token.length > MAX_TOKEN_TEXT ? `${token.slice(0, MAX_TOKEN_TEXT)}…` : token;
    throw new PlatformAdsError(
      `Cannot ${this.#what}: ${why}. It happened on page ${this.#page}, whose next token is "${shown}"`,
    );
  }
}

export function idsKey(entity: unknown): string {
  const ids = Object.entries(fieldsOf(entity)).filter(([name, value]) =>
    name.endsWith("Id") && value !== null && typeof value !== "object"
  );
  return stringifyJson(ids.length === 0 ? entity : ids.sort());
}
