import { unexpectedResponse } from "../../../platform/transport/unexpected_response.ts";
import { idsKey, PageTokens } from "../../../platform/transport/page_tokens.ts";
import type { Fields } from "../model/resource_wire.ts";

interface TokenList {
  readonly path: string;
  readonly collection: string;
  readonly ahead?: boolean | undefined;
  readonly request: (
    token: string | undefined,
    onText: ((text: string) => void) | undefined,
  ) => Promise<unknown>;
}

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

/**
 * Reads a page of a list. A response without the list is an error, because a proxy's page must not look like an empty
 * account.
 */
function readPage(response: unknown, { collection, path }: { collection: string; path: string }): Fields[] {
  const fields = (typeof response === "object" && response !== null ? response : {}) as Fields;
  const list = fields[collection];
  if (Array.isArray(list)) return list;
  const saysEmpty = fields["totalResults"] === 0 || fields["totalCount"] === 0 || "nextToken" in fields;
  if ((list === undefined || list === null) && saysEmpty) return [];
  throw unexpectedResponse(response, `Cannot list ${path}: the platform's response holds no "${collection}"`);
}

type AskPage<T> = (token: string | undefined, onText: (text: string) => void) => Promise<T>;

/**
 * Requests each page as soon as its token appears in the text of the previous page, so that parsing and loading
 * overlap. Never more than one page ahead.
 */
export class ReadAhead<T> {
  readonly #ask: AskPage<T>;
  #wanted: string | undefined;
  #next: { token: string; response: Promise<T> } | undefined;

  constructor(ask: AskPage<T>) {
    this.#ask = ask;
  }

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

/** Finds the token of the next page in a text. The match may be accidental; parsing the page reveals that. */
function tokenIn(text: string): string | undefined {
  const at = text.lastIndexOf('"nextToken"');
  if (at < 0) return undefined;
  const literal = /^"nextToken"\s*:\s*("(?:[^"\\]|\\.)+")/.exec(text.slice(at, at + 10_000))?.[1];
  return literal === undefined ? undefined : String(JSON.parse(literal));
}
