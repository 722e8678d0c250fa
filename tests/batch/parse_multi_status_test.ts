import assert from "node:assert/strict";
import fc from "fast-check";
import { type BatchResult, parseMultiStatus } from "../../mod.ts";
import { parseJson } from "../../src/base/json/json.ts";
import { readFixture } from "../support/fixture.ts";

type Fields = Record<string, unknown>;

function recorded(name: string): { body: unknown; items: Fields[] } {
  const { request, response } = readFixture(name);
  const sent = request.json as Fields[] | Record<string, Fields[]>;
  const items = Array.isArray(sent) ? sent : Object.values(sent)[0]!;
  return { body: parseJson(response.text ?? JSON.stringify(response.json)), items };
}

function verdicts(result: BatchResult): unknown[] {
  return [...result].map((verdict) =>
    verdict.ok ? [verdict.index, verdict.id] : [verdict.index, verdict.code]
  );
}

Deno.test("A recorded 207 with mixed results is paired by index, whatever the order of its lists", () => {
  const { body, items } = recorded("batches/keywords_mixed");
  const result = parseMultiStatus(body, items, { entityKey: "keywords", idField: "keywordId" });
  assert.deepEqual(verdicts(result), [
    [0, "301"],
    [1, "BID_OUT_OF_MARKET_PLACE_RANGE"],
    [2, "PARENT_ARCHIVED_FORBIDS_UPDATES"],
    [3, "THROTTLED"],
    [4, "305"],
  ]);
  assert.deepEqual([...result].map(({ item }) => item), items);
  const [bidding, state, throttled] = result.errors;
  assert.deepEqual(
    [bidding!.errorType, bidding!.message, bidding!.lowerLimit, bidding!.upperLimit, bidding!.transient],
    ["biddingError", "Bid is out of range", "0.02", "1000", false],
  );
  assert.match(bidding!.hint!, /marketplace's range/);
  assert.match(state!.hint!, /archived/);
  assert.deepEqual([throttled!.errorType, throttled!.transient], ["throttledError", true]);
  assert.ok(result.errors.every(({ outcome }) => outcome === "refused"));
  assert.equal(result.summary(), "2 succeeded, 3 failed");
});

Deno.test("An echoed entity is handed on, and its id found under the name of the verdict", () => {
  const { body, items } = recorded("batches/campaign_negative_keywords_echo");
  for (const options of [{}, { idField: "campaignNegativeKeywordId" }, { idField: "keywordId" }]) {
    const { successes } = parseMultiStatus(body, items, options);
    assert.equal(successes[0]!.id, "902", JSON.stringify(options));
    assert.equal((successes[0]!.entity as Fields)["keywordText"], "used");
  }
});

Deno.test("A recorded bare array of Brands v3 is read in request order, its big ids kept", () => {
  const { body, items } = recorded("batches/brands_v3_keywords");
  const result = parseMultiStatus(body, items);
  assert.deepEqual(verdicts(result), [[0, "18446744073709551615"], [1, "NOT_FOUND"], [2, "SERVER_IS_BUSY"]]);
  const [missing, busy] = result.errors;
  assert.deepEqual(
    [missing!.errorType, missing!.message, missing!.transient],
    ["entityNotFoundError", "Could not find the keyword", false],
  );
  assert.deepEqual([busy!.errorType, busy!.message, busy!.transient], ["throttledError", "Try again", true]);
});

Deno.test("A recorded v1 answer keeps what succeeded in part apart", () => {
  const { body, items } = recorded("batches/v1_campaigns");
  const result = parseMultiStatus(body, items);
  assert.deepEqual(verdicts(result), [[0, "NAME_NOT_UNIQUE"], [1, "BUDGET_TOO_LOW"], [2, "3"]]);
  assert.deepEqual(result.errors.map(({ outcome }) => outcome), ["refused", "partial"]);
  assert.equal((result.successes[0]!.entity as Fields)["name"], "C");
});

Deno.test("An item that the answer does not mention is an error of unknown outcome", () => {
  const body = { keywords: { success: [{ index: 1, keywordId: "2" }], error: [] } };
  const result = parseMultiStatus(body, ["a", "b", "c"]);
  assert.deepEqual(verdicts(result), [[0, "NO_VERDICT"], [1, "2"], [2, "NO_VERDICT"]]);
  assert.ok(result.errors.every(({ outcome, hint }) => outcome === "unknown" && hint !== undefined));
  assert.deepEqual(verdicts(parseMultiStatus([{ code: "SUCCESS", keywordId: 1 }], ["a", "b"])), [
    [0, "1"],
    [1, "NO_VERDICT"],
  ]);
});

Deno.test("An offset is added to the platform's indexes, and items are paired all the same", () => {
  const body = {
    ads: { success: [{ index: 0, adId: "7" }], error: [{ index: 1, errors: [{ code: "X" }] }] },
  };
  const result = parseMultiStatus(body, ["a", "b", "c"], { offset: 100 });
  assert.deepEqual([...result].map(({ index, item }) => [index, item]), [[100, "a"], [101, "b"], [102, "c"]]);
});

Deno.test("Lists and ids are found by their shape; a given entityKey goes first", () => {
  const success = (adId: string): Fields => ({ success: [{ index: 0, adId }], error: [] });
  const body = { totals: { count: 1 }, first: success("1"), second: success("2") };
  assert.deepEqual(parseMultiStatus(body).ids, ["1"]);
  assert.deepEqual(parseMultiStatus(body, undefined, { entityKey: "second" }).ids, ["2"]);
  assert.deepEqual(parseMultiStatus(body, undefined, { entityKey: "absent" }).ids, ["1"]);
  assert.deepEqual(parseMultiStatus({ success: [{ index: 0, campaign: { campaignId: "9" } }] }).ids, ["9"]);
  assert.deepEqual(parseMultiStatus({ success: [{ index: 0, warnings: [], adId: 5 }] }).ids, ["5"]);
});

Deno.test("An index in error and success is an error; indexes out of range name no item", () => {
  const body = {
    x: {
      success: [{ index: 0, adId: "1" }, { index: 5, adId: "5" }, { index: -1, adId: "6" }, { adId: "7" }],
      error: [{ index: "0", errors: [{ code: "FIRST" }] }, { index: 0, errors: [{ code: "SECOND" }] }],
    },
  };
  assert.deepEqual(verdicts(parseMultiStatus(body, ["a"])), [[0, "FIRST"]]);
});

Deno.test("A success that holds an error, at its top or in the one object in it, is an error", () => {
  const body = {
    success: [
      { index: 0, keywordId: "300", keyword: { keywordId: "300", errors: [] } },
      { index: 1, keywordId: "301", keyword: { keywordId: "301", errors: [{ code: "BAD" }] } },
      { index: 2, keywordId: "302", errorDetails: { message: "no" } },
      { index: 3, keyword: { error: "no" } },
      { index: 4, keywordId: "304", keyword: { errorCode: "a field of the entity" } },
    ],
  };
  const items = body.success.map(({ index }) => ({ index }));
  const result = parseMultiStatus(body, items, { idField: "keywordId" });
  assert.deepEqual(result.successes.map(({ index }) => index), [0, 4]);
  assert.deepEqual(result.errors.map(({ index }) => index), [1, 2, 3]);
});

Deno.test("Without items, verdicts that name no index are all kept", () => {
  const body = {
    error: [{ errors: [{ code: "A" }] }, { index: null, errors: [{ code: "B" }] }],
    success: [],
  };
  const result = parseMultiStatus(body);
  assert.deepEqual(result.errors.map(({ code }) => code), ["A", "B"]);
  assert.equal(result.ok, false);
});

Deno.test("An entry of an array that says nothing good is no success", () => {
  const body = [{}, { description: "broken" }, null, "x", { code: "INTERNAL_ERROR" }, { keywordId: 5 }, {
    code: 200,
  }];
  const result = parseMultiStatus(body);
  assert.deepEqual(result.successes.map(({ index }) => index), [5, 6]);
  assert.deepEqual(result.errors.map(({ index }) => index), [0, 1, 2, 3, 4]);
});

Deno.test("A body without verdicts is refused", () => {
  for (const body of [undefined, null, "text", {}, { keywords: [] }, { code: "X", message: "y" }]) {
    assert.throws(
      () => parseMultiStatus(body, ["a"]),
      /^TypeError: Cannot read the verdicts of a batch: the body has neither a success nor an error list$/,
      JSON.stringify(body),
    );
  }
});

Deno.test("The id of a success is found under its own name and another one's, beside or inside the entity", () => {
  const cases: readonly [entry: Fields, idField: string | undefined, id: string][] = [
    [{ keywordId: "1", adGroupId: "9" }, "keywordId", "1"],
    [{ keyword: { keywordId: 2 } }, "keywordId", "2"],
    [{ keywordId: "3" }, "adId", "3"],
    [{ campaign: { campaignId: "4" } }, "adId", "4"],
    [{ campaign: { campaignId: "5" } }, undefined, "5"],
    [{ targetId: "6" }, undefined, "6"],
    [{ campaign: { keywordId: "7", campaignId: "8" } }, "keywordId", "7"],
  ];
  for (const [entry, idField, id] of cases) {
    const options = idField === undefined ? {} : { idField };
    const result = parseMultiStatus({ success: [{ index: 0, ...entry }] }, ["a"], options);
    assert.deepEqual(result.ids, [id], JSON.stringify(entry));
  }
});

Deno.test("An entry without a place among the items is nobody's verdict, whatever stands for its index", () => {
  for (const index of [undefined, null, "", "first"]) {
    const result = parseMultiStatus({ success: [{ index, keywordId: "1" }], error: [] }, ["a"]);
    assert.deepEqual(result.ids, [], `index ${index}`);
    assert.deepEqual(result.errors.map((error) => [error.index, error.code]), [[0, "NO_VERDICT"]]);
  }
  assert.deepEqual(parseMultiStatus({ success: [{ index: "0", keywordId: "1" }] }, ["a"]).ids, ["1"]);
});

Deno.test("Any order of the lists, any split between them and any gaps keep every item with its verdict", () => {
  const fate = fc.constantFrom("success", "error", "absent");
  fc.assert(
    fc.property(
      fc.array(fate, { maxLength: 60 }),
      fc.infiniteStream(fc.nat()),
      fc.nat(5000),
      (fates, keys, offset) => {
        const shuffled = fates.map((fate, index) => ({ fate, index, key: keys.next().value })).sort((a, b) =>
          a.key - b.key
        );
        const listed = (wanted: string): Fields[] =>
          shuffled.filter(({ fate }) => fate === wanted).map(({ index }) =>
            wanted === "success" ? { index, keywordId: `id-${index}` } : {
              index,
              errors: [{
                errorType: "rangeError",
                errorValue: { rangeError: { reason: `code-${index}` } },
              }],
            }
          );
        const items = fates.map((_, index) => `item-${index}`);
        const body = { keywords: { success: listed("success"), error: listed("error") } };
        const result = parseMultiStatus(body, items, { offset });
        const expected = fates.map((fate, index) => [
          index + offset,
          `item-${index}`,
          fate === "success" ? `id-${index}` : fate === "error" ? `code-${index}` : "NO_VERDICT",
        ]);
        const got = [...result].map((one) => [one.index, one.item, one.ok ? one.id : one.code]);
        assert.deepEqual(got, expected);
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("The echoed entity is the first object of a success, whatever stands before it and after it", () => {
  const success = {
    index: 0,
    note: null,
    tags: ["x"],
    keyword: { keywordId: "7" },
    campaign: { campaignId: "8" },
  };
  const { successes: [one] } = parseMultiStatus({ success: [success], error: [] }, [{}], {
    idField: "keywordId",
  });
  assert.deepEqual(one!.entity, { keywordId: "7" });
  assert.equal(one!.id, "7");
  const { successes: [bare] } = parseMultiStatus({
    success: [{ index: 0, keywordId: "9", tags: [] }],
    error: [],
  }, [
    {},
  ], { idField: "keywordId" });
  assert.deepEqual([bare!.entity, bare!.id], [undefined, "9"]);
});
