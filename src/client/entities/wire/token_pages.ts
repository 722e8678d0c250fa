import { unexpectedResponse } from "../../../platform/transport/unexpected_response.ts";
import { idsKey, PageTokens } from "../../../platform/transport/page_tokens.ts";
import type { Fields } from "../model/resource_wire.ts";

/** A list whose pages name the token of the next one. */
interface TokenList {
  /** Path of the collection, for errors. */
  readonly path: string;
  /** Field of a response that holds the entities. */
  readonly collection: string;
  /** True where every page is wanted. @default false */
  readonly ahead?: boolean | undefined;
  /** Asks for the page of a token; `onText`, where it is given, is called with the text before it is parsed. */
  readonly request: (
    token: string | undefined,
    onText: ((text: string) => void) | undefined,
  ) => Promise<unknown>;
}

/** The pages of a list, one after the other; the next one is asked for early where every page is wanted. */
export async function* tokenPages({ path, collection, ahead, request }: TokenList): AsyncGenerator<Fields[]> {
  const tokens = new PageTokens(`list ${path}`, { key: idsKey });
  const list = new ReadAhead((token, onText) => request(token, ahead ? onText : undefined));
  let nextToken: string | undefined;
  do {
    const response = await list.page(nextToken);
    const page = readPage(response, { collection, path });
    nextToken = tokens.next((response as Fields)["nextToken"], page);
    yield page;
  } while (nextToken !== undefined);
}

/** A response without the list of entities is not an empty list: a proxy's page must not pass for an empty account. */
function readPage(response: unknown, { collection, path }: { collection: string; path: string }): Fields[] {
  const fields = (typeof response === "object" && response !== null ? response : {}) as Fields;
  const list = fields[collection];
  if (Array.isArray(list)) return list;
  const saysEmpty = fields["totalResults"] === 0 || fields["totalCount"] === 0 || "nextToken" in fields;
  if ((list === undefined || list === null) && saysEmpty) return [];
  throw unexpectedResponse(response, `Cannot list ${path}: the platform's response holds no "${collection}"`);
}

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
