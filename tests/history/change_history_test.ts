import { deepEqual, equal, rejects } from "../support/assert.ts";
import { ChangeHistory, type Resource } from "../../mod.ts";
import type { HistoryOptions } from "../../src/client/insights/mod.ts";
import type { Fields } from "../../src/client/entities/model/resource_wire.ts";
import { type FakeScope, fakeScope } from "../support/fake_scope.ts";

const NOW = Date.parse("2026-09-30T12:00:00Z");
const HOUR = 3_600_000;

interface Body {
  readonly eventTypes: Record<string, { eventTypeIds?: string[]; parents?: Fields[] }>;
  readonly sort: { direction: string };
  readonly nextToken?: string;
}

function event(entityType: string, entityId: string, parts: Fields = {}): Fields {
  return {
    entityType,
    entityId,
    changeType: "BID_AMOUNT",
    previousValue: "0.5",
    newValue: "0.6",
    timestamp: NOW - HOUR,
    metadata: { campaignId: "11" },
    ...parts,
  };
}

/** A service that knows some events and, like the platform, filters by ids alone. */
function service(events: readonly Fields[]): FakeScope {
  return fakeScope(({ json }) => {
    const { eventTypes, sort } = json as Body;
    const ids = new Set(Object.values(eventTypes).flatMap(({ eventTypeIds = [] }) => eventTypeIds));
    const parents = Object.values(eventTypes).flatMap(({ parents = [] }) => parents);
    const campaigns = new Set(parents.map(({ campaignId }) => campaignId));
    const all = parents.some(({ useProfileIdAdvertiser }) => useProfileIdAdvertiser);
    const found = events.filter(({ entityId, metadata }) =>
      all || ids.has(String(entityId)) || campaigns.has((metadata as Fields)["campaignId"])
    );
    const order = sort.direction === "ASC" ? 1 : -1;
    return { events: found.sort((a, b) => order * (Number(a["timestamp"]) - Number(b["timestamp"]))) };
  }, { now: () => NOW });
}

function history(scope: FakeScope): ChangeHistory {
  return new ChangeHistory(scope, (): Resource => {
    throw new Error("no resource is needed");
  });
}

async function ids(scope: FakeScope, options: HistoryOptions): Promise<string[]> {
  return (await history(scope).list(options)).map(({ entityId }) => entityId);
}

function bodies({ requests }: FakeScope): Body[] {
  return requests.map(({ json }) => json as Body);
}

Deno.test("without ids the whole advertiser is asked for, every type of entity, the last 90 days", async () => {
  const scope = service([event("KEYWORD", "1")]);
  deepEqual(await ids(scope, {}), ["1"]);
  const [body] = bodies(scope);
  deepEqual(Object.keys(body!.eventTypes), [
    "CAMPAIGN",
    "AD_GROUP",
    "AD",
    "KEYWORD",
    "NEGATIVE_KEYWORD",
    "PRODUCT_TARGETING",
  ]);
  for (const selection of Object.values(body!.eventTypes)) {
    deepEqual(selection, { parents: [{ useProfileIdAdvertiser: true }] });
  }
  const { fromDate, toDate, count } = scope.requests[0]!.json as Record<string, number>;
  deepEqual([toDate, count], [NOW, 200]);
  equal(Math.round((NOW - fromDate!) / (24 * HOUR)), 90);
});

Deno.test("events that the platform lets through although nobody asked for them are left out", async () => {
  const events = [
    event("KEYWORD", "1"),
    event("KEYWORD", "2", { changeType: "STATUS" }),
    event("CAMPAIGN", "3"),
    event("KEYWORD", "4", { timestamp: NOW - 49 * HOUR }),
    event("KEYWORD", "5", { metadata: { campaignId: "12" } }),
  ];
  const asked = { entityTypes: ["KEYWORD"], changes: ["BID_AMOUNT"], since: new Date(NOW - 48 * HOUR) };
  deepEqual(await ids(service(events), asked), ["1", "5"]);
  deepEqual(await ids(service(events), { ...asked, campaignIds: ["11"] }), ["1"]);
  deepEqual(await ids(service(events), { ...asked, entityIds: ["5", "4"] }), ["5"]);
  deepEqual(await ids(service(events), { ...asked, entityIds: ["5"], campaignIds: ["11"] }), []);
});

Deno.test("campaigns are found by their own ids when campaigns are asked for", async () => {
  const scope = service([
    event("CAMPAIGN", "11", { metadata: {} }),
    event("KEYWORD", "1"),
    event("CAMPAIGN", "12"),
  ]);
  deepEqual(await ids(scope, { campaignIds: ["11"], entityTypes: ["CAMPAIGN", "KEYWORD"] }), ["11", "1"]);
  deepEqual(bodies(scope)[0]!.eventTypes, {
    CAMPAIGN: { eventTypeIds: ["11"] },
    KEYWORD: { parents: [{ campaignId: "11" }] },
  });
});

for (const newestFirst of [true, false]) {
  Deno.test(`25 ids are asked for ten at a time and come ${newestFirst ? "newest" : "oldest"} first`, async () => {
    const numbers = [...Array(25).keys()];
    const events = numbers.map((n) =>
      event("KEYWORD", String(n), { timestamp: NOW - ((n * 7) % 25) * HOUR })
    );
    const scope = service(events);
    const found = await history(scope).list({
      entityIds: numbers.map(String),
      entityTypes: ["KEYWORD"],
      newestFirst,
    });
    const times = found.map(({ timestamp }) => timestamp);
    deepEqual(times, [...times].sort((a, b) => newestFirst ? b - a : a - b));
    equal(found.length, 25);
    deepEqual(bodies(scope).map(({ eventTypes }) => eventTypes["KEYWORD"]!.eventTypeIds!.length), [
      10,
      10,
      5,
    ]);
  });
}

Deno.test("a page is fetched only when it is asked for", async () => {
  const scope = fakeScope(({ json }) => {
    const page = Number((json as Body).nextToken ?? 0);
    return { events: [event("KEYWORD", String(page))], nextToken: String(page + 1) };
  }, { now: () => NOW });
  for await (const { entityId } of history(scope).events()) if (entityId === "2") break;
  equal(scope.requests.length, 3);
});

Deno.test("an empty list of anything matches nothing, and nothing is asked", async () => {
  const scope = service([event("KEYWORD", "1")]);
  for (const empty of ["entityTypes", "entityIds", "campaignIds", "changes"]) {
    deepEqual(await ids(scope, { [empty]: [] }), []);
  }
  equal(scope.requests.length, 0);
});

const REFUSED: [HistoryOptions, RegExp][] = [
  [{ since: "2026-06-01" }, /the platform remembers 90 days, back to 2026-07-02/],
  [{ since: "2026-09-29", until: "2026-09-28" }, /it ends before it begins/],
  [
    { campaignId: "11" } as HistoryOptions,
    /by "campaignId": there is no such option. Expected one of since,/,
  ],
  [{ since: "yesterday" }, /Cannot use "yesterday" as a moment/],
  [{ since: NaN }, /as a moment/],
  [{ until: "2026-13-45" }, /as a moment/],
];
for (const [options, message] of REFUSED) {
  Deno.test(`a history of ${JSON.stringify(options)} is refused, and nothing is asked`, async () => {
    const scope = service([]);
    await rejects(history(scope).list(options), message);
    equal(scope.requests.length, 0);
  });
}

Deno.test("valueAt gives the value between two changes, and nothing where no change is remembered", async () => {
  const bids = [["0.4", "0.5", 30], ["0.5", "0.6", 20], ["0.6", "0.7", 10]] as const;
  const events = bids.map(([previousValue, newValue, hours]) =>
    event("KEYWORD", "1", { previousValue, newValue, timestamp: NOW - hours * HOUR })
  );
  const changes = history(service(events));
  const at = (hours: number): Promise<string | undefined> =>
    changes.valueAt("KEYWORD", "1", { change: "BID_AMOUNT", at: NOW - hours * HOUR });
  deepEqual(await Promise.all([40, 30, 25, 15, 10, 1].map(at)), ["0.4", "0.5", "0.5", "0.6", "0.7", "0.7"]);
  equal(await changes.valueAt("KEYWORD", "1", { change: "STATUS", at: NOW }), undefined);
  equal(await changes.valueAt("KEYWORD", "2", { change: "BID_AMOUNT", at: NOW }), undefined);
});

Deno.test("valueAt of a moment that the platform does not remember is refused, unless events reach back so far", async () => {
  const scope = service([event("KEYWORD", "1")]);
  const asked = { change: "BID_AMOUNT", at: NOW - 91 * 24 * HOUR };
  await rejects(history(scope).valueAt("KEYWORD", "1", asked), /the platform remembers 90 days/);
  equal(scope.requests.length, 0);
  const events = await history(scope).list();
  equal(await history(scope).valueAt("KEYWORD", "1", { ...asked, events }), "0.5");
});

Deno.test("a platform that gives one page again and again is not read forever", async () => {
  const scope = fakeScope(() => ({ events: [event("KEYWORD", "1")], nextToken: "same" }), { now: () => NOW });
  await rejects(history(scope).list(), /repeats the same page/);
  equal(scope.requests.length, 2);
});

Deno.test("valueAt takes events that were read before, in any order, and asks nothing", async () => {
  const scope = service([
    event("KEYWORD", "1", { previousValue: "0.6", newValue: "0.7", timestamp: NOW - HOUR }),
    event("KEYWORD", "1", { previousValue: "0.5", newValue: "0.6", timestamp: NOW - 3 * HOUR }),
  ]);
  const changes = history(scope);
  const events = await changes.list();
  const value = await changes.valueAt("KEYWORD", "1", { change: "BID_AMOUNT", at: NOW - 2 * HOUR, events });
  equal(value, "0.6");
  equal(scope.requests.length, 1);
});

Deno.test("tokens that go in a circle are not followed forever", async () => {
  const scope = fakeScope((_, turn) => {
    const events = [event("KEYWORD", String(turn))];
    return { events, nextToken: turn % 2 === 0 ? "c" : "b" };
  }, { now: () => NOW });
  await rejects(history(scope).list(), /repeats the same page/);
  equal(scope.requests.length, 3);
});

Deno.test("an event's time may be a number or a text, in digits or as ISO 8601", async () => {
  const time = NOW - HOUR;
  const texts = [
    time,
    String(time),
    new Date(time).toISOString(),
    "2026-09-30T13:00:00+02:00",
    "2026-09-30T11:00:00+0000",
  ];
  const events = texts.map((timestamp, at) => event("KEYWORD", String(at), { timestamp }));
  const found = await history(fakeScope(() => ({ events }), { now: () => NOW })).list();
  deepEqual(found.map(({ timestamp }) => timestamp), texts.map(() => time));
});

Deno.test("an event whose time cannot be read is an error, and does not vanish", async () => {
  for (const timestamp of ["yesterday", undefined, null, {}]) {
    const scope = fakeScope(() => ({ events: [event("KEYWORD", "1", { timestamp })] }), { now: () => NOW });
    await rejects(history(scope).list(), /an event has the time/);
  }
});
