import * as z from "zod";
import { catalog } from "../../catalog/catalog.ts";
import { prepareCall } from "../../catalog/prepare_call.ts";
import { UnsupportedOperationError } from "../../errors.ts";
import { shortened } from "../results/shortened.ts";
import { type Tool, tool } from "../tool.ts";
import { MARKET } from "./market.ts";

/** Runs a read-only operation. */
export const callOperation: Tool = tool({
  name: "call_operation",
  title: "Call a read-only operation",
  description:
    "Runs one read-only operation of the platform's API in a profile and returns its response. Find it and its " +
    "parameters with search_operations. Operations that write are refused: changes go through plan tools.",
  input: z.strictObject({
    market: MARKET,
    operation: z.string().describe("Id"),
    path_params: z.record(z.string(), z.union([z.string(), z.int()])).optional(),
    query: z.record(z.string(), z.unknown()).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.unknown().optional(),
    content_type: z.string().optional().describe("Pins a media type"),
    accept: z.string().optional(),
  }),
  output: z.object({
    operation: z.string(),
    result: z.unknown().describe("null for an empty response"),
    shortened: z.string().optional(),
    result_uri: z.string().optional(),
  }),
  hints: { readOnlyHint: true },
  async run(args, call) {
    const operation = await catalog.get(args.operation);
    operation.ensureSendable();
    if (!operation.readOnly) {
      throw new UnsupportedOperationError(
        `Cannot call "${operation.id}" here: it can change data. ${
          call.context.settings.readOnly ? "" : "Use plan_update, plan_create or plan_archive, or "
        }ask a person to run "adsctl ops call"`,
      );
    }
    const input = {
      ...(args.path_params === undefined ? {} : { pathParams: args.path_params }),
      ...(args.query === undefined ? {} : { query: args.query as Record<string, string> }),
      ...(args.headers === undefined ? {} : { headers: args.headers }),
      ...(args.content_type === undefined ? {} : { contentType: args.content_type }),
      ...(args.accept === undefined ? {} : { accept: args.accept }),
    };
    // Checked before a profile is looked up, so that a bad parameter sends nothing at all.
    prepareCall(operation, { ...input, body: args.body });
    const profile = await call.context.profile(args.market, call.signal);
    const response = await profile.call(operation.id as string, args.body, { ...input, signal: call.signal });
    const short = shortened(response ?? null);
    const uri = short.told === undefined ? undefined : call.context.results.keep(operation.id, response);
    const lines = [`${operation.method} ${operation.path}`];
    if (short.told !== undefined) lines.push(short.told);
    if (uri !== undefined) lines.push(`The whole response is resource ${uri}`);
    return {
      data: {
        operation: operation.id,
        result: short.value,
        ...(short.told === undefined ? {} : { shortened: short.told }),
        ...(uri === undefined ? {} : { result_uri: uri }),
      },
      text: `${lines.join("\n")}\n\n${JSON.stringify(short.value)}`,
    };
  },
});
