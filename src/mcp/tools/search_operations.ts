import * as z from "zod";
import { catalog } from "../../catalog/catalog.ts";
import type { Operation } from "../../catalog/operation.ts";
import type { OperationParameter } from "../../catalog/operation_parameter.ts";
import { MAX_ROWS, ROW_ARGS, ROWS, takeRows } from "../results/rows.ts";
import { type Tool, tool } from "../tool.ts";

/** Finds operations of the platform's whole API. */
export const searchOperations: Tool = tool({
  name: "search_operations",
  title: "Search operations",
  description:
    "Finds operations of the platform's whole API (1,100 of them) by the words of their id, path or summary, or by a " +
    "field of their body; all words must match. describe_operation says what one takes; those with read_only can be " +
    "run with call_operation. A ! marks required parameters.",
  input: z.strictObject({
    text: z.string().describe('Words, or an id such as "sponsored-products:ListSponsoredProductsKeywords"'),
    api: z.string().optional().describe("Slug of one API"),
    field: z.string().optional().describe("Name of a body field or parameter that it must have"),
    include_unsupported: z.boolean().optional(),
    limit: z.int().min(1).max(MAX_ROWS).default(20),
    offset: ROW_ARGS.offset,
  }),
  output: ROWS,
  hints: { readOnlyHint: true, openWorldHint: false },
  async run({ text, api, field, include_unsupported: includeUnsupported, limit, offset }, call) {
    const found = await catalog.search(text, {
      limit: Infinity,
      ...(api === undefined ? {} : { api }),
      ...(field === undefined ? {} : { field }),
      ...(includeUnsupported === undefined ? {} : { includeUnsupported }),
    });
    return await takeRows(found.map(operationRow), { noun: "operations", limit, offset }, call);
  },
});

function operationRow(operation: Operation): Record<string, unknown> {
  const { id, method, path, summary, pathParams, query, headers, hasBody } = operation;
  return {
    id,
    method,
    path,
    summary,
    read_only: operation.readOnly,
    ...(pathParams.length > 0 ? { path_params: pathParams } : {}),
    ...(query.length > 0 ? { query: query.map(marked) } : {}),
    ...(headers.length > 0 ? { headers: headers.map(marked) } : {}),
    ...(hasBody ? { has_body: true } : {}),
    ...(operation.deprecated === undefined ? {} : { deprecated: operation.toJSON().deprecated }),
    ...(operation.note === undefined ? {} : { note: operation.note }),
    ...(operation.unsupportedReason === undefined ? {} : { unsupported: operation.unsupportedReason }),
  };
}

function marked({ name, required }: OperationParameter): string {
  return required ? `${name}!` : name;
}
