import { PlatformAdsError } from "../../../src/errors.ts";
import type { Change, EntityFields } from "../../../src/plans/change.ts";
import { AccountReading, type ReadTarget } from "../../../src/plans/state/account_reading.ts";
import { Unread } from "../../../src/plans/state/prior_state.ts";
import { readPriorState } from "../../../src/plans/state/read_prior_state.ts";
import { deepEqual, equal, match, rejects } from "../../support/assert.ts";

type Listed = Readonly<Record<string, readonly EntityFields[]>>;

/** A profile; `asked` holds what was read of it. */
function account(listed: Listed, more: { fails?: (kind: string) => Error | undefined } = {}) {
  const asked: string[] = [];
  const client: ReadTarget = {
    resource: (kind) => {
      const idField = kind === "sp.ad_groups"
        ? "adGroupId"
        : kind === "sp.campaigns"
        ? "campaignId"
        : "keywordId";
      const rows = listed[kind] ?? [];
      const ask = (what: string): void => {
        asked.push(what);
        const error = more.fails?.(kind);
        if (error !== undefined) throw error;
      };
      return {
        idField,
        identity: (entity) => entity["name"] === undefined ? undefined : String(entity["name"]).toLowerCase(),
        getMany: async (ids) => {
          await Promise.resolve();
          ask(`${kind} ${ids.join(" ")}`);
          return new Map(
            rows.filter((row) => ids.includes(String(row[idField]))).map((
              row,
            ) => [String(row[idField]), row]),
          );
        },
        async *iter({ signal: _, ...query }) {
          await Promise.resolve();
          ask(`${kind} by ${JSON.stringify(query)}`);
          yield* rows;
        },
        candidates: async (items, { signal } = {}) => {
          await Promise.resolve();
          ask(
            `${kind} like ${items.map(({ name }) => name).join(" ")}${
              signal === undefined ? "" : " until ended"
            }`,
          );
          return rows;
        },
      } as ReturnType<ReadTarget["resource"]>;
    },
  };
  return { client, asked };
}

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
  match((reading.below("sp.ad_groups", "5") as Unread).why, /was not read/);
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

Deno.test("an ad group is read where it says what the entity does not", async () => {
  const rows: Listed = {
    "sp.keywords": [
      { keywordId: "1", adGroupId: "4", campaignId: "7", bid: 1 },
      { keywordId: "2", adGroupId: "4", campaignId: "7" },
      { keywordId: "3", adGroupId: "4", bid: 1 },
    ],
    "sp.ad_groups": [{ adGroupId: "4", campaignId: "7", defaultBid: 1 }],
    "sp.campaigns": [{ campaignId: "7" }],
  };
  const groupsRead = async (
    id: string,
    after: EntityFields,
    op: Change["op"] = "update",
  ): Promise<boolean> => {
    const { client, asked } = account(rows);
    await readPriorState([{ kind: "sp.keywords", op, id, before: {}, after, label: "" }], client);
    return asked.includes("sp.ad_groups 4");
  };
  deepEqual(
    [
      await groupsRead("1", { bid: 2 }),
      await groupsRead("1", { bid: null }),
      await groupsRead("1", { state: "PAUSED" }),
      await groupsRead("2", { bid: 2 }),
      await groupsRead("2", { state: "ENABLED" }),
      await groupsRead("2", { tags: {} }),
      await groupsRead("3", { tags: {} }),
      await groupsRead("1", {}, "archive"),
      await groupsRead("2", {}, "archive"),
    ],
    [false, true, false, true, true, false, true, false, true],
  );
});

Deno.test("around changes are read the names that they want, what rivals hold and the bids under lowered budgets", async () => {
  const change = (kind: string, id: string | null, after: EntityFields): Change => ({
    kind,
    op: id === null ? "create" : "update",
    id,
    before: {},
    after,
    label: "",
  });
  const { client, asked } = account({ "sp.campaigns": [{ campaignId: "1", name: "One" }] });
  await readPriorState(
    [
      change("sp.campaigns", null, { name: "New" }),
      change("sp.campaigns", "1", { name: "Other", budget: { budget: 5 } }),
      change("sp.ad_groups", null, { name: "Inside", campaignId: { ref: "c" } }),
      change("sp.ad_groups", "4", { defaultBid: 1 }),
      change("sp.keywords", null, { adGroupId: "4" }),
      change("portfolios", "7", { state: "ENABLED" }),
    ],
    client,
    { surroundings: true, below: true },
  );
  deepEqual(asked.filter((what) => /like|by/.test(what)), [
    "sp.campaigns like New Other",
    'sp.targets by {"adGroupIds":["4"],"states":null}',
    'sp.ad_groups by {"campaignIds":["1"]}',
    'sp.keywords by {"campaignIds":["1"]}',
    'sp.targets by {"campaignIds":["1"]}',
  ]);
});
