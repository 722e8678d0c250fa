import assert from "node:assert/strict";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { catalog } from "../../src/platform/catalog/mod.ts";
import { long } from "../support/long.ts";

Deno.test("schema() gives JSON Schemas that stand alone", async () => {
  const operation = await catalog.get("sponsored-products:UpdateSponsoredProductsKeywords");
  const schema = await operation.schema();
  assert.ok(schema?.body);
  assert.equal(schema.body.required, true);
  const body = schema.body.types["application/vnd.spKeyword.v3+json"]!;
  assert.equal(body["$schema"], "https://json-schema.org/draft/2020-12/schema");
  const text = JSON.stringify(schema);
  assert.doesNotMatch(text, /"(?:word|wordEnum|wordShort|discriminator|ref)":/);
  for (const root of [body, ...Object.values(schema.errors)]) {
    const names = Object.keys(root["$defs"] ?? {});
    const wanted = [...JSON.stringify(root).matchAll(/"#\/\$defs\/([^"]+)"/g)].map((found) => found[1]!);
    assert.deepEqual(wanted.filter((name) => !names.includes(decodeURIComponent(name))), []);
  }
  assert.deepEqual(Object.keys(schema.responses), ["207"]);
});

Deno.test("schema() and example() are undefined for an operation that nothing is published of", async () => {
  const operation = await catalog.get("ad-group-targeting-apps:DspCreateAdGroupAppTargets");
  assert.equal(await operation.schema(), undefined);
  assert.equal(await operation.example(), undefined);
});

Deno.test("example() is the smallest body, and with full one with every field", async () => {
  const operation = await catalog.get("sponsored-products:CreateSponsoredProductsKeywords");
  const smallest = await operation.example();
  assert.deepEqual(smallest, {
    keywords: [{
      adGroupId: "123456789012345",
      campaignId: "123456789012345",
      keywordText: "Example",
      matchType: "BROAD",
      state: "ENABLED",
    }],
  });
  const full = JSON.stringify(await operation.example({ full: true }));
  assert.match(full, /"bid":1/);
  assert.match(full, /nativeLanguageLocale/);
});

Deno.test("example() of an operation without a body is undefined", async () => {
  assert.equal(await (await catalog.get("sponsored-display:listCampaigns")).example(), undefined);
});

Deno.test("example() of an operation without required fields asks for a page, or names an id", async () => {
  const example = async (id: string): Promise<unknown> => await (await catalog.get(id)).example();
  assert.deepEqual(await example("brand-home:ListStores"), { maxResults: 10 });
  assert.deepEqual(await example("amc-administration:listCollaborationIdNamespaces"), { maxResults: 100 });
  assert.deepEqual(await example("diagnostics:campaignDiagnostics"), {
    campaignIdsList: ["123456789012345"],
  });
});

const SAYS = "says something where fields are known, and its own schema accepts it";
Deno.test(`example() of every twelfth operation ${SAYS}`, async () => {
  assert.ok(await checkExamples((at) => at % 12 === 0) >= 100);
});
long();
Deno.test(`example() of every operation ${SAYS}`, async () => {
  assert.ok(await checkExamples(() => true) >= 1300);
});

/** Checks the examples of the operations whose place is chosen, and returns how many there are. */
async function checkExamples(isChosen: (at: number) => boolean): Promise<number> {
  const wrong: string[] = [];
  let count = 0;
  for (const operation of (await catalog.operations()).filter((_, at) => isChosen(at))) {
    const types = (await operation.schema())?.body?.types ?? {};
    const { $schema: _, ...schema } = types[operation.contentType ?? ""] ?? Object.values(types)[0] ?? {};
    if (Object.keys(types).length === 0) continue;
    const accepts = new AjvJsonSchemaValidator().getValidator(schema);
    for (const full of [false, true]) {
      const example = await operation.example({ full });
      const where = `${operation.id} ${JSON.stringify(example)}`;
      count++;
      if (isEmpty(example, JSON.stringify(schema))) wrong.push(`${where}: empty`);
      const { valid, errorMessage } = accepts(example);
      if (!valid) wrong.push(`${where}: ${errorMessage}`);
    }
  }
  assert.deepEqual(wrong, []);
  return count;
}

/** True for a value without a field where one is known, and for one that only holds empty parts where these have fields. */
function isEmpty(example: unknown, schema: string): boolean {
  const text = JSON.stringify(example);
  const objects = schema.split('"properties":').length - 1;
  const hasNoField = /^[[\]{},]*$/.test(text);
  return hasNoField ? objects > 0 : objects > 1 && /^(?:[[\]{},]|"\w+":(?=[[{]))*$/.test(text);
}
