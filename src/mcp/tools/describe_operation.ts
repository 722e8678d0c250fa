import * as z from "zod";
import { catalog } from "../../catalog/catalog.ts";
import type { Operation } from "../../catalog/operation.ts";
import { PlatformAdsError } from "../../errors.ts";
import { describePart, parameterLines } from "../../schema/describe_operation.ts";
import { loadApiShapes } from "../../schema/load_api_shapes.ts";
import { type Tool, tool } from "../tool.ts";

/** Characters of a description that a model is given at once. */
const MAX_CHARACTERS = 3000;

/** Describes an operation: what a model needs to fill its body. */
export const describeOperation: Tool = tool({
  name: "describe_operation",
  title: "Describe an operation",
  description:
    "Says what an operation of the platform's API takes and returns: parameters, and the body as a tree in which * " +
    "marks what is required. What is too long is folded (... 5 fields): ask again with at, the way to that field.",
  input: z.strictObject({
    operation: z.string().describe("Id, from search_operations"),
    part: z.enum(["body", "response", "errors", "example"]).default("body"),
    at: z.string().max(300).optional().describe('Way to a field, such as "campaigns.budget"'),
  }),
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
    published: z.boolean().describe("False when nothing is known of its body"),
    note: z.string().optional(),
  }),
  hints: { readOnlyHint: true, openWorldHint: false },
  async run({ operation: id, part, at }) {
    const operation = await catalog.get(id);
    const shapes = await loadApiShapes(operation.api);
    const shape = shapes?.operation(operation.operationId);
    const { method, path, contentType } = operation;
    const head = {
      operation: operation.id,
      method,
      path,
      read_only: operation.readOnly,
      ...(contentType === undefined ? {} : { content_type: contentType }),
      ...(operation.note === undefined ? {} : { note: operation.note }),
    };
    const title = `${method} ${path}`;
    if (shapes === undefined || shape === undefined) {
      const names = namesOf(operation);
      return {
        data: { ...head, ...(names.length === 0 ? {} : { parameters: names }), published: false },
        text: [title, ...names, "Nothing is published of its body and its response"].join("\n"),
      };
    }
    const parameters = at === undefined ? parameterLines(shapes, shape) : [];
    const data = { ...head, ...(parameters.length === 0 ? {} : { parameters }), published: true };
    if (part === "example") {
      const example = await operation.example();
      return {
        data: { ...data, example: example ?? null },
        text: `${title}\n${JSON.stringify(example ?? null)}`,
      };
    }
    const limit = Math.max(500, MAX_CHARACTERS - parameters.join("\n").length);
    const found = describePart(shapes, shape, part, { contentType, at, limit });
    if (found === undefined && at !== undefined) {
      throw new PlatformAdsError(`Cannot describe "${at}": no ${part} of "${operation.id}" is published`);
    }
    const text = found?.text ?? `no ${part}`;
    return {
      data: { ...data, text, ...(found?.isShortened ? { folded: true } : {}) },
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
