import { catalog } from "../../platform/catalog/catalog.ts";
import { type CallInput, prepareCall } from "../../platform/catalog/prepare_call.ts";
import type { Fields, InputOf } from "../model/field.ts";
import { defineWrite, NOTE_FIELD } from "./write_operation.ts";

const CALL_FIELDS = {
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
    isRare: true,
    help: "media type of the body, instead of the catalog's",
  },
  accept: {
    type: "text",
    value: "type",
    isRare: true,
    help: "media type of the response, instead of the catalog's",
  },
  check: {
    type: "choice",
    choices: ["warn", "strict"],
    inCommands: ["off"],
    default: "warn",
    value: "how",
    help: "check the call against the published description, and warn or refuse",
    brief: "strict refuses a call with findings",
  },
} as const satisfies Fields;

export const planCall = defineWrite({
  name: "plan call",
  title: "Plan a call",
  summary: "Plan a call of a write operation, without sending it",
  details:
    "The plan shows method, path and body, and before and after values if an operation that reads the same " +
    "entities is known. It marks what cannot be undone. If another plan command covers the call, you get that " +
    "plan. Mismatches with the published description are warnings; --check strict refuses them.",
  brief:
    "Plans a write operation that no other plan tool covers; sends nothing. Shows the request, with before " +
    "and after values if they can be read.",
  examples: [],
  library:
    'await profile.planCall("sponsored-tv:UpdateSponsoredTvCampaigns", { campaigns: [{ campaignId: "9", name: "A" }] })',
  input: { ...CALL_FIELDS, ...NOTE_FIELD },
  async check({ operation, body, ...others }) {
    prepareCall(await catalog.get(operation), { ...callOf(others), body });
  },
  async run({ profile, signal }, { operation, body, note, check, ...others }) {
    const { id } = await catalog.get(operation);
    return await profile.planCall<string>(id, body, { ...callOf(others), note, check, signal });
  },
});

function callOf(
  { path_params: pathParams, query, headers, content_type: contentType, accept }: Omit<
    InputOf<typeof CALL_FIELDS>,
    "operation" | "body" | "check"
  >,
): Omit<CallInput, "body"> {
  return {
    ...(pathParams === undefined ? {} : { pathParams }),
    // The preparation of a call refuses values that an address cannot hold.
    ...(query === undefined ? {} : { query: query as Record<string, string> }),
    ...(headers === undefined ? {} : { headers }),
    ...(contentType === undefined ? {} : { contentType }),
    ...(accept === undefined ? {} : { accept }),
  };
}
