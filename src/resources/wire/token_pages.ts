import { PlatformAdsError } from "../../errors.ts";
import { PageTokens } from "../../transport/page_tokens.ts";
import { ReadAhead } from "./read_ahead.ts";
import type { Fields } from "./resource_wire.ts";

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
  const tokens = new PageTokens(`list ${path}`);
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
  throw new PlatformAdsError(`Cannot list ${path}: the platform's response holds no "${collection}"`);
}
