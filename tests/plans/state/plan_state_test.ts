import type { Change, EntityFields } from "../../../src/plans/model/change.ts";
import { identityOf, identityOfStep, planState, type Step } from "../../../src/plans/state/plan_state.ts";
import { type Looked, type PriorState, Unread } from "../../../src/plans/model/prior_state.ts";
import { deepEqual, equal, throws } from "../../support/assert.ts";

const ACCOUNT: Readonly<Record<string, EntityFields>> = {
  "sp.campaigns 1": {
    campaignId: "1",
    name: "One",
    state: "ENABLED",
    portfolioId: "7",
    endDate: "2027-01-31",
  },
  "sp.campaigns 2": { campaignId: "2", name: "Two", state: "PAUSED" },
  "sp.ad_groups 4": { adGroupId: "4", campaignId: "1", name: "Four", state: "ENABLED", defaultBid: 0.5 },
  "sp.ad_groups 5": { adGroupId: "5", campaignId: "2", name: "Five", state: "PAUSED", defaultBid: 2 },
  "sd.campaigns 1": { campaignId: "1", name: "Later", startDate: "20270201", endDate: "20270331" },
  "portfolios 8": { portfolioId: "8", name: "Eight", budget: { amount: 5, endDate: "2027-01-31" } },
  "sp.keywords 9": {
    keywordId: "9",
    adGroupId: "4",
    campaignId: "1",
    keywordText: "hat",
    matchType: "EXACT",
    bid: 1,
  },
  "sp.keywords 8": {
    keywordId: "8",
    adGroupId: "4",
    campaignId: "1",
    keywordText: "cap",
    matchType: "EXACT",
  },
  "sp.ad_groups 14": { adGroupId: "14", name: "Fourteen", defaultBid: 1 },
  "sp.product_ads 3": { adId: "3", state: "ENABLED" },
  "sp.keywords 6": { keywordId: "6", adGroupId: "5", state: "ENABLED", bid: 3 },
  "portfolios 7": { portfolioId: "7", name: "Seven", budget: { amount: 100, policy: "MONTHLY_RECURRING" } },
  "portfolios 3": {
    portfolioId: "3",
    name: "Three",
    budget: { amount: "many", policy: "MONTHLY_RECURRING" },
  },
};

const PRIOR: PriorState = {
  entity: (kind, id): Looked => id === "unread" ? new Unread("no answer") : ACCOUNT[`${kind} ${id}`],
  below: (kind, id, leftOut) => ({
    highestBid: 5,
    of: `${kind} ${id}${
      ["sp.keywords 9", "sp.keywords 8"].map((key) => leftOut?.(key) ? ` not ${key}` : "").join("")
    }`,
  }),
};

function change(kind: string, id: string | null, after: EntityFields, more: Partial<Change> = {}): Change {
  return { kind, id, op: id === null ? "create" : "update", before: {}, after, label: "", ...more };
}

const stepsOf = (...changes: Change[]): readonly Step[] => planState(changes, PRIOR).steps;
const archive = (kind: string, id: string, more: Partial<Change> = {}) =>
  change(kind, id, { state: "ARCHIVED" }, { op: "archive", ...more });

function whyOf(value: unknown): string {
  return value instanceof Unread ? value.why : "known";
}

Deno.test("each change knows its entity, ad group and campaign by the account, before the plan and after it", () => {
  const [keyword, group, campaign, lost, unread, nowhere] = stepsOf(
    change("sp.keywords", "8", { bid: 2 }, { campaignId: "2" }),
    change("sp.ad_groups", "4", { defaultBid: 0.7 }),
    change("sp.campaigns", "1", { name: "Other" }),
    change("sp.keywords", "77", { bid: 2 }),
    change("sp.keywords", "unread", { bid: 2 }),
    change("sp.keywords", null, { bid: 2, adGroupId: "78" }),
  );
  const place = keyword!.campaign as Exclude<Step["campaign"], Unread | undefined>;
  deepEqual([place.id, place.before?.["name"], place.after["name"], place.isSure], [
    "1",
    "One",
    "Other",
    false,
  ]);
  deepEqual(keyword!.bid, { before: 0.5, after: 2 });
  deepEqual([group!.bid, group!.adGroup === undefined], [{ before: 0.5, after: 0.7 }, false]);
  deepEqual((campaign!.campaign as typeof place).isSure, true);
  equal(whyOf(lost!.before), "sp.keywords 77 is not in this profile");
  deepEqual(
    [whyOf(unread!.before), whyOf(unread!.campaign), whyOf(unread!.bid.before)],
    Array(3).fill("no answer"),
  );
  deepEqual(
    [whyOf(nowhere!.campaign), whyOf(nowhere!.adGroup)],
    Array(2).fill("sp.ad_groups 78 is not in this profile"),
  );
});

Deno.test("what a change is in is unknown with a reason, or nothing where its kind is in nothing", () => {
  const [inUnread, portfolio, alone, said, forged, created, cleared] = stepsOf(
    change("sp.keywords", null, { adGroupId: "unread", keywordText: "x" }),
    change("portfolios", "7", { name: "x" }),
    change("sp.negative_keywords", null, { keywordText: "x" }),
    change("sp.negative_keywords", null, { keywordText: "x" }, { campaignId: "1" }),
    change("sp.product_ads", "3", { state: "PAUSED" }, { campaignId: "1" }),
    change("sp.campaigns", null, { name: "New" }),
    change("sp.campaigns", "1", { endDate: null }),
  );
  deepEqual(
    [inUnread!.adGroup, inUnread!.campaign, inUnread!.bid.after].map(whyOf),
    Array(3).fill("no answer"),
  );
  deepEqual([portfolio!.campaign, portfolio!.adGroup], [undefined, undefined]);
  equal(whyOf(alone!.campaign), "sp.campaigns is not named");
  const place = said!.campaign as Exclude<Step["campaign"], Unread | undefined>;
  deepEqual([place.id, place.isSure, place.before?.["name"]], ["1", false, "One"]);
  equal(
    whyOf(forged!.campaign),
    "sp.campaigns is not named",
    "of what is there the account says where it is",
  );
  deepEqual(created!.campaign, {
    ...{ kind: "sp.campaigns", id: undefined, before: undefined, after: { name: "New" }, isSure: true },
  });
  equal("endDate" in cleared!.after, false, "what is emptied has no value");
});

Deno.test("a place that no change touches is sure, and its ad group may be changed beside what says its campaign", () => {
  const [keyword, inChanged] = stepsOf(
    change("sp.keywords", "9", { bid: 2 }),
    change("sp.keywords", null, { adGroupId: "14", campaignId: "2", keywordText: "x" }),
    change("sp.ad_groups", "14", { defaultBid: 2 }),
  );
  type Known = Exclude<Step["campaign"], Unread | undefined>;
  deepEqual([keyword!.campaign, keyword!.adGroup].map((place) => (place as Known).isSure), [true, true]);
  equal((inChanged!.campaign as Known).id, "2", "the ad group names no campaign");
});

Deno.test("a new keyword had no bid, whatever its ad group gives it, and the bid of an unread ad group is unknown", () => {
  deepEqual(stepsOf(change("sp.keywords", null, { adGroupId: "4", keywordText: "x" }))[0]!.bid, {
    before: undefined,
    after: 0.5,
  });
  const bids = (after: EntityFields): unknown[] => {
    const { bid } = stepsOf(change("sp.ad_groups", "unread", after))[0]!;
    return [bid.before, bid.after].map((one) => one instanceof Unread ? one.why : one);
  };
  deepEqual(bids({ defaultBid: 2 }), ["no answer", 2]);
  deepEqual(bids({ state: "ENABLED" }), ["no answer", "no answer"]);
  const campaign = stepsOf(change("sp.campaigns", "unread", { state: "ENABLED" }))[0]!;
  equal(campaign.bid.after, undefined, "a campaign has none");
});

Deno.test("a place that the plan makes is new, one that it changes is not, and one of another kind is refused", () => {
  const [, group, keyword, wrong, named] = stepsOf(
    change("sp.campaigns", null, { name: "New", state: "ENABLED" }, { ref: "c" }),
    change("sp.ad_groups", null, { campaignId: { ref: "c" }, name: "G", defaultBid: 3 }, { ref: "g" }),
    change("sp.keywords", null, { campaignId: { ref: "c" }, adGroupId: { ref: "g" }, keywordText: "x" }),
    change("sp.negative_keywords", null, { adGroupId: { ref: "g" }, campaignId: { ref: "g2" } }),
    change("sp.campaigns", "2", { name: "Two again" }, { ref: "g2" }),
  );
  const place = keyword!.campaign as Exclude<Step["campaign"], Unread | undefined>;
  deepEqual([place.id, place.before, place.after["name"], place.isSure], [undefined, undefined, "New", true]);
  deepEqual(keyword!.bid, { before: undefined, after: 3 });
  equal((group!.campaign as typeof place).after["name"], "New");
  equal((wrong!.campaign as typeof place).after["name"], "New", "the ad group says where it is");
  const [byRef] = stepsOf(
    change("sp.negative_keywords", null, { campaignId: { ref: "g2" } }),
    change("sp.campaigns", "2", { name: "Two again" }, { ref: "g2" }),
  );
  const known = byRef!.campaign as typeof place;
  deepEqual([known.id, known.before?.["name"], known.after["name"]], ["2", "Two", "Two again"]);
  const misplaced = change("sp.keywords", null, { adGroupId: { ref: "g2" } });
  throws(
    () => stepsOf(misplaced, change("sp.campaigns", "2", { name: "x" }, { ref: "g2" })),
    /its adGroupId refers to "g2", which is of kind sp\.campaigns/,
  );
  equal(identityOfStep(named!), identityOf("sp.campaigns", ACCOUNT["sp.campaigns 2"]!));
});

Deno.test("what is created anew stands in for what the plan archives, also under the name it had first", () => {
  const created = change("sp.campaigns", null, { name: "ONE" });
  const [, direct] = stepsOf(archive("sp.campaigns", "1"), created);
  deepEqual([direct!.replacedId, direct!.replaces?.["name"]], ["1", "One"]);
  const renamed = change("sp.campaigns", "1", { name: "Gone" }, { ref: "r" });
  const [, , after] = stepsOf(renamed, archive("sp.campaigns", "1", { dependsOn: ["r"], ref: "a" }), {
    ...created,
    dependsOn: ["a"],
  });
  equal(after!.replacedId, "1");
  const [before] = stepsOf(created, archive("sp.campaigns", "1"));
  equal(before!.replaces, undefined, "it is archived only later");
  const keyword = change("sp.keywords", null, {
    adGroupId: "4",
    keywordText: "cap",
    matchType: "EXACT",
    bid: 2,
  });
  const [, recreated] = stepsOf(archive("sp.keywords", "8"), keyword);
  deepEqual(recreated!.bid, { before: 0.5, after: 2 });
  const [lost, other] = stepsOf(archive("sp.campaigns", "77"), created);
  equal(whyOf(lost!.before), "sp.campaigns 77 is not in this profile");
  deepEqual([other!.replaces, other!.replacedId], [undefined, undefined]);
  const [, heir] = stepsOf(archive("sp.campaigns", "1"), change("sp.campaigns", "2", { name: "One" }));
  equal(heir!.replaces, undefined, "what was there before stands in for nothing");
});

Deno.test("what starts to spend wakes, with what is in it", () => {
  const wakes = (...changes: Change[]) => stepsOf(...changes).map((step) => step.wakes);
  deepEqual(wakes(change("sp.campaigns", "2", { state: "ENABLED" })), [true]);
  deepEqual(wakes(change("sp.campaigns", "2", { name: "x" })), [false]);
  deepEqual(wakes(change("sp.campaigns", "1", { endDate: null })), [true]);
  deepEqual(wakes(change("sp.campaigns", "1", { endDate: "2027-02-28" })), [true]);
  deepEqual(wakes(change("sp.campaigns", "1", { endDate: "2027-01-30" })), [false]);
  deepEqual(wakes(change("sp.campaigns", "1", { state: "PAUSED" })), [false]);
  deepEqual(wakes(change("sd.campaigns", "1", { startDate: "20270101" })), [true]);
  deepEqual(wakes(change("sd.campaigns", "1", { startDate: "20270301" })), [false]);
  deepEqual(wakes(change("sd.campaigns", "1", { startDate: null })), [false]);
  deepEqual(wakes(change("sd.campaigns", "1", { name: "x" })), [false]);
  deepEqual(wakes(change("sp.campaigns", "2", { startDate: "2027-01-01", state: "ENABLED", name: "x" })), [
    true,
  ]);
  deepEqual(wakes(change("sp.ad_groups", "4", { endDate: "2027-01-01" })), [false]);
  deepEqual(wakes(change("portfolios", "8", { budget: { endDate: "2027-02-28" } })), [true]);
  deepEqual(wakes(change("portfolios", "8", { budget: { endDate: "2027-01-30" } })), [false]);
  deepEqual(wakes(change("portfolios", "8", { budget: null })), [true]);
  deepEqual(wakes(archive("sp.campaigns", "2")), [false]);
  deepEqual(
    wakes(change("sp.ad_groups", "5", { state: "ENABLED" }), change("sp.keywords", "6", { bid: 4 })),
    [
      true,
      true,
    ],
  );
  deepEqual(
    wakes(
      change("sp.ad_groups", "5", { state: "ENABLED" }),
      change("sp.keywords", "6", {}, { op: "archive" }),
    ),
    [true, false],
  );
  deepEqual(wakes(change("sp.keywords", null, { adGroupId: "4", state: "PAUSED" })), [false]);
  deepEqual(wakes(change("sp.keywords", null, { adGroupId: "4" })), [true]);
});

Deno.test("what could not be read may start to spend with each change of its state or its days", () => {
  const wakes = (after: EntityFields) => stepsOf(change("sp.campaigns", "unread", after))[0]!.wakes;
  deepEqual([{ state: "ENABLED" }, { startDate: "2027-01-01" }, { endDate: null }].map(wakes), [
    true,
    true,
    true,
  ]);
  deepEqual([{ state: "PAUSED", endDate: null }, { name: "x" }, { budget: 5 }].map(wakes), [
    false,
    false,
    false,
  ]);
});

Deno.test("bids below are looked at where something starts or changes its bidding, without what is settled before", () => {
  const below = (...changes: Change[]) =>
    stepsOf(...changes).map(({ below }) => below instanceof Unread ? below.why : below?.of);
  const lowered = change("sp.keywords", "9", { bid: 0.1 }, { ref: "k" });
  const start = change("sp.campaigns", "2", { state: "ENABLED" });
  deepEqual(below(start), ["sp.campaigns 2"]);
  deepEqual(below(start, lowered), ["sp.campaigns 2", undefined]);
  deepEqual(below({ ...start, dependsOn: ["k"] }, lowered), ["sp.campaigns 2 not sp.keywords 9", undefined]);
  const again = change("sp.keywords", "9", { state: "ENABLED" });
  deepEqual(below({ ...start, dependsOn: ["k"] }, lowered, again)[0], "sp.campaigns 2", "changed once more");
  const middle = change("portfolios", "7", { name: "x" }, { ref: "m", dependsOn: ["k"] });
  deepEqual(below({ ...start, dependsOn: ["m"] }, lowered, middle)[0], "sp.campaigns 2 not sp.keywords 9");
  deepEqual(below(change("sp.campaigns", "1", { dynamicBidding: {} })), ["sp.campaigns 1"]);
  deepEqual(below(change("sb.campaigns", "1", { bidding: {} })), ["sb.campaigns 1"]);
  deepEqual(below(change("sp.ad_groups", "4", { defaultBid: 1 })), ["sp.ad_groups 4"]);
  deepEqual(below(change("sp.campaigns", "1", { name: "x" })), [undefined]);
  deepEqual(
    below(change("sp.ad_groups", "5", { state: "ENABLED" }), change("sp.keywords", "6", { bid: 1 })),
    [
      "sp.ad_groups 5",
      undefined,
    ],
  );
  deepEqual(below(archive("sp.campaigns", "1", { after: { state: "ARCHIVED", bidding: {} } })), [undefined]);
  deepEqual(below(change("sp.campaigns", null, { state: "ENABLED" })), [undefined]);
});

Deno.test("a default bid that is lowered beside a bid counts where the bid waits for it", () => {
  const lowered = change("sp.ad_groups", "4", { defaultBid: 0.1 }, { ref: "g" });
  const cleared = change("sp.keywords", "9", { bid: null });
  equal(stepsOf(lowered, cleared)[1]!.bid.after, 0.5);
  equal(stepsOf(lowered, { ...cleared, dependsOn: ["g"] })[1]!.bid.after, 0.1);
  equal(stepsOf(change("sp.ad_groups", "4", { defaultBid: 0.9 }), cleared)[1]!.bid.after, 0.9);
  equal(
    whyOf(stepsOf(change("sp.keywords", null, { campaignId: "1" }))[0]!.bid.after),
    "its ad group is not named",
  );
});

Deno.test("a campaign that changes its portfolio has the caps of both", () => {
  const cap = (after: EntityFields, ...more: Change[]) =>
    stepsOf(change("sp.campaigns", "1", after), ...more)[0]!.cap;
  deepEqual(cap({ portfolioId: null }), { before: 100, after: undefined });
  equal(cap({ name: "x" }), undefined);
  const unread = stepsOf(change("sp.campaigns", "unread", { portfolioId: "7" }))[0]!.cap!;
  deepEqual([whyOf(unread.before), unread.after], ["no answer", 100]);
  equal(
    stepsOf(change("sp.campaigns", null, { portfolioId: "7" }))[0]!.cap,
    undefined,
    "a new one moves nowhere",
  );
  equal(whyOf(cap({ portfolioId: "3" })!.after), "the cap of its portfolio is not a number");
  equal(whyOf(cap({ portfolioId: "99" })!.after), "portfolios 99 is not in this profile");
  const created = change("portfolios", null, {
    name: "New",
    budget: { amount: 40, policy: "MONTHLY_RECURRING" },
  }, {
    ref: "p",
  });
  deepEqual(cap({ portfolioId: { ref: "p" } }, created), { before: 100, after: 40 });
});
