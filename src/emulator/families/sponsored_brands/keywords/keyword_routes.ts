import type { Route } from "../../../routing/route.ts";
import type { BrandsKeywordKind } from "./keyword_kind.ts";
import { getKeyword, listKeywords } from "./list_keywords.ts";
import { archiveKeyword, createKeywords, updateKeywords } from "./write_keywords.ts";

const VERDICT_TYPE = "application/vnd.sbkeywordresponse.v3+json";

/** The operations of one kind of keywords. */
export function keywordRoutes(kind: BrandsKeywordKind): Route[] {
  const { operations, path, listTypes } = kind;
  const write = {
    path,
    requestTypes: ["application/json"],
    responseTypes: [VERDICT_TYPE],
    errors: "details",
  } as const;
  const one = { path: `${path}/{keywordId}`, errors: "details" } as const;
  return [
    {
      operation: operations.list,
      method: "GET",
      path,
      responseTypes: listTypes,
      errors: "details",
      handle: (context) => listKeywords(kind, context),
    },
    {
      ...one,
      operation: operations.get,
      method: "GET",
      responseTypes: listTypes.slice(-1),
      handle: (context) => getKeyword(kind, context),
    },
    {
      ...write,
      operation: operations.create,
      method: "POST",
      handle: (context) => createKeywords(kind, context),
    },
    {
      ...write,
      operation: operations.update,
      method: "PUT",
      handle: (context) => updateKeywords(kind, context),
    },
    {
      ...one,
      operation: operations.archive,
      method: "DELETE",
      responseTypes: [VERDICT_TYPE],
      handle: (context) => archiveKeyword(kind, context),
    },
  ];
}
