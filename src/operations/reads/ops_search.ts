import { catalog } from "../../platform/catalog/catalog.ts";
import type { Operation as PlatformOperation } from "../../platform/catalog/operation.ts";
import { defineOperation } from "../model/operation.ts";

/** Operations of the platform that are shown at once, unless all of an API are. */
export const SHOWN_OPERATIONS = 25;

export const opsSearch = defineOperation<Record<never, never>, readonly PlatformOperation[]>()({
  name: "ops search",
  effect: "read",
  tool: "search_operations",
  title: "Search operations",
  summary: "Search operations by id, path, summary or tags",
  details:
    "All words must match; if no operation matches, parameter and body field names are searched too. Flags: " +
    "deprecated, corrected (sent with another media type than documented), hosted tool (cannot be sent), and " +
    "operations with a library method.",
  brief:
    "Searches the platform's whole API (1,100 operations) by words in id, path or summary, or by body field; " +
    "all words must match. See describe_operation for arguments; run read_only operations with " +
    "call_operation. ! marks required parameters.",
  examples: [
    { input: { text: "list negative keywords" }, about: "search, best match first" },
    { input: { api: "sponsored-display" }, about: "list one API" },
    {
      input: { text: "update", field: "siteRestrictions" },
      about: "find operations that change a field",
    },
  ],
  library: 'await catalog.search("list negative keywords")',
  input: {
    text: {
      type: "text",
      isArgument: true,
      value: "words...",
      help: "search words",
      brief: 'Words, or an id such as "sponsored-products:ListSponsoredProductsKeywords"',
    },
    api: {
      type: "text",
      value: "slug",
      help: "only this API; adsctl ops apis lists them",
      brief: "Slug of one API",
    },
    field: {
      type: "text",
      value: "name",
      help: "only operations with a body field or parameter of this name",
      brief: "Body field or parameter that it must have",
    },
    include_unsupported: { type: "switch", help: "include operations that cannot be sent" },
    limit: {
      type: "whole",
      min: 1,
      isOfCommands: true,
      help: "print at most this many",
      otherwise: `${SHOWN_OPERATIONS}, or all of an API`,
    },
  },
  check({ text = "", api, field }, spelling) {
    if (text.trim() !== "" || api !== undefined || field !== undefined) return;
    const [words, ofApi, ofField] = ["text", "api", "field"].map(spelling.field);
    throw new RangeError(`Cannot search for nothing: give ${words}, ${ofApi} or ${ofField}`);
  },
  async run(_, { text = "", include_unsupported: includeUnsupported = false, api, field, limit }) {
    const isNarrow = api !== undefined || text.trim() === "";
    return await catalog.search(text, {
      includeUnsupported,
      ...(api === undefined ? {} : { api }),
      ...(field === undefined ? {} : { field }),
      limit: limit ?? (isNarrow ? Infinity : SHOWN_OPERATIONS),
    });
  },
});
