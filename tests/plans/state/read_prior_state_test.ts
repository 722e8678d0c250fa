import { PlatformAdsError } from "../../../src/errors.ts";
import type { Change, EntityFields } from "../../../src/plans/model/change.ts";
import type { CallState } from "../../../src/plans/model/planned_call.ts";
import { AccountReading } from "../../../src/plans/state/account_reading.ts";
import { Unread } from "../../../src/plans/model/prior_state.ts";
import { comparedBid, readChanged, readPriorState } from "../../../src/plans/state/read_prior_state.ts";
import { deepEqual, equal } from "../../support/assert.ts";
import { account, type Listed } from "./listed_account.ts";

function change(kind: string, id: string | null, after: EntityFields, more: Partial<Change> = {}): Change {
  return { kind, op: id === null ? "create" : "update", id, before: {}, after, label: "", ...more };
}

const ROWS: Listed = {
  "sp.keywords": [
    { keywordId: "1", adGroupId: "4", campaignId: "7", bid: 1 },
    { keywordId: "2", adGroupId: "4", bid: 1 },
  ],
  "sp.ad_groups": [{ adGroupId: "4", campaignId: "7" }, { adGroupId: "5", campaignId: "8" }],
  "sp.campaigns": [{ campaignId: "7", portfolioId: "30" }, { campaignId: "8" }],
};

/** What is requested for changes, in order. */
async function askedFor(
  changes: readonly Change[],
  options: Parameters<typeof readPriorState>[2] = {},
): Promise<readonly string[]> {
  const { client, asked } = account(ROWS);
  await readPriorState(changes, client, options);
  return asked;
}

Deno.test("each kind is read once, whether a change names the entity or another one is in it", async () => {
  const asked = await askedFor([
    change("sp.campaigns", "9", { name: "x" }),
    change("sp.ad_groups", "5", { name: "x" }),
    change("sp.keywords", "2", { bid: 2 }),
  ]);
  deepEqual(asked, ["sp.keywords 2", "sp.ad_groups 5 4", "sp.campaigns 9 8 7"]);
});

Deno.test("portfolios are read last, the old and the new one, and only where a campaign changes its own", async () => {
  deepEqual(await askedFor([change("sp.campaigns", "7", { portfolioId: "31" })]), [
    "sp.campaigns 7",
    "portfolios 30 31",
  ]);
  deepEqual(await askedFor([change("sp.campaigns", "7", { portfolioId: null })]), [
    "sp.campaigns 7",
    "portfolios 30",
  ]);
  deepEqual(await askedFor([change("sp.campaigns", "7", { name: "x" })]), ["sp.campaigns 7"]);
  deepEqual(await askedFor([change("sp.keywords", "1", { portfolioId: "31" })]), [
    "sp.keywords 1",
    "sp.campaigns 7",
  ]);
  deepEqual(
    await askedFor([
      change("sp.campaigns", "7", { portfolioId: "31" }),
      change("portfolios", "31", { name: "x" }),
    ]),
    ["sp.campaigns 7", "portfolios 31 30"],
  );
});

Deno.test("the campaign of something new is read by the account's ad group, and by the plan where that says nothing", async () => {
  const created = (after: EntityFields): Change => change("sp.keywords", null, after);
  deepEqual(await askedFor([created({ adGroupId: "4", campaignId: "9" })]), [
    "sp.ad_groups 4",
    "sp.campaigns 7",
  ]);
  deepEqual(await askedFor([created({ adGroupId: "6", campaignId: "9" })]), [
    "sp.ad_groups 6",
    "sp.campaigns 9",
  ]);
  deepEqual(await askedFor([created({ campaignId: "9" })]), ["sp.campaigns 9"]);
  deepEqual(
    await askedFor([created({ campaignId: "nine", adGroupId: "4 or 5" })]),
    [],
    "no misspelt id is requested",
  );
  deepEqual(await askedFor([change("sp.keywords", "1", { campaignId: "9" })]), [
    "sp.keywords 1",
    "sp.campaigns 7",
  ]);
  const both = await askedFor([change("sp.keywords", "1", { campaignId: "9" })], { surroundings: true });
  deepEqual(both.slice(0, 3), ["sp.keywords 1", "sp.ad_groups 4", "sp.campaigns 7 9"]);
  deepEqual(await askedFor([change("call", null, { campaignId: "9" }, { op: "call" })]), []);
});

Deno.test("bids are read below what may start to spend or changes its bidding, and only where they are asked for", async () => {
  const belowOf = async (one: Change): Promise<readonly string[]> =>
    (await askedFor([one], { below: true })).filter((what) => / by /.test(what)).map((what) =>
      what.replace(/ by.*/, "")
    );
  const bidders = ["sp.ad_groups", "sp.keywords", "sp.targets"];
  for (
    const after of [{ state: "ENABLED" }, { endDate: null }, { startDate: "x" }, { dynamicBidding: {} }, {
      bidding: {},
    }]
  ) {
    deepEqual(await belowOf(change("sp.campaigns", "7", after)), bidders);
  }
  deepEqual(await belowOf(change("sp.campaigns", "7", { name: "x" })), []);
  deepEqual(await belowOf(change("sb.campaigns", "7", { state: "ENABLED" })), ["sb.keywords", "sb.targets"]);
  deepEqual(await belowOf(change("sd.campaigns", "7", { state: "ENABLED" })), ["sd.ad_groups", "sd.targets"]);
  deepEqual(await belowOf(change("sp.ad_groups", "4", { state: "ENABLED" })), ["sp.keywords", "sp.targets"]);
  deepEqual(await belowOf(change("sp.ad_groups", "4", { defaultBid: 1 })), []);
  deepEqual(await belowOf(change("sp.keywords", "1", { state: "ENABLED" })), []);
  deepEqual(await belowOf(change("portfolios", "1", { state: "ENABLED" })), []);
  deepEqual(await belowOf(change("sp.campaigns", null, { state: "ENABLED" })), []);
  deepEqual(await belowOf(change("sp.campaigns", "7", { state: "ARCHIVED" }, { op: "archive" })), []);
  deepEqual(await askedFor([change("sp.campaigns", "7", { state: "ENABLED" })]), ["sp.campaigns 7"]);
});

Deno.test("the rest of a campaign is compared without the changes themselves", async () => {
  const { client } = account({
    ...ROWS,
    "sp.keywords": [{ keywordId: "1", campaignId: "7", bid: 9 }, { keywordId: "2", campaignId: "7", bid: 3 }],
  });
  const reading = await readPriorState(
    [change("sp.campaigns", "7", { budget: { budget: 5 } }), change("sp.keywords", "1", { bid: 2 })],
    client,
    { surroundings: true },
  );
  equal(reading.highestBid("7")?.bid, 3);
});

Deno.test("the platform compares a budget with the bids of keywords, ad groups and its own targets", () => {
  const fields = { bid: "1.5", defaultBid: 2 };
  deepEqual(["sp.keywords", "sp.ad_groups"].map((kind) => comparedBid(kind, fields)), [1.5, 2]);
  deepEqual(
    ["AUTO", "MANUAL"].map((expressionType) => comparedBid("sp.targets", { ...fields, expressionType })),
    [
      1.5,
      0,
    ],
  );
  equal(comparedBid("sp.keywords", {}), 0);
});

Deno.test("for drift what changes is read and nothing around it, and of calls what says what it writes over", async () => {
  const call = (before: EntityFields, operation: string): Change =>
    change("call", null, { operation, request: "PUT /x" }, { op: "call", before });
  const { client, asked } = account(ROWS);
  const read: string[] = [];
  const calls = {
    read: ({ operation }: { operation: string }): Promise<CallState> => {
      read.push(operation);
      return Promise.resolve({ body: 1 });
    },
    send: () => Promise.reject(new TypeError("nothing is sent")),
  };
  const reading = new AccountReading().by({ ...client, calls });
  await readChanged(
    [
      change("sp.keywords", "2", { bid: 2 }, { before: { bid: 1 } }),
      change("sp.keywords", null, { adGroupId: "4" }),
      call({}, "a:Create"),
      call({ body: 2 }, "a:Update"),
      { ...call({}, "a:Other"), id: "3" },
    ],
    reading,
  );
  deepEqual([asked, read], [["sp.keywords 2"], ["a:Update"]]);
});

Deno.test("what could not be read is unknown with why, and the rest is read all the same", async () => {
  const { client } = account(ROWS, {
    fails: (kind) => kind === "sp.keywords" ? new PlatformAdsError("no answer") : undefined,
  });
  const reading = await readPriorState([
    change("sp.keywords", "1", { bid: 2 }),
    change("sp.campaigns", "7", { name: "x" }),
  ], client);
  equal((reading.entity("sp.keywords", "1") as Unread).why, "sp.keywords could not be read: no answer");
  equal(reading.entity("sp.campaigns", "7") instanceof Unread, false);
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
  const { client, asked } = account({ "sp.campaigns": [{ campaignId: "1", name: "One" }] });
  await readPriorState(
    [
      change("sp.campaigns", null, { name: "New" }),
      change("sp.campaigns", "1", { name: "Other", budget: { budget: 5 } }),
      change("sp.ad_groups", null, { name: "Inside", campaignId: { ref: "c" } }),
      change("sp.ad_groups", "4", { defaultBid: 1 }),
      change("sp.keywords", null, { adGroupId: "4" }),
      change("sp.keywords", null, { adGroupId: { ref: "g" } }),
      change("sp.keywords", null, { adGroupId: "four" }),
      change("sb.campaigns", "2", { budget: 5 }),
      change("sp.campaigns", "3", { tags: {} }),
      change("sp.campaigns", "5", { budget: { budget: 5 }, state: "ARCHIVED" }, { op: "archive" }),
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
