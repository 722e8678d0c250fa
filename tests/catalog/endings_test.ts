import assert from "node:assert/strict";
import { endingOf, parseEndings } from "../../scripts/catalog/endings.ts";
import type { OperationFacts } from "../../scripts/catalog/facts.ts";
import { catalog } from "../../src/platform/catalog/mod.ts";
import { deprecationText } from "../../src/platform/catalog/operation_json.ts";
import { TYPED_OPERATIONS } from "../../src/platform/catalog/operation.ts";
import { emulated } from "../support/emulated.ts";

Deno.test("an operation says when it ends, and what replaces it by id where the catalog has that", async () => {
  const { deprecated } = await catalog.get("dsp-campaigns:getOrders");
  assert.deepEqual(deprecated, {
    since: undefined,
    shutoff: "2025-09-30",
    replacedBy: [
      "ad-groupand-campaign-v1:DspListCampaignV1",
      "v1-all-campaigns:QueryCampaign",
      "v1-dsp-campaigns:DSPQueryCampaign",
    ],
  });
  const posts = await catalog.get("posts:CreatePost");
  assert.deepEqual([posts.deprecated?.since, posts.deprecated?.shutoff], ["2025-06-16", "2025-07-31"]);
  assert.equal((await catalog.get("portfolios:ListPortfolios")).deprecated, undefined);
  const ended = (await catalog.operations()).filter((operation) =>
    operation.deprecated?.shutoff !== undefined
  );
  assert.equal(ended.length, 45);
});

Deno.test("what replaces an operation is in the catalog, apart from a few paths it does not list", async () => {
  const ids = new Set((await catalog.operations()).map(({ id }) => id));
  const named = (await catalog.operations()).flatMap(({ deprecated }) => deprecated?.replacedBy ?? []);
  assert.deepEqual(named.filter((one) => one.includes(":") && !ids.has(one)), []);
  assert.ok(named.filter((one) => ids.has(one)).length > 40);
});

Deno.test("no method of the client uses an operation that ends", async () => {
  for (const id of TYPED_OPERATIONS.keys()) {
    assert.equal((await catalog.get(id)).deprecated, undefined, id);
  }
});

Deno.test("search puts what has ended last", async () => {
  const found = await catalog.search("get", { api: "dsp-campaigns", limit: Infinity });
  const ends = found.map(({ deprecated }) => deprecated?.shutoff !== undefined);
  assert.ok(ends.includes(true));
  assert.deepEqual(ends, ends.toSorted((a, b) => Number(a) - Number(b)));
});

Deno.test("deprecationText() says whether the end is past, and what to use", () => {
  const ends = { since: undefined, shutoff: "2026-01-31", replacedBy: ["a:b"] };
  assert.equal(deprecationText(ends, "2026-01-30"), 'ends on 2026-01-31. Use "a:b"');
  assert.equal(deprecationText(ends, "2026-01-31"), 'ended on 2026-01-31. Use "a:b"');
  assert.equal(
    deprecationText({ ...ends, since: "2026-01-01", replacedBy: [] }, "2026-01-01"),
    "ends on 2026-01-31 (for new accounts on 2026-01-01)",
  );
  assert.match(deprecationText({ ...ends, shutoff: undefined }, "2026-01-01"), /^is deprecated/);
});

Deno.test("the first call of an operation that ends warns, once", async () => {
  const warnings: string[] = [];
  await using world = await emulated({ client: { onWarning: (warning) => warnings.push(warning) } });
  for (let call = 0; call < 2; call++) {
    await world.us.call("dsp-campaigns:getOrders", undefined, { query: { advertiserIdFilter: "1" } }).catch(
      () => {},
    );
  }
  const about = warnings.filter((warning) => warning.includes("ended on 2025-09-30. Use "));
  assert.equal(about.length, 1, warnings.join("\n"));
});

Deno.test("endings are found by method and path, whatever placeholders are called", () => {
  const endings = parseEndings(
    "methods\tpath\tsince\tshutoff\treplaced_by\nGET,PUT\t/a/{x}/\t-\t2026-01-31\tPOST /b ; * /nowhere\n*\t/c\t-\t-\t-\n",
  );
  const facts = (operationId: string, method: string, path: string): OperationFacts => ({
    ...{ api: "api", operationId, method, path, deprecated: false, tags: [], query: [], headers: [] },
    ...{ contentTypes: [], accepts: [], mediaTypesSource: "published" },
  });
  const operations = [
    facts("getA", "GET", "/a/{id}"),
    facts("postB", "POST", "/b"),
    facts("getC", "GET", "/c"),
  ];
  const found = operations.map((operation) => endingOf(operation, endings, operations));
  assert.deepEqual(found, [{ shutoff: "2026-01-31", replacedBy: ["api:postB", "/nowhere"] }, undefined, {}]);
  assert.throws(
    () => parseEndings("methods\tpath\tsince\tshutoff\treplaced_by\nGET\ta\t-\tsoon\t-\n"),
    /line 2/,
  );
});
