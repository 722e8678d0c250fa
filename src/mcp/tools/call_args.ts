import * as z from "zod";
import type { CallInput } from "../../catalog/prepare_call.ts";
import type { Operation } from "../../catalog/operation.ts";
import { ConfigurationError } from "../../errors.ts";

/** Arguments of the tools that call an operation or plan a call. */
export const CALL_ARGS = {
  operation: z.string().describe("Id"),
  path_params: z.record(z.string(), z.union([z.string(), z.int()])).optional(),
  query: z.record(z.string(), z.unknown()).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
  content_type: z.string().optional().describe("Pins a media type"),
  accept: z.string().optional(),
  check: z.enum(["warn", "strict"]).default("warn").describe("strict refuses a call with findings"),
};

/** Values of these arguments. */
type CallArgs = Partial<z.output<z.ZodObject<typeof CALL_ARGS>>>;

/** The parameters of a call, without its body. */
export function callInput(args: CallArgs): Omit<CallInput, "body"> {
  return {
    ...(args.path_params === undefined ? {} : { pathParams: args.path_params }),
    ...(args.query === undefined ? {} : { query: args.query as Record<string, string> }),
    ...(args.headers === undefined ? {} : { headers: args.headers }),
    ...(args.content_type === undefined ? {} : { contentType: args.content_type }),
    ...(args.accept === undefined ? {} : { accept: args.accept }),
  };
}

/** Refuses headers that the operation does not document: a proxy or a server in between may obey them. */
export function checkHeaders({ id, headers }: Operation, given: Readonly<Record<string, string>>): void {
  const documented = new Set(headers.map(({ name }) => name.toLowerCase()));
  const unknown = Object.keys(given).filter((name) => !documented.has(name.toLowerCase()));
  if (unknown.length === 0) return;
  const known = headers.map(({ name }) => name).join(", ");
  throw new ConfigurationError(
    `Cannot send the header ${JSON.stringify(unknown[0])} with "${id}": it documents ${
      known === "" ? "none" : known
    }`,
  );
}
