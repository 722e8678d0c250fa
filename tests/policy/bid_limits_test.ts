import type { Change, EntityFields } from "../../src/plans/model/change.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import { type Below, type PriorState, Unread } from "../../src/plans/model/prior_state.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import { deepEqual } from "../support/assert.ts";

const placements = (percentage: number): EntityFields => ({
  dynamicBidding: { strategy: "MANUAL", placementBidding: [{ placement: "TOP", percentage }] },
});

const ACCOUNT: Readonly<Record<string, EntityFields>> = {
  "sp.campaigns 1": { campaignId: "1", name: "Brand", state: "ENABLED", ...placements(100) },
  "sp.campaigns 2": { campaignId: "2", name: "Two", state: "PAUSED", ...placements(100) },
  "sp.ad_groups 4": { adGroupId: "4", campaignId: "1", state: "PAUSED", defaultBid: 0.5 },
  "sp.keywords 9": { keywordId: "9", adGroupId: "4", campaignId: "1", bid: 1 },
  "sp.keywords 8": { keywordId: "8", adGroupId: "4", campaignId: "1", bid: 9 },
  "sp.keywords 7": { keywordId: "7", campaignId: "unread", bid: 1 },
  "sp.keywords 6": { keywordId: "6", bid: 1 },
  "sp.keywords 5": { keywordId: "5", adGroupId: "4", campaignId: "1" },
  "sp.keywords 3": { keywordId: "3", adGroupId: "unread", campaignId: "1", bid: 1 },
};

/** What a policy says of the last change, with the highest bid below what starts. */
function said(policy: string, changes: readonly Change[], below?: Below | Unread): readonly string[] {
  const account: PriorState = {
    entity: (kind, id) => id === "unread" ? new Unread("no answer") : ACCOUNT[`${kind} ${id}`],
    below: () => below ?? { highestBid: undefined, of: "" },
  };
  const plan = new ChangePlan({ profileId: "1", countryCode: "US", changes });
  return parsePolicy(`version: 1\n${policy}`).check(plan, { account, now: Date.UTC(2026, 10, 18, 18) })
    .flatMap(({ change, message }) =>
      change === changes.length - 1 ? [message.replace(/^\S+ \S+ x: /, "")] : []
    );
}

function change(kind: string, id: string | null, after: EntityFields, more: Partial<Change> = {}): Change {
  return { kind, id, op: id === null ? "create" : "update", before: {}, after, label: "x", ...more };
}

const [campaign, group, keyword] = ["sp.campaigns", "sp.ad_groups", "sp.keywords"].map(
  (kind) => (id: string | null, after: EntityFields, more?: Partial<Change>) => change(kind, id, after, more),
) as [Of, Of, Of];
type Of = (id: string | null, after: EntityFields, more?: Partial<Change>) => Change;

const START: EntityFields = { state: "ENABLED" };
const highest = (highestBid: number): Below => ({ highestBid, of: "sp.keywords 99" });
const UNKNOWN = new Unread("no answer below");

const CASES: readonly (readonly [
  policy: string,
  what: string,
  changes: readonly Change[],
  below: Below | Unread | undefined,
  message?: string,
])[] = [
  [
    "max_effective_bid: 3",
    "a bid that the placements bring to the limit",
    [keyword("9", { bid: 1.5 })],
    undefined,
  ],
  [
    "max_effective_bid: 3",
    "a bid that they bring above it",
    [keyword("9", { bid: 1.6 })],
    undefined,
    "with placements and strategy, the bid 3.2 USD is above 3 USD",
  ],
  ["max_effective_bid: 3", "a name of what is above it", [keyword("8", { name: "y" })], undefined],
  [
    "max_effective_bid: 3",
    "an archive with a bid",
    [keyword("8", { bid: 10, state: "ARCHIVED" })],
    undefined,
  ],
  [
    "max_effective_bid: 3",
    "a bid in an unread campaign",
    [keyword("7", { bid: 1.1 })],
    undefined,
    "the bid is unknown, because no answer",
  ],
  [
    "max_effective_bid: 3",
    "a bid in no campaign",
    [keyword("6", { bid: 1.1 })],
    undefined,
    "the bid is unknown, because sp.campaigns is not named",
  ],
  [
    "max_effective_bid: 3",
    "a bid that is cleared in an unread ad group",
    [keyword("3", { bid: null })],
    undefined,
    "the bid is unknown, because no answer",
  ],
  [
    "max_bid: 3",
    "a bid that is cleared in an unread ad group",
    [keyword("3", { bid: null })],
    undefined,
    "the bid is unknown, because no answer",
  ],
  ["max_effective_bid: 3", "a new campaign", [campaign(null, placements(900))], undefined],
  ["max_effective_bid: 3", "a name of a campaign", [campaign("1", { name: "y" })], highest(9)],
  ["max_effective_bid: 3", "placements within the limit", [campaign("1", placements(200))], highest(1)],
  [
    "max_effective_bid: 3",
    "placements above it",
    [campaign("1", placements(200))],
    highest(1.1),
    "with placements and strategy, the bid of sp.keywords 99 3.3 USD is above 3 USD",
  ],
  ["max_effective_bid: 3", "placements over no bid", [campaign("1", placements(900))], undefined],
  [
    "max_effective_bid: 3",
    "placements over unread bids",
    [campaign("1", placements(200))],
    UNKNOWN,
    "the bid is unknown, because no answer below",
  ],
  ["max_effective_bid: 3", "the same placements", [campaign("1", placements(100))], highest(9)],
  [
    "max_effective_bid: 3",
    "a start of what is above it",
    [campaign("2", START)],
    highest(2),
    "with placements and strategy, the bid of sp.keywords 99 4 USD is above 3 USD",
  ],
  ["max_effective_bid: 3", "a start of what is below it", [campaign("2", START)], highest(1.5)],
  [
    "max_effective_bid: 3",
    "an ad group that starts a high bid",
    [group("4", START)],
    highest(2),
    "with placements and strategy, the bid 4 USD is above 3 USD",
  ],
  ["max_effective_bid: 1", "an ad group that starts its own", [group("4", START)], undefined],
  [
    "max_effective_bid: 0.9",
    "an ad group that starts its own",
    [group("4", START)],
    highest(0.1),
    "with placements and strategy, the bid 1 USD is above 0.9 USD",
  ],
  [
    "max_effective_bid: 3",
    "a bid beside lower placements, which may be refused",
    [campaign("1", placements(0)), keyword("9", { bid: 2 })],
    undefined,
    "with placements and strategy, the bid 4 USD is above 3 USD",
  ],
  ["max_effective_bid: 3", "a bid after lower placements", [
    campaign("1", placements(0), { ref: "c" }),
    keyword("9", { bid: 2 }, { dependsOn: ["c"] }),
  ], undefined],
  [
    "max_bid: 2",
    "a start of a high bid",
    [campaign("2", START)],
    highest(3),
    "this starts sp.keywords 99, whose bid 3 USD is above 2 USD",
  ],
  ["max_bid: 2", "a start of no bid", [campaign("2", START)], undefined],
  [
    "max_bid: 2",
    "a start of unread bids",
    [campaign("2", START)],
    UNKNOWN,
    "the bid is unknown, because no answer below",
  ],
  ["max_bid: 2", "a new ad group", [group(null, { campaignId: "1", defaultBid: 1 })], UNKNOWN],
  [
    "max_placement_adjustment: 200%",
    "an adjustment of 201 %",
    [campaign("1", placements(201))],
    undefined,
    "a bid adjustment of 201 % is above 200 %",
  ],
  [
    "protect: { names: [Brand] }",
    "what is new in a protected campaign",
    [keyword(null, { adGroupId: "4", keywordText: "k" })],
    undefined,
    '"Brand" is protected by the pattern "Brand"',
  ],
  [
    "protect: { ids: [77] }",
    "what is new in an unread ad group",
    [keyword(null, { adGroupId: "unread", keywordText: "k" })],
    undefined,
    "the campaign could not be read, so it is unknown whether it is protected",
  ],
  [
    "protect: { kinds: [call] }\nallow_operations: ['reporting:*']",
    "a call that is allowed otherwise",
    [change("call", null, { operation: "reporting:x" }, { op: "call" })],
    undefined,
    "call is protected",
  ],
];

for (const [policy, what, changes, below, message] of CASES) {
  Deno.test(`${policy.split("\n")[0]} ${message === undefined ? "allows" : "denies"} ${what}`, () => {
    const found = said(policy, changes, below).map((text) => text.replace(/^call \(new\) x: /, ""));
    deepEqual(found, message === undefined ? [] : [message]);
  });
}

Deno.test("rules see the bid that holds, none of what is new, and whether it is known", () => {
  const matches = (when: string, one: Change): boolean =>
    said(`rules: [{ name: r, when: '${when}', level: deny, message: m }]`, [one]).includes("m");
  deepEqual(
    [
      matches("after.bid > before.bid", keyword("5", { bid: 0.6 })),
      matches("before.bid == 0.5 && after.bid == 0.4", keyword("5", { bid: 0.4 })),
      matches("after.bid == 0.5", keyword(null, { adGroupId: "4", keywordText: "k" })),
      matches("change.bidUnknown", keyword(null, { adGroupId: "unread", keywordText: "k" })),
      matches("change.bidUnknown", keyword("unread", { bid: 1 })),
    ],
    Array(5).fill(true),
  );
  deepEqual(
    [
      matches("has(before.bid)", keyword(null, { adGroupId: "4", keywordText: "k" })),
      matches("change.bidUnknown", keyword("5", { bid: 1 })),
      matches("change.bidUnknown", campaign("unread", { name: "y" })),
      matches("has(after.bid)", campaign("1", { name: "y" })),
    ],
    Array(4).fill(false),
  );
});

Deno.test("a rule about a bid that is unknown denies, one about a field that is missing does not apply", () => {
  const cleared = keyword("3", { bid: null });
  const asked = (when: string): readonly string[] =>
    said(`rules: [{ name: r, when: '${when}', level: advise, message: m }]`, [cleared]);
  deepEqual(asked("after.bid > 2.0").map((text) => text.split(":")[0]), [
    'rule "r" cannot judge this change',
  ]);
  deepEqual(asked('after.matchType == "BROAD"'), []);
});
