import * as z from "zod";
import { catalog } from "../../catalog/catalog.ts";
import { prepareCall } from "../../catalog/prepare_call.ts";
import {
  BadRequestError,
  PlatformAdsError,
  UnprocessableError,
  UnsupportedOperationError,
} from "../../errors.ts";
import { findingText } from "../../schema/check/finding.ts";
import { SchemaError } from "../../schema/schema_error.ts";
import { failureText } from "../failure_text.ts";
import { MAX_ROWS } from "../results/rows.ts";
import { shortened } from "../results/shortened.ts";
import { type Tool, tool } from "../tool.ts";
import { CALL_ARGS, callInput, checkHeaders } from "./call_args.ts";
import { MARKET } from "./market.ts";

/** Runs a read-only operation. */
export const callOperation: Tool = tool({
  name: "call_operation",
  title: "Call a read-only operation",
  description:
    "Runs one read-only operation of the platform's API in a profile and returns its response. Find it with " +
    "search_operations, its parameters with describe_operation. Operations that write are refused: plan_call plans them.",
  input: z.strictObject({
    market: MARKET,
    ...CALL_ARGS,
    fields: z.array(z.string()).optional().describe("Keep only these fields of listed objects"),
    limit: z.int().min(1).max(MAX_ROWS).default(50).describe("Entries of each list"),
  }),
  output: z.object({
    operation: z.string(),
    result: z.unknown().describe("null for an empty response"),
    findings: z.array(z.string()).optional().describe("Where the call differs from what is published"),
    unchecked: z.boolean().optional().describe("True when nothing is published of the operation"),
    shortened: z.string().optional(),
    result_uri: z.string().optional(),
  }),
  hints: { readOnlyHint: true, openWorldHint: true },
  async run(args, call) {
    const operation = await catalog.get(args.operation);
    operation.ensureSendable();
    if (!operation.readOnly) {
      throw new UnsupportedOperationError(
        `Cannot call "${operation.id}" here: it can change data. ${
          call.context.settings.readOnly
            ? 'Ask a person to run "adsctl plan call"'
            : "Plan it with plan_call, or with plan_update, plan_create or plan_archive where the entity is theirs"
        }`,
      );
    }
    const input = callInput(args);
    // Checked before a profile is looked up, so that a bad parameter sends nothing at all.
    prepareCall(operation, { ...input, body: args.body });
    checkHeaders(operation, args.headers ?? {});
    const found = await operation.check({ ...input, body: args.body });
    if (args.check === "strict" && found !== undefined && found.length > 0) {
      throw new SchemaError(operation.id, found);
    }
    const findings = found?.map(findingText) ?? [];
    const profile = await call.context.profile(args.market, call.signal);
    const options = { ...input, check: "off", signal: call.signal } as const;
    const response = await profile.call<string>(operation.id, args.body, options).catch((error) => {
      const isRefused = error instanceof BadRequestError || error instanceof UnprocessableError;
      if (!isRefused || findings.length === 0) throw error;
      throw new PlatformAdsError(`${failureText(error)}\nIt may be this:\n${findings.join("\n")}`, {
        cause: error,
      });
    });
    const whole = response ?? null;
    const short = shortened(args.fields === undefined ? whole : withFields(whole, args.fields), args.limit);
    const uri = short.told === undefined ? undefined : call.context.results.keep(operation.id, response);
    const lines = [`${operation.method} ${operation.path}`];
    if (short.told !== undefined) lines.push(short.told);
    for (const finding of findings) lines.push(`warning: ${finding}`);
    if (uri !== undefined) lines.push(`The whole response is resource ${uri}`);
    return {
      data: {
        operation: operation.id,
        result: short.value,
        ...(findings.length === 0 ? {} : { findings }),
        ...(found === undefined ? { unchecked: true } : {}),
        ...(short.told === undefined ? {} : { shortened: short.told }),
        ...(uri === undefined ? {} : { result_uri: uri }),
      },
      text: `${lines.join("\n")}\n\n${JSON.stringify(short.value)}`,
    };
  },
});

/** The value with only some fields of the objects in its lists. */
function withFields(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) {
    return value.map((entry) => isRecord(entry) ? only(entry, fields) : withFields(entry, fields));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withFields(field, fields)]));
}

function only(entry: Readonly<Record<string, unknown>>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.filter((name) => Object.hasOwn(entry, name)).map((name) => [name, entry[name]]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
