/** Asks for one page; `onText` is called with the text of its response before that is parsed. */
type AskPage<T> = (token: string | undefined, onText: (text: string) => void) => Promise<T>;

/**
 * Asks for the pages of a list in their order, each as soon as its token is seen in the text of the page before, so that
 * the platform works on it while that page is parsed. Never more than one page ahead of the one that is wanted.
 */
export class ReadAhead<T> {
  readonly #ask: AskPage<T>;
  #wanted: string | undefined;
  #next: { token: string; response: Promise<T> } | undefined;

  /** @param ask Asks for one page. */
  constructor(ask: AskPage<T>) {
    this.#ask = ask;
  }

  /** The page of a token; the first one for `undefined`. */
  page(token: string | undefined): Promise<T> {
    const next = this.#next;
    this.#next = undefined;
    this.#wanted = token;
    return next !== undefined && next.token === token ? next.response : this.#start(token);
  }

  #start(token: string | undefined): Promise<T> {
    return this.#ask(token, (text) => {
      const next = tokenIn(text);
      if (next === undefined || next === token || token !== this.#wanted) return;
      const response = this.#start(next);
      // Whoever asks for the page gets the failure; nobody may.
      response.catch(() => {});
      this.#next = { token: next, response };
    });
  }
}

/** The token of the next page; what only looks like it is found out when the page is parsed. */
function tokenIn(text: string): string | undefined {
  const at = text.lastIndexOf('"nextToken"');
  if (at < 0) return undefined;
  const literal = /^"nextToken"\s*:\s*("(?:[^"\\]|\\.)+")/.exec(text.slice(at, at + 10_000))?.[1];
  return literal === undefined ? undefined : String(JSON.parse(literal));
}
