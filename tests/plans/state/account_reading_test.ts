import { PlatformAdsError } from "../../../src/errors.ts";
import type { Change, EntityFields } from "../../../src/plans/model/change.ts";
import type { CallState } from "../../../src/plans/model/planned_call.ts";
import { account } from "./listed_account.ts";
import { AccountReading, type ReadTarget } from "../../../src/plans/state/account_reading.ts";
import { Unread } from "../../../src/plans/model/prior_state.ts";
import { deepEqual, equal, match, rejects } from "../../support/assert.ts";

const bidOf = (_: string, { bid }: EntityFields): number | undefined => bid as number | undefined;

Deno.test("names are looked up once, and what is archived holds none", async () => {
  const { client, asked } = account({
    "sp.campaigns": [
      { campaignId: "1", name: "One" },
      { campaignId: "2", name: "Gone", state: "archived" },
    ],
  });
  const reading = new AccountReading().by(client);
  await reading.readHolders("sp.campaigns", [{ name: "one" }, { name: "gone" }, {}]);
  await reading.readHolders("sp.campaigns", [{ name: "ONE" }]);
  await reading.readHolders("sp.campaigns", []);
  deepEqual(asked, ["sp.campaigns like one gone"]);
  equal(reading.holderOf("sp.campaigns", "one"), "1");
  equal(reading.holderOf("sp.campaigns", "gone"), undefined);
  const endable = new AccountReading().by(client, new AbortController().signal);
  await endable.readHolders("sp.campaigns", [{ name: "one" }]);
  equal(asked[1], "sp.campaigns like one until ended");
});

Deno.test("an ad group holds what is not archived, and is asked once", async () => {
  const { client, asked } = account({
    "sp.keywords": [
      { keywordId: "8", adGroupId: "4" },
      { keywordId: "9", adGroupId: "4", state: "PAUSED" },
      { keywordId: "7", adGroupId: "4", state: "ARCHIVED" },
      { keywordId: "6", adGroupId: "5" },
    ],
  });
  const reading = new AccountReading().by(client);
  await reading.readHeld("sp.keywords", ["4"]);
  await reading.readHeld("sp.keywords", ["4"]);
  await reading.readHeld("sp.keywords", []);
  deepEqual(asked, ['sp.keywords by {"adGroupIds":["4"],"states":null}']);
  deepEqual(reading.holds("sp.keywords", "4"), ["8", "9"]);
  deepEqual(reading.holds("sp.keywords", "77"), []);
});

Deno.test("the highest bid of a campaign leaves out what changes touch, and one below leaves out what it is told", async () => {
  const { client, asked } = account({
    "sp.keywords": [
      { keywordId: "8", campaignId: "1", bid: 2 },
      { keywordId: "9", campaignId: "1", bid: 7 },
      { keywordId: "6", campaignId: "1" },
    ],
  });
  const reading = new AccountReading().by(client);
  equal(reading.highestBid("1"), undefined);
  await reading.readBids(["1"], ["sp.keywords"], (kind, entity) => bidOf(kind, entity) ?? 0);
  await reading.readBids(["1"], ["sp.keywords"], () => 99);
  deepEqual(reading.highestBid("1"), { kind: "sp.keywords", id: "9", bid: 7 });
  reading.touch([{ kind: "sp.keywords", id: "9" } as Change]);
  deepEqual(reading.highestBid("1")?.id, "8");
  await reading.readBelow({ kind: "sp.campaigns", id: "1" }, ["sp.keywords"], bidOf);
  await reading.readBelow({ kind: "sp.campaigns", id: "1" }, ["sp.keywords"], () => 99);
  await reading.readBelow({ kind: "sp.ad_groups", id: "4" }, ["sp.keywords"], () => undefined);
  deepEqual(reading.below("sp.campaigns", "1"), { highestBid: 7, of: "sp.keywords 9" });
  deepEqual(reading.below("sp.campaigns", "1", (key) => key.endsWith("9")), {
    highestBid: 2,
    of: "sp.keywords 8",
  });
  deepEqual(reading.below("sp.ad_groups", "4"), { highestBid: undefined, of: "" });
  match((reading.below("sp.ad_groups", "5") as Unread).why, /child entities were not read/);
  deepEqual(asked.slice(1), [
    'sp.keywords by {"campaignIds":["1"],"states":["ENABLED"]}',
    'sp.keywords by {"adGroupIds":["4"],"states":["ENABLED"]}',
  ]);
});

Deno.test("what cannot be listed is unread below, and the reading says why first", async () => {
  const { client } = account({}, {
    fails: (kind) => kind === "sp.keywords" ? new PlatformAdsError("no answer") : undefined,
  });
  const reading = new AccountReading().by(client);
  equal(reading.unread, undefined);
  await reading.readBelow({ kind: "sp.campaigns", id: "1" }, ["sp.keywords"], bidOf);
  const below = reading.below("sp.campaigns", "1") as Unread;
  equal(below.why, "sp.keywords could not be listed: no answer");
  equal(below.cause?.message, "no answer");
  equal(reading.unread, "no answer");
  const stopped = new AbortController();
  stopped.abort();
  const aborted = new AccountReading().by(client, stopped.signal);
  await rejects(aborted.readBelow({ kind: "sp.campaigns", id: "1" }, ["sp.keywords"], bidOf), /no answer/);
  await rejects(new AccountReading().readHolders("sp.campaigns", [{ name: "x" }]), /no client reads it/);
});

Deno.test("what is below a campaign is unknown where a kind cannot be listed, and nothing holds a name there", async () => {
  const unlisted = { idField: "keywordId", identity: () => "x" } as unknown as ReturnType<
    ReadTarget["resource"]
  >;
  const reading = new AccountReading().by({ resource: () => unlisted });
  await reading.readBelow({ kind: "sp.campaigns", id: "1" }, ["sp.keywords"], bidOf);
  equal((reading.below("sp.campaigns", "1") as Unread).why, "sp.keywords cannot be listed");
  await reading.readHolders("sp.keywords", [{ name: "x" }]);
  equal(reading.holderOf("sp.keywords", "x"), undefined);
  equal(reading.unread, undefined);
});

Deno.test("a campaign without bids has no highest one, and a bid of cents is one", async () => {
  const highest = async (...keywords: EntityFields[]): Promise<number | undefined> => {
    const { client } = account({
      "sp.keywords": keywords.map((one, at) => ({ keywordId: String(at), campaignId: 1, ...one })),
    });
    const reading = new AccountReading().by(client);
    await reading.readBids(["1"], ["sp.keywords"], (kind, entity) => bidOf(kind, entity) ?? 0);
    return reading.highestBid("1")?.bid;
  };
  deepEqual([await highest({}, {}), await highest({ bid: 0.02 }, {})], [undefined, 0.02]);
});

Deno.test("an entity that has no id yet is not there, and one that was not asked for is unknown", () => {
  const reading = new AccountReading();
  equal(reading.entity("sp.campaigns", null), undefined);
  equal((reading.entity("sp.campaigns", "1") as Unread).why, "sp.campaigns 1 was not read");
});

Deno.test("what a call writes over is read once, and is unknown where it cannot be read", async () => {
  const call: Change = {
    kind: "call",
    op: "call",
    id: null,
    before: {},
    after: { operation: "a:b", request: "PUT /x", body: {} },
    label: "",
  };
  let reads = 0;
  const read = async (readState: () => Promise<CallState | undefined>): Promise<AccountReading> => {
    reads = 0;
    const { client } = account({});
    const calls = { read: () => (reads++, readState()), send: () => Promise.reject(new TypeError("x")) };
    const reading = new AccountReading().by({ ...client, calls });
    for (const change of [call, call, { ...call, op: "update" as const }]) await reading.readCall(change);
    return reading;
  };
  const known = await read(() => Promise.resolve({ body: { a: 1 } }));
  deepEqual([known.call(call), reads], [{ body: { a: 1 } }, 1]);
  const unknown = await read(() => Promise.reject(new PlatformAdsError("no answer")));
  equal((unknown.call(call) as Unread).why, "the values that a:b overwrites could not be read: no answer");
  equal(unknown.call({ ...call, after: {} }), undefined);
});

Deno.test("a large plan forgets what nothing is in, and keeps the places", () => {
  const reading = new AccountReading();
  for (const kind of ["sp.keywords", "sd.targets", "sp.campaigns", "sd.ad_groups", "portfolios"]) {
    reading.keep(kind, new Map([["1", { kind }]]));
  }
  reading.forgetLeaves();
  const known = ["sp.keywords", "sd.targets", "sp.campaigns", "sd.ad_groups", "portfolios"]
    .filter((kind) => !(reading.entity(kind, "1") instanceof Unread));
  deepEqual(known, ["sp.campaigns", "sd.ad_groups", "portfolios"]);
  reading.keep("sp.keywords", new Map([["1", {}], ["2", {}]]));
  reading.forget("sp.keywords", 2);
  equal(reading.entity("sp.keywords", "1") instanceof Unread, false);
  reading.forget("sp.keywords", 1);
  equal(reading.entity("sp.keywords", "1") instanceof Unread, true);
});
