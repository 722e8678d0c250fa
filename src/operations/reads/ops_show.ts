import { catalog } from "../../platform/catalog/catalog.ts";
import type { Operation as PlatformOperation } from "../../platform/catalog/operation.ts";
import { defineOperation } from "../model/operation.ts";

/** The parts that are wanted, and the most characters of each by the length of the parameters. */
export interface ShowContext {
  readonly parts: readonly ("body" | "response" | "errors")[];
  readonly limit: (part: "body" | "response" | "errors", parameters: readonly string[]) => number;
}

export interface ShownOperation {
  readonly operation: PlatformOperation;
  /** False if neither its body nor its response has a published description. */
  readonly published: boolean;
  /** Lines, in which `*` marks required parameters; without lines if one field is shown. */
  readonly parameters: readonly string[];
  /** Trees of the parts that are published. */
  readonly trees: readonly { readonly text: string; readonly isShortened: boolean }[];
}

export const opsShow = defineOperation<ShowContext, ShownOperation>()({
  name: "ops show",
  effect: "read",
  tool: "describe_operation",
  title: "Describe an operation",
  summary: "Show one operation: method, path, parameters, body and response, notes",
  details:
    "Prints body and response as trees, one field per line; * marks required fields. --json prints JSON " +
    "Schema. --at shows one field and its subfields; --example prints a body to edit.",
  brief:
    "Describes an API operation: parameters, and the body as a tree in which * marks required fields. Long " +
    "parts are folded (... 5 fields): call again with at, the path of the field.",
  examples: [
    {
      input: { operation: "advertising-billing:getInvoice" },
      about: "use the full id, or just a unique name",
    },
    {
      input: { operation: "v1-sp-campaigns:SPCreateCampaign", at: "campaigns.budgets" },
      about: "show part of the body",
    },
  ],
  library: 'await (await catalog.get("advertising-billing:getInvoice")).schema()',
  input: {
    operation: {
      type: "text",
      required: true,
      value: "id",
      help: "<api>:<operationId>, or a unique name",
      brief: "Id, from search_operations",
    },
    at: {
      type: "text",
      maxLength: 300,
      value: "field",
      help: "show only this field of body or response, such as campaigns.budget",
      brief: 'Path of a field, such as "campaigns.budget"',
    },
  },
  check: async ({ operation }) => await catalog.get(operation),
  async run({ parts, limit }, { operation: id, at }) {
    const operation = await catalog.get(id);
    const [{ describePart, parameterLines }, { loadApiShapes }] = await Promise.all([
      import("../../platform/schema/describe_operation.ts"),
      import("../../platform/schema/load_api_shapes.ts"),
    ]);
    const shapes = await loadApiShapes(operation.api);
    const shape = shapes?.operation(operation.operationId);
    if (shapes === undefined || shape === undefined) {
      return { operation, published: false, parameters: [], trees: [] };
    }
    const { contentType } = operation;
    const parameters = at === undefined ? parameterLines(shapes, shape) : [];
    let problem: unknown;
    const trees = parts.flatMap((part) => {
      try {
        return describePart(shapes, shape, part, { contentType, at, limit: limit(part, parameters) }) ?? [];
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        problem = error;
        return [];
      }
    });
    if (at === undefined || parts.length === 0 || trees.length > 0) {
      return { operation, published: true, parameters, trees };
    }
    if (parts.length === 1 && problem !== undefined) throw problem;
    throw new RangeError(
      parts.length === 1
        ? `Cannot describe "${at}": no ${parts[0]} of "${operation.id}" is published`
        : `Cannot show "${at}": neither the body nor the response of "${operation.id}" has it`,
    );
  },
});
