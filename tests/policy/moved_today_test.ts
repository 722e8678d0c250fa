import type { Change, EntityFields } from "../../src/plans/model/change.ts";
import { type FirstValue, NO_TOTALS } from "../../src/plans/state/day_totals.ts";
import type { PlanTarget } from "../../src/plans/model/plan_target.ts";
import { identityOf, type Step } from "../../src/plans/state/plan_state.ts";
import { Unread } from "../../src/plans/model/prior_state.ts";
import { type MovedBid, movesBelow, readMovedBids, riseBelow } from "../../src/plans/policy/moved_today.ts";
import { accountState, stepsOf } from "../support/account_state.ts";
import { deepEqual, equal } from "../support/assert.ts";
import { FakeTarget } from "../support/fake_target.ts";

const HAT = { keywordId: "9", adGroupId: "4", campaignId: "1", keywordText: "hat", matchType: "EXACT" };
const ACCOUNT: Readonly<Record<string, EntityFields>> = {
  "sp.campaigns 1": { campaignId: "1" },
  "sp.campaigns 2": { campaignId: "2" },
  "sp.ad_groups 4": { adGroupId: "4", campaignId: "1", defaultBid: 0.5 },
  "sp.ad_groups 5": { adGroupId: "5", campaignId: "2", defaultBid: 0.5 },
  "sp.keywords 9": { ...HAT, bid: 3 },
  "sp.keywords 8": { keywordId: "8", adGroupId: "4", campaignId: "1" },
  "sp.keywords 7": { keywordId: "7", adGroupId: "5", campaignId: "2", bid: 9 },
  "sp.keywords 6": { keywordId: "6", adGroupId: "44", campaignId: "1" },
  "sp.product_ads 3": { adId: "3", adGroupId: "4", campaignId: "1" },
};

function change(kind: string, id: string | null, after: EntityFields): Change {
  return { kind, op: id === null ? "create" : "update", id, before: {}, after, label: "x" };
}

const stepOf = (kind: string, id: string | null, after: EntityFields): Step =>
  stepsOf([change(kind, id, after)], accountState(ACCOUNT))[0]!;

function moved(id: string, value: number, kind = "sp.keywords"): MovedBid {
  return { first: { kind, id, field: "bid", value }, now: stepOf(kind, id, { bid: null }) };
}

/** The rise below an entity, or why it is unknown. */
function rise(step: Step, bids: readonly MovedBid[], inherited?: number): number | string {
  const today = { ...NO_TOTALS, moved: bids.map(({ first }) => first) };
  const found = riseBelow(step, { today, moved: bids, inherited });
  return found instanceof Unread ? found.why : found;
}

const CAMPAIGN = stepOf("sp.campaigns", "1", { dynamicBidding: {} });
const GROUP = stepOf("sp.ad_groups", "4", { defaultBid: 1 });

Deno.test("only another default bid or bidding moves what is below", () => {
  const moves = (kind: string, id: string | null, after: EntityFields): boolean =>
    movesBelow(stepOf(kind, id, after));
  deepEqual(
    [
      moves("sp.campaigns", "1", { dynamicBidding: {} }),
      moves("sb.campaigns", "1", { bidding: {} }),
      moves("sp.ad_groups", "4", { defaultBid: 1 }),
    ],
    [true, true, true],
  );
  deepEqual(
    [
      moves("sp.campaigns", "1", { name: "x" }),
      moves("sp.campaigns", null, { dynamicBidding: {} }),
      moves("sp.ad_groups", "4", { defaultBid: 1, state: "ARCHIVED" }),
      moves("sp.keywords", "9", { defaultBid: 1 }),
    ],
    [false, false, false, false],
  );
});

Deno.test("below a campaign the bid that rose most since the day began counts, its own or inherited", () => {
  equal(rise(CAMPAIGN, []), 1);
  equal(rise(CAMPAIGN, [moved("9", 2)]), 1.5);
  equal(rise(CAMPAIGN, [moved("9", 2), moved("8", 0.1)]), 5);
  equal(rise(CAMPAIGN, [moved("9", 6)]), 1, "what fell is no rise");
  equal(rise(CAMPAIGN, [moved("7", 1)]), 1, "it is in another campaign");
  equal(rise(CAMPAIGN, [moved("404", 0.1)]), 1, "it is gone");
  equal(rise(CAMPAIGN, [moved("9", 0)]), 1, "it cost nothing before, and is compared where it is changed");
  equal(rise(CAMPAIGN, [moved("3", 1, "sp.product_ads")]), 1, "it has no bid");
  equal(rise(CAMPAIGN, [moved("9", 2), moved("6", 1)]), "sp.ad_groups 44 is not in this profile");
});

Deno.test("in an ad group only what inherits its bid moves with it", () => {
  equal(rise(GROUP, [moved("8", 0.1)], 1), 10);
  equal(rise(GROUP, [moved("8", 2)], 1), 1);
  equal(rise(GROUP, [moved("8", 0.1)], 0.05), 1, "it falls below what the day began with");
  equal(rise(GROUP, [moved("9", 0.1)], 1), 1, "it has a bid of its own");
  equal(rise(GROUP, [moved("8", 0.1)], undefined), 1, "the ad group gets no bid");
  equal(rise(GROUP, [moved("7", 0.1)], 1), 1, "it is in another ad group");
  equal(rise(GROUP, [moved("3", 0.1, "sp.product_ads")], 1), 1, "it inherits none");
});

Deno.test("a bid that was moved a moment ago and is not read yet makes the rise unknown", () => {
  const first: FirstValue = { kind: "sp.keywords", id: "9", field: "bid", value: 1 };
  const riseOf = (today: readonly FirstValue[]) =>
    riseBelow(CAMPAIGN, {
      today: { ...NO_TOTALS, moved: today },
      moved: [moved("9", 2)],
      inherited: undefined,
    });
  equal(riseOf([first]), 1.5);
  equal(riseOf([first, { ...first, id: "2", field: "budget" }]), 1.5, "no bid was moved");
  const found = riseOf([first, { ...first, id: "8" }]);
  equal((found as Unread).why, "sp.keywords 8 was changed a moment ago. Try again");
});

/** A profile that lists its entities, and what was asked of it. */
function profile(): { client: PlanTarget; asked: unknown[] } {
  const asked: unknown[] = [];
  const client = {
    resource: (kind: string) => ({
      idField: kind.endsWith(".ad_groups") ? "adGroupId" : "keywordId",
      getMany: (ids: readonly string[]) =>
        Promise.resolve(
          new Map(ids.flatMap((id) => {
            const found = ACCOUNT[`${kind} ${id}`];
            return found === undefined ? [] : [[id, found]];
          })),
        ),
      async *iter({ signal: _, ...query }: { signal?: AbortSignal }) {
        await Promise.resolve();
        asked.push({ kind, ...query });
        yield* Object.entries(ACCOUNT).flatMap(([key, one]) => key.startsWith(`${kind} `) ? [one] : []);
        yield { ...HAT, keywordId: undefined };
      },
    }),
  };
  return { client: client as unknown as PlanTarget, asked };
}

Deno.test("bids that were moved are read as they are now, also of what was archived and created anew", async () => {
  const read = async (...first: readonly FirstValue[]) => {
    const { client, asked } = profile();
    const bids = await readMovedBids({ ...NO_TOTALS, moved: first }, client, undefined);
    return {
      bids: bids.map(({ first: { id, field, value }, now }) => [id, field, value, now.bid.before]),
      asked,
    };
  };
  const hat: FirstValue = { kind: "sp.keywords", id: "9", field: "bid", value: 1 };
  deepEqual(await read(), { bids: [], asked: [] });
  deepEqual(await read({ ...hat, field: "budget" }), { bids: [], asked: [] });
  deepEqual(await read(hat, { ...hat, id: "8" }), {
    bids: [["9", "bid", 1, 3], ["8", "bid", 1, 0.5]],
    asked: [],
  });
  const gone: FirstValue = { ...hat, id: identityOf("sp.keywords", HAT), field: "archived", value: 2 };
  deepEqual(await read(gone, { ...gone, id: identityOf("sp.keywords", { ...HAT, keywordText: "cap" }) }), {
    bids: [["9", "bid", 2, 3]],
    asked: [{ kind: "sp.keywords", adGroupIds: ["4"] }],
  });
  const group = { ...gone, kind: "sp.ad_groups", id: identityOf("sp.ad_groups", ACCOUNT["sp.ad_groups 4"]!) };
  deepEqual(await read(group), {
    bids: [["4", "bid", 2, 0.5]],
    asked: [{ kind: "sp.ad_groups", campaignIds: ["1"] }],
  });
  const campaign = { ...gone, kind: "sp.campaigns", id: identityOf("sp.campaigns", { name: "One" }) };
  deepEqual(await read(campaign), { bids: [], asked: [] });
});

Deno.test("what was archived is not looked for among kinds that cannot be listed", async () => {
  const id = identityOf("sp.keywords", HAT);
  const gone: FirstValue = { kind: "sp.keywords", id, field: "archived", value: 2 };
  deepEqual(await readMovedBids({ ...NO_TOTALS, moved: [gone] }, new FakeTarget(), undefined), []);
});
