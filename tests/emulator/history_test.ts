import assert from "node:assert/strict";
import type { HistoryEvent } from "../../src/emulator/mod.ts";
import { Caller } from "./caller.ts";

const NOW = Date.parse("2026-09-30T12:00:00Z");
const DAY = 86_400_000;
const WINDOW = { fromDate: NOW - 90 * DAY, toDate: NOW };
const EVERYTHING = { parents: [{ useProfileIdAdvertiser: true }] };

async function find(caller: Caller, body: unknown, country = "US") {
  const profile = caller.profile(country);
  return await caller.call("POST", "/history", body, { type: "application/json", profile });
}

/** Puts changes of two campaigns in the place of a profile without Brands; times are days ago. */
function record(caller: Caller, events: readonly [string, string, string, number, string?][]): void {
  const profile = caller.emulator.state.profile(caller.profile("MX"))!;
  for (const [entityType, entityId, changeType, daysAgo, adGroupId] of events) {
    profile.recordEvent({
      entityType,
      entityId,
      changeType,
      previousValue: "1",
      newValue: "2",
      timestamp: NOW - daysAgo * DAY,
      metadata: { campaignId: entityId.slice(0, 2), ...(adGroupId === undefined ? {} : { adGroupId }) },
    });
  }
}

const ids = (events: readonly HistoryEvent[]) => events.map((event) => event.entityId);

Deno.test("the whole advertiser must be asked for by name, or no change is found", async () => {
  await using caller = await Caller.start();
  const nothing = await find(caller, { ...WINDOW, eventTypes: { KEYWORD: {}, CAMPAIGN: { parents: [] } } });
  assert.deepEqual(nothing.json, { events: [], totalResults: 0 });
  const all = await find(caller, { ...WINDOW, eventTypes: { KEYWORD: EVERYTHING } });
  assert.ok(all.json.totalResults > 20);
  assert.ok(all.json.events.every((event: HistoryEvent) => typeof event.newValue === "string"));
});

Deno.test("filters of change types are taken and have no effect, and changes of campaigns come along", async () => {
  await using caller = await Caller.start();
  const ask = (selector: unknown) =>
    find(caller, { ...WINDOW, count: 200, eventTypes: { KEYWORD: selector } });
  const plain = await ask(EVERYTHING);
  const filtered = await ask({ ...EVERYTHING, filters: ["STATUS"] });
  assert.deepEqual(filtered.json.events, plain.json.events);
  const found = (field: "changeType" | "entityType") =>
    new Set(plain.json.events.map((event: HistoryEvent) => event[field]));
  assert.ok(found("changeType").has("BID_AMOUNT"));
  assert.deepEqual(found("entityType"), new Set(["KEYWORD", "CAMPAIGN"]));
});

Deno.test("changes are found by entity, campaign and ad group", async () => {
  await using caller = await Caller.start();
  record(caller, [
    ["KEYWORD", "11-k1", "BID_AMOUNT", 5, "g1"],
    ["KEYWORD", "11-k2", "STATUS", 4, "g2"],
    ["KEYWORD", "22-k3", "BID_AMOUNT", 3, "g3"],
    ["AD_GROUP", "22-g3", "NAME", 2, "g3"],
    ["CAMPAIGN", "22", "NAME", 1],
  ]);
  const cases: [unknown, string[]][] = [
    [{ KEYWORD: { eventTypeIds: ["11-k1", "22-k3"] } }, ["22-k3", "11-k1"]],
    [{ AD_GROUP: { eventTypeIds: ["22-k3"] } }, []],
    [{ KEYWORD: { parents: [{ campaignId: "11" }] } }, ["11-k2", "11-k1"]],
    [{ KEYWORD: { parents: [{ adGroupId: "g2" }, { adGroupId: "g3" }] } }, ["22-k3", "11-k2"]],
    [{ KEYWORD: { parents: [{ campaignId: "22" }] } }, ["22", "22-k3"]],
    [{ AD_GROUP: { parents: [{ campaignId: "22" }] }, KEYWORD: { eventTypeIds: ["11-k1"] } }, [
      "22",
      "22-g3",
      "11-k1",
    ]],
  ];
  for (const [eventTypes, expected] of cases) {
    const { json } = await find(caller, { ...WINDOW, eventTypes }, "MX");
    assert.deepEqual(ids(json.events), expected, JSON.stringify(eventTypes));
  }
});

Deno.test("only changes inside the window are found, both ends included, in the order that was asked for", async () => {
  await using caller = await Caller.start();
  record(caller, [
    ["AD", "33-a", "STATUS", 9],
    ["AD", "33-b", "STATUS", 8],
    ["AD", "33-c", "STATUS", 7],
    ["AD", "33-d", "STATUS", 6],
  ]);
  const body = {
    fromDate: NOW - 8 * DAY,
    toDate: NOW - 7 * DAY,
    eventTypes: { AD: { parents: [{ campaignId: "33" }] } },
  };
  assert.deepEqual(ids((await find(caller, body, "MX")).json.events), ["33-c", "33-b"]);
  const oldest = { ...body, sort: { key: "DATE", direction: "ASC" } };
  assert.deepEqual(ids((await find(caller, oldest, "MX")).json.events), ["33-b", "33-c"]);
});

Deno.test("pages hold every change once, whatever happens meanwhile, with an empty page in between", async () => {
  await using caller = await Caller.start({ quirks: { emptyPageEvery: 2 } });
  record(caller, Array.from({ length: 230 }, (_, index) => ["AD", `44-${index}`, "STATUS", index / 10]));
  const eventTypes = { AD: { parents: [{ campaignId: "44" }] } };
  const found: string[] = [];
  const sizes: number[] = [];
  let nextToken: string | undefined;
  do {
    const { json } = await find(caller, { ...WINDOW, eventTypes, nextToken }, "MX");
    found.push(...ids(json.events));
    sizes.push(json.events.length);
    assert.equal(json.totalResults, 230);
    nextToken = json.nextToken;
    record(caller, [["AD", "44-new", "STATUS", 0]]);
  } while (nextToken !== undefined);
  assert.deepEqual(found, Array.from({ length: 230 }, (_, index) => `44-${index}`));
  assert.deepEqual(sizes, [50, 50, 0, 50, 0, 50, 0, 30]);
  const second = await find(caller, { ...WINDOW, eventTypes, pageOffset: 1 }, "MX");
  assert.equal(second.json.events.length, 50);
});

const ELEVEN = Array.from({ length: 11 }, (_, index) => String(index));
const REFUSED: [string, Record<string, unknown>][] = [
  ["eleven ids", { eventTypes: { KEYWORD: { eventTypeIds: ELEVEN } } }],
  ["eleven campaigns", {
    eventTypes: { KEYWORD: { parents: ELEVEN.map((campaignId) => ({ campaignId })) } },
  }],
  ["a count of 49", { count: 49 }],
  ["a count of 201", { count: 201 }],
  ["a beginning 92 days ago", { fromDate: NOW - 92 * DAY }],
  ["an end before the beginning", { toDate: NOW - 91 * DAY }],
  ["a day as text", { fromDate: "2026-09-01" }],
  ["no entity type", { eventTypes: {} }],
  ["an unknown entity type", { eventTypes: { BANNER: {} } }],
  ["a field of nobody", { eventType: {} }],
  ["a sort by name", { sort: { key: "NAME" } }],
  ["a token of nobody", { nextToken: "abc" }],
  ["ids that are numbers", { eventTypes: { KEYWORD: { eventTypeIds: [7] } } }],
];
Deno.test("a request for changes is refused with code and details", async () => {
  await using caller = await Caller.start();
  for (const [what, change] of REFUSED) {
    const answer = await find(caller, { ...WINDOW, eventTypes: { KEYWORD: EVERYTHING }, ...change });
    assert.equal(answer.status, 400, what);
    assert.equal(answer.json.code, "INVALID_ARGUMENT", what);
    assert.equal(typeof answer.json.details, "string", what);
  }
});

Deno.test("a page token is good for its own question only", async () => {
  await using caller = await Caller.start();
  record(caller, Array.from({ length: 60 }, (_, index) => ["AD", `55-${index}`, "STATUS", 1]));
  const body = { ...WINDOW, eventTypes: { AD: { parents: [{ campaignId: "55" }] } } };
  const { nextToken } = (await find(caller, body, "MX")).json;
  assert.equal((await find(caller, { ...body, nextToken, count: 60 }, "MX")).status, 400);
  assert.equal((await find(caller, { ...body, nextToken }, "US")).status, 400);
  assert.equal((await find(caller, { ...body, nextToken }, "MX")).json.events.length, 10);
});

Deno.test("the demo account's history leads to what its entities hold now", async () => {
  await using caller = await Caller.start();
  for (const profile of caller.emulator.state.profiles()) {
    const last = new Map<string, HistoryEvent>();
    for (const event of profile.history()) {
      const key = `${event.entityId} ${event.changeType}`;
      assert.equal(
        event.previousValue,
        last.get(key)?.newValue ?? event.previousValue,
        "each begins where one ended",
      );
      last.set(key, event);
    }
    assert.ok(last.size > 20, profile.record.countryCode);
    for (const event of last.values()) {
      if (event.entityType !== "KEYWORD" || event.changeType !== "BID_AMOUNT") continue;
      const keyword = profile.collection("sp.keywords").get(event.entityId) ??
        profile.collection("sb.keywords").get(event.entityId);
      assert.equal(String(keyword!.bid), event.newValue);
    }
  }
});
