import type { CallInput } from "../../platform/catalog/prepare_call.ts";
import type { Fields, InputOf } from "./field.ts";

export const CALL_FIELDS = {
  operation: {
    type: "text",
    required: true,
    value: "id",
    help: "api:operationId, or a unique name",
    brief: "Id",
  },
  path_params: { type: "pairs", values: "word", option: "path", short: "p", help: "path parameter" },
  query: { type: "pairs", values: "any", short: "q", help: "query parameter" },
  headers: { type: "pairs", values: "text", option: "header", help: "additional header" },
  body: { type: "json", help: "body" },
  content_type: {
    type: "text",
    value: "type",
    help: "media type of the body, instead of the catalog's",
  },
  accept: {
    type: "text",
    value: "type",
    help: "media type of the response, instead of the catalog's",
  },
  check: {
    type: "choice",
    choices: ["warn", "strict"],
    inCommands: ["off"],
    default: "warn",
    value: "how",
    help: "check the call against the published description, and warn or refuse",
    brief: "strict refuses findings",
  },
} as const satisfies Fields;

export type OwnCall = InputOf<typeof CALL_FIELDS>;

export function callOf(input: Omit<OwnCall, "operation" | "check">): CallInput {
  const { path_params: pathParams, query, headers, body, content_type: contentType, accept } = input;
  return {
    ...(pathParams === undefined ? {} : { pathParams }),
    // The preparation of a call refuses values that an address cannot hold.
    ...(query === undefined ? {} : { query: query as Record<string, string> }),
    ...(headers === undefined ? {} : { headers }),
    ...(contentType === undefined ? {} : { contentType }),
    ...(accept === undefined ? {} : { accept }),
    body,
  };
}
