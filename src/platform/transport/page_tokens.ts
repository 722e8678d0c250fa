import { PlatformAdsError } from "../../errors.ts";

/**
 * Follows the tokens of a list from page to page, and ends a list that would never end: one whose tokens go in a circle,
 * or whose page comes again with its own token.
 */
export class PageTokens {
  readonly #what: string;
  readonly #followed = new Set<string>();
  #current: string | undefined;
  #first: string | undefined;

  /** @param what What is read, for the error: `list /sp/keywords`. */
  constructor(what: string) {
    this.#what = what;
  }

  /**
   * The token of the page after this one; `undefined` after the last.
   *
   * @param token What the response holds as its token.
   * @param page The items of the response.
   * @throws {PlatformAdsError} when the page was read before.
   */
  next(token: unknown, page: readonly unknown[]): string | undefined {
    const before = this.#first;
    this.#first = JSON.stringify(page[0]);
    if (typeof token !== "string" || token === "") return undefined;
    // One token for all pages is a cursor that moves on the platform's side, as long as the pages differ.
    const again = token === this.#current ? this.#first === before : this.#followed.has(token);
    if (again) throw new PlatformAdsError(`Cannot ${this.#what}: the platform repeats the same page`);
    this.#followed.add(token);
    this.#current = token;
    return token;
  }
}
