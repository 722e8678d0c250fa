import { deepEqual, equal, rejects } from "../../support/assert.ts";
import { ApiError } from "../../../src/errors.ts";
import type { Change, EntityFields } from "../../../src/plans/model/change.ts";
import type { PlanTarget } from "../../../src/plans/model/plan_target.ts";
import { AccountReading } from "../../../src/plans/state/account_reading.ts";
import { readAccountScale } from "../../../src/plans/state/account_scale.ts";
import { Unread } from "../../../src/plans/model/prior_state.ts";

function change(kind: string, after: EntityFields): Change {
  return { kind, op: "update", id: "9", before: {}, after, label: "x" };
}

/** An account with so many live entities of each kind, and the number of those that were read. */
function accountOf(entities: Readonly<Record<string, readonly EntityFields[] | Error>>) {
  const read = new Map<string, number>();
  const client = {
    resource: (kind: string) => ({
      idField: "keywordId",
      async *iter() {
        const list = entities[kind] ?? [];
        if (list instanceof Error) throw list;
        for (const entity of list) {
          read.set(kind, (read.get(kind) ?? 0) + 1);
          yield entity;
        }
      },
    }),
  };
  return { client: client as unknown as PlanTarget, read };
}

const bids = (...values: readonly number[]): EntityFields[] => values.map((bid) => ({ bid }));

Deno.test("the median of a kind is that of the live entities with an amount, from five on", async () => {
  const change1 = [change("sp.keywords", { bid: 1 })];
  const median = async (list: readonly EntityFields[]): Promise<number | undefined> =>
    (await readAccountScale(change1, accountOf({ "sp.keywords": list }).client)).medians.get("sp.keywords");
  equal(await median(bids(5, 1, 4, 2, 3)), 3);
  equal(await median([...bids(10, 1, 4, 2, 3), {}]), 3);
  equal(await median(bids(1, 2, 3, 4)), undefined);
});

Deno.test("at most 1,000 entities are read for a median, and every campaign for the budgets", async () => {
  const keywords = Array.from({ length: 1500 }, () => ({ bid: 1 }));
  const campaigns = Array.from({ length: 1200 }, () => ({ budget: { budget: 2 } }));
  const { client, read } = accountOf({ "sp.keywords": keywords, "sp.campaigns": campaigns });
  const scale = await readAccountScale(
    [change("sp.keywords", { bid: 1 }), change("sp.campaigns", {})],
    client,
  );
  equal(read.get("sp.keywords"), 1000);
  equal(scale.liveCampaigns, 1200);
  equal(scale.dailyBudgets, 2400);
});

Deno.test("campaigns of both products count where one changes, and nothing is read where no amount does", async () => {
  const budget = (amount: number) => Array.from({ length: 5 }, () => ({ budget: amount }));
  const { client } = accountOf({ "sp.campaigns": budget(10), "sb.campaigns": [...budget(1), {}] });
  const scale = await readAccountScale([change("sp.campaigns", { state: "PAUSED" })], client);
  deepEqual([scale.liveCampaigns, scale.dailyBudgets], [11, 55]);
  deepEqual([...scale.medians], [["sp.campaigns", 10], ["sb.campaigns", 1]]);
  const nothing = accountOf({ "sp.keywords": bids(1) });
  await readAccountScale([change("sp.keywords", { state: "PAUSED" })], nothing.client);
  equal(nothing.read.size, 0);
});

Deno.test("a bid that an ad group gives is compared too: of a keyword without one, and of one that loses its own", async () => {
  const medians = async (given: Change): Promise<unknown[]> => [
    ...(await readAccountScale([given], accountOf({ "sp.keywords": bids(1, 2, 3, 4, 5) }).client)).medians,
  ];
  const create: Change = { ...change("sp.keywords", { keywordText: "a" }), op: "create", id: null };
  deepEqual(await medians(create), [["sp.keywords", 3]]);
  deepEqual(await medians(change("sp.keywords", { bid: null })), [["sp.keywords", 3]]);
  deepEqual(await medians({ ...create, kind: "sp.negative_keywords" }), []);
});

Deno.test("campaigns are read only where one changes, and what cannot be listed is left out", async () => {
  const keywords = accountOf({ "sp.keywords": bids(1, 2, 3, 4, 5) });
  const scale = await readAccountScale([change("sp.keywords", { bid: 1 })], keywords.client);
  deepEqual([...scale.medians, scale.liveCampaigns], [["sp.keywords", 3], 0]);
  const campaigns = accountOf({ "sp.campaigns": [{ budget: 1 }] });
  await readAccountScale([change("sp.keywords", { bid: 1 })], campaigns.client);
  equal(campaigns.read.size, 0);
  const unlisted = { resource: () => ({}) } as unknown as PlanTarget;
  equal((await readAccountScale([change("sp.campaigns", {})], unlisted)).liveCampaigns, 0);
});

Deno.test("what changes is known from the list that its amounts are compared with, unless it was read before", async () => {
  const { client, read } = accountOf({
    "sp.keywords": ["8", "9", "10"].map((keywordId) => ({ keywordId, bid: 1, from: "list" })),
  });
  const account = new AccountReading();
  account.keep("sp.keywords", new Map([["10", { from: "before" }]]));
  const changes = ["9", "10"].map((id) => ({ ...change("sp.keywords", { bid: 2 }), id }));
  const scale = await readAccountScale(changes, client, { account });
  const from = (id: string): unknown => {
    const entity = account.entity("sp.keywords", id);
    return entity instanceof Unread ? "unread" : entity?.["from"];
  };
  deepEqual(["8", "9", "10"].map(from), ["unread", "list", "before"]);
  equal(await readAccountScale(changes, client, { account }), scale);
  equal(read.get("sp.keywords"), 3, "the second time nothing is read");
});

Deno.test("an account without a product can be compared all the same, a failing platform cannot", async () => {
  const failing = (statusCode: number) =>
    new ApiError(
      "no",
      { statusCode, method: "POST", url: "http://x/", code: "X" } as ConstructorParameters<
        typeof ApiError
      >[1],
    );
  const scale = (error: Error) =>
    readAccountScale(
      [change("sp.campaigns", {})],
      accountOf({ "sp.campaigns": [{ budget: 3 }], "sb.campaigns": error }).client,
    );
  equal((await scale(failing(403))).dailyBudgets, 3);
  await rejects(scale(failing(500)));
  await rejects(scale(new TypeError("x")));
});
