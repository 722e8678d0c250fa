import { isObject } from "../../../base/json/fields_of.ts";
import * as z from "zod";
import type { Operation } from "../../../platform/catalog/operation.ts";
import {
  BadRequestError,
  ConfigurationError,
  PlatformAdsError,
  UnprocessableError,
  UnsupportedOperationError,
} from "../../../errors.ts";
import { catalog } from "../../../platform/catalog/catalog.ts";
import type { ResponseHead } from "../../../platform/catalog/call_types.ts";
import type { OperationParameter } from "../../../platform/catalog/operation_json.ts";
import { MAX_ROWS, ROW_ARGS, ROWS, shortened, takeRows } from "../tooling/rows.ts";
import { localTool, operationTool } from "../tooling/operation_tool.ts";
import type { Tool } from "../tooling/tool.ts";
import { callOperation, publishedCall } from "../../../operations/reads/call.ts";
import { opsSearch, SHOWN_OPERATIONS } from "../../../operations/reads/ops_search.ts";
import { opsShow } from "../../../operations/reads/ops_show.ts";
import { failureText } from "../calls/failure_text.ts";

/** Rejects undocumented headers, which a proxy or server might obey. */
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

export const searchOperations: Tool = localTool(opsSearch, {
  output: ROWS,
  sets: ["operations"],
  more: { limit: z.int().min(1).max(MAX_ROWS).default(SHOWN_OPERATIONS), offset: ROW_ARGS.offset },
  answer: async (_, input, call, { limit, offset }) => {
    const found = await opsSearch.run({}, { ...input, limit: Infinity });
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

const MAX_CHARACTERS = 3000;

export const describeOperation: Tool = localTool(opsShow, {
  more: { part: z.enum(["body", "response", "errors", "example"]).default("body") },
  output: z.object({
    operation: z.string(),
    method: z.string(),
    path: z.string(),
    read_only: z.boolean(),
    parameters: z.array(z.string()).optional().describe("* marks required ones"),
    content_type: z.string().optional(),
    text: z.string().optional().describe("The tree"),
    example: z.unknown().optional(),
    folded: z.boolean().optional().describe("True when fields were left out"),
    published: z.boolean().describe("False if its body has no published description"),
    note: z.string().optional(),
  }),
  sets: ["operations"],
  answer: async (_, input, _call, { part }) => {
    const { operation, published, trees: [tree], ...shown } = await opsShow.run({
      parts: part === "example" ? [] : [part],
      limit: (_part, lines) => Math.max(500, MAX_CHARACTERS - lines.join("\n").length),
    }, input);
    const { method, path, contentType } = operation;
    const parameters = published ? shown.parameters : namesOf(operation);
    const title = `${method} ${path}`;
    const data = {
      operation: operation.id,
      method,
      path,
      read_only: operation.readOnly,
      ...(contentType === undefined ? {} : { content_type: contentType }),
      ...(operation.note === undefined ? {} : { note: operation.note }),
      ...(parameters.length === 0 ? {} : { parameters: [...parameters] }),
      published,
    };
    if (!published) {
      return {
        data,
        text: [title, ...parameters, "Nothing is published of its body and its response"].join("\n"),
      };
    }
    if (part === "example") {
      const example = await operation.example() ?? null;
      return { data: { ...data, example }, text: `${title}\n${JSON.stringify(example)}` };
    }
    const text = tree?.text ?? `no ${part}`;
    return {
      data: { ...data, text, ...(tree?.isShortened ? { folded: true } : {}) },
      text: [title, ...parameters, text].join("\n"),
    };
  },
});

function namesOf({ pathParams, query, headers }: Operation): string[] {
  const marked = (place: string, list: Operation["query"]): string[] =>
    list.map(({ name, required }) => `${required ? "* " : ""}${place} ${name}`);
  return [
    ...pathParams.map((name) => `* path ${name}`),
    ...marked("query", query),
    ...marked("header", headers),
  ];
}

const EMULATOR_RESPONSE = "x-emulator-response";
const EXAMPLE = "Example data of the emulator, made up from the published shape: no facts of this account";

export const callOperationTool: Tool = operationTool({
  ...callOperation,
  async check(input, spelling) {
    await callOperation.check?.(input, spelling);
    checkHeaders(await catalog.get(input.operation), input.headers ?? {});
  },
}, {
  more: {
    fields: z.array(z.string()).optional().describe("Keep only these fields of listed objects"),
    limit: z.int().min(1).max(MAX_ROWS).default(50).describe("Entries of each list"),
  },
  output: z.object({
    operation: z.string(),
    result: z.unknown().describe("null for an empty response"),
    findings: z.array(z.string()).optional().describe("Differences from the published description"),
    unchecked: z.boolean().optional().describe("True if the operation has no published description"),
    shortened: z.string().optional(),
    note: z.string().optional(),
    result_uri: z.string().optional(),
  }),
  sets: ["operations"],
  async refuse(input, { context }) {
    const operation = await catalog.get(input.operation);
    operation.ensureSendable();
    if (operation.readOnly) return;
    throw new UnsupportedOperationError(
      `Cannot call "${operation.id}" here: it can change data. ${
        context.settings.readOnly
          ? 'Ask a person to run "adsctl plan call"'
          : "Plan it with plan_call, or with plan_update, plan_create or plan_archive where the entity is theirs"
      }`,
    );
  },
  answer: async (profile, input, call, { fields, limit }) => {
    const { operation, warnings, unchecked } = await publishedCall(input);
    const findings = [...warnings];
    let isExample = false;
    const onResponse = ({ headers }: ResponseHead): void => {
      isExample = headers.get(EMULATOR_RESPONSE) === "general";
    };
    const context = { profile, signal: call.signal, onResponse };
    const response = await callOperation.run(context, input).catch((error) => {
      const isRefused = error instanceof BadRequestError || error instanceof UnprocessableError;
      if (!isRefused || findings.length === 0) throw error;
      throw new PlatformAdsError(`${failureText(error)}\nIt may be this:\n${findings.join("\n")}`, {
        cause: error,
      });
    });
    const whole = response ?? null;
    const short = shortened(fields === undefined ? whole : withFields(whole, fields), limit);
    const uri = short.told === undefined ? undefined : call.context.results.keep(operation.id, response);
    const lines = [`${operation.method} ${operation.path}`];
    if (isExample) lines.push(EXAMPLE);
    if (short.told !== undefined) lines.push(short.told);
    for (const finding of findings) lines.push(`warning: ${finding}`);
    if (uri !== undefined) lines.push(`The whole response is resource ${uri}`);
    return {
      data: {
        operation: operation.id,
        result: short.value,
        ...(isExample ? { note: EXAMPLE } : {}),
        ...(findings.length === 0 ? {} : { findings }),
        ...(unchecked ? { unchecked } : {}),
        ...(short.told === undefined ? {} : { shortened: short.told }),
        ...(uri === undefined ? {} : { result_uri: uri }),
      },
      text: `${lines.join("\n")}\n\n${JSON.stringify(short.value)}`,
    };
  },
});

function withFields(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) {
    return value.map((entry) => isObject(entry) ? only(entry, fields) : withFields(entry, fields));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withFields(field, fields)]));
}

function only(entry: Readonly<Record<string, unknown>>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.filter((name) => Object.hasOwn(entry, name)).map((name) => [name, entry[name]]),
  );
}
