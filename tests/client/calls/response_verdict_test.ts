import { deepEqual, equal, ok } from "../../support/assert.ts";
import { catalog } from "../../../mod.ts";
import { responseVerdict } from "../../../src/client/calls/response_verdict.ts";

type Schema = Record<string, unknown>;

/** Fields under which the platform's descriptions say that an item was refused, and lists of what was refused. */
const COMPLAINTS = /^(errors?|errorDetails|errorCode|subErrors)$/;
const FAILED_LISTS = /^(errors?|errors?List|failed|failures?|failedAccounts|\w+ErrorResults)$/;
const DONE_LISTS = /^(success(es|List)?|partialSuccess|\w+SuccessResults)$/;

/** Builds a response from its published schema in which every item was refused. */
class Refusal {
  readonly #root: Schema;
  /** True once the schema had a place to say so. */
  refuses = false;

  constructor(root: Schema) {
    this.#root = root;
  }

  of(schema: unknown, name = "", depth = 0): unknown {
    const node = this.#resolved(schema);
    if (depth > 8) return {};
    const parts = (node["oneOf"] ?? node["anyOf"] ?? node["allOf"]) as Schema[] | undefined;
    const properties = this.#properties(node);
    if (node["items"] !== undefined) return this.#list(node, name, depth);
    if (Object.keys(properties).length > 0) {
      return Object.fromEntries(
        Object.entries(properties).map(([key, value]) => [key, this.of(value, key, depth + 1)]),
      );
    }
    const list = parts?.map((part) => this.#resolved(part)).find((part) => part["items"] !== undefined);
    if (list !== undefined) return this.#list(list, name, depth);
    if (name === "code" || COMPLAINTS.test(name)) {
      this.refuses ||= depth > 0 && name !== "errorType";
      const words = (node["enum"] ?? []) as unknown[];
      const bad = words.find((word) => !/success|ok|^2\d\d$/i.test(String(word)));
      return bad ?? (/integer|number/.test(String(node["type"])) ? 400 : "INVALID_ARGUMENT");
    }
    if (name === "index" || /Index$/.test(name)) return 0;
    return node["type"] === "integer" || node["type"] === "number"
      ? 1
      : node["type"] === "boolean"
      ? false
      : "x";
  }

  #list(node: Schema, name: string, depth: number): unknown[] {
    if (DONE_LISTS.test(name)) return [];
    if (FAILED_LISTS.test(name)) this.refuses = true;
    return [this.of(node["items"], "", depth + 1)];
  }

  #properties(node: Schema): Record<string, unknown> {
    const parts = [node["oneOf"], node["anyOf"], node["allOf"]].flat().filter((part) => part !== undefined);
    return Object.assign(
      {},
      ...parts.map((part) => this.#properties(this.#resolved(part))),
      node["properties"],
    );
  }

  #resolved(schema: unknown): Schema {
    let node = (schema ?? {}) as Schema;
    for (let hops = 0; typeof node["$ref"] === "string" && hops < 8; hops++) {
      const path = node["$ref"].replace(/^#\//, "").split("/").map((part) => part.replaceAll("~1", "/"));
      node = path.reduce<unknown>((at, part) => (at as Schema | undefined)?.[part], this.#root) as Schema ??
        {};
    }
    return node;
  }
}

/** Lists in requests and responses that describe things that failed, and say nothing about an item. */
const NO_VERDICTS =
  /diagnostics:campaignDiagnostics|registerAsset|CheckDSP|^eligibility:|PlanningEligibility|^posts:|partnerOpportunities|Forecast/;

Deno.test("a response in which every item was refused, built from its published shape, is never taken for done", async () => {
  const wrong: string[] = [];
  let tried = 0;
  for (const operation of await catalog.operations()) {
    if (operation.readOnly || operation.method === "GET" || NO_VERDICTS.test(operation.id)) continue;
    const responses = (await operation.schema())?.responses ?? {};
    for (const [status, types] of Object.entries(responses)) {
      for (const schema of Object.values(types)) {
        const refusal = new Refusal(schema as Schema);
        const body = refusal.of(schema);
        if (!refusal.refuses && status !== "207") continue;
        tried++;
        const { refused, unknown } = responseVerdict(body, Number(status));
        if (refused.length + unknown.length === 0) {
          wrong.push(`${operation.id} ${status} ${JSON.stringify(body).slice(0, 300)}`);
        }
      }
    }
  }
  ok(tried > 350, `${tried} responses`);
  deepEqual(wrong, []);
});

Deno.test("the response to rules of budgets says that a value was refused", () => {
  const body = { responses: [{ code: "INVALID_ARGUMENT", details: "value must be positive" }] };
  const { refused, count } = responseVerdict(body, 207);
  deepEqual([refused[0]?.code, refused[0]?.message, count], [
    "INVALID_ARGUMENT",
    "value must be positive",
    1,
  ]);
  const mixed = {
    responses: [{ code: "SUCCESS", ruleId: "7" }, { code: "INVALID_ARGUMENT", details: "no" }],
  };
  const read = responseVerdict(mixed, 207);
  deepEqual([read.refused.length, read.ids, read.count], [1, ["7"], 2]);
});

Deno.test("what cannot be read is unknown after a 207, and done after a plain success", () => {
  equal(responseVerdict({ anything: [1] }, 207).unknown[0]?.code, "NO_VERDICT");
  equal(responseVerdict({ anything: [1] }, 200).unknown.length, 0);
  equal(responseVerdict(undefined, 204).refused.length, 0);
  equal(responseVerdict({ success: false, message: "no" }, 200).refused.length, 1);
  equal(responseVerdict([{ campaignId: "1", name: "x" }], 200).refused.length, 0);
});
