import type { Change } from "../../src/plans/model/change.ts";
import { NO_TOTALS } from "../../src/plans/state/day_totals.ts";
import { Unread } from "../../src/plans/model/prior_state.ts";
import { addsToMoves, judgedChange, relativeMove } from "../../src/plans/policy/judged_change.ts";
import type { MovedBid } from "../../src/plans/policy/moved_today.ts";
import { stepsOf } from "../support/account_state.ts";
import { deepEqual } from "../support/assert.ts";
import {
  account,
  archive,
  CAMPAIGN_KEY,
  create,
  dayOf,
  KEYWORD,
  KEYWORD_KEY,
  placements,
  REST,
  TOP,
  update,
} from "./moves_scene.ts";

/** What the last change moves, on a day that began with values by `kind id field`; a text says why it is unknown. */
type Case = readonly [
  what: string,
  changes: readonly Change[],
  began: Readonly<Record<string, number>>,
  move: number | string | undefined,
];

const BIDS: readonly Case[] = [
  ["a bid", [update("sp.keywords", "9", { bid: 6 })], {}, 1],
  ["a bid since the day began", [update("sp.keywords", "9", { bid: 6 })], { "sp.keywords 9 bid": 2 }, 2],
  ["a lower bid that is still above the day's first", [update("sp.keywords", "9", { bid: 2 })], {
    "sp.keywords 9 bid": 1,
  }, 0],
  ["a higher bid that is still below the day's first", [update("sp.keywords", "9", { bid: 4 })], {
    "sp.keywords 9 bid": 8,
  }, 0],
  [
    "a lower bid below the day's first",
    [update("sp.keywords", "9", { bid: 2 })],
    { "sp.keywords 9 bid": 4 },
    -0.5,
  ],
  ["the same bid once more", [update("sp.keywords", "9", { bid: 3 })], { "sp.keywords 9 bid": 2 }, 0],
  ["the same bid once more, above", [update("sp.keywords", "9", { bid: 3 })], { "sp.keywords 9 bid": 4 }, 0],
  ["a state, whatever the bid did before", [update("sp.keywords", "9", { state: "PAUSED" })], {
    "sp.keywords 9 bid": 2,
  }, undefined],
  ["an archive", [archive("sp.keywords", "9")], { "sp.keywords 9 bid": 2 }, undefined],
  ["a first bid, from the default bid", [update("sp.keywords", "8", { bid: 2 })], {}, 3],
  ["a first bid as high as the default bid", [update("sp.keywords", "8", { bid: 0.5 })], {}, 0],
  ["a bid that is cleared", [update("sp.keywords", "9", { bid: null })], {}, 0.5 / 3 - 1],
  [
    "a bid that is cleared where nothing is inherited",
    [update("sp.keywords", "6", { bid: null })],
    {},
    undefined,
  ],
  [
    "a bid that is cleared in an unread ad group",
    [update("sp.keywords", "3", { bid: null })],
    {},
    "sp.ad_groups 44 is not in this profile",
  ],
  [
    "a first bid where nothing was inherited",
    [update("sp.keywords", "5", { bid: 2 })],
    {},
    "its bid before is unknown",
  ],
  ["the bid of an unread keyword", [update("sp.keywords", "unread", { bid: 2 })], {}, "no answer"],
  ["the bid of an unread keyword that was changed before", [update("sp.keywords", "unread", { bid: 2 })], {
    "sp.keywords unread bid": 1,
  }, 1],
  ["a default bid", [update("sp.ad_groups", "4", { defaultBid: 1 })], {}, 1],
  ["a first default bid", [update("sp.ad_groups", "5", { defaultBid: 1 })], {}, undefined],
  ["a bid of a field that an ad group lacks", [update("sp.ad_groups", "4", { bid: 9 })], {
    "sp.ad_groups 4 bid": 0.1,
  }, undefined],
  ["any bid after none", [update("sp.keywords", "2", { bid: 0.02 })], {}, Infinity],
  ["a new keyword", [create("sp.keywords", { ...KEYWORD, bid: 9 })], {}, undefined],
  [
    "a new keyword that inherits an unknown bid",
    [create("sp.keywords", { adGroupId: "44", keywordText: "x" })],
    {},
    undefined,
  ],
  [
    "a keyword that is archived and created anew",
    [archive("sp.keywords", "9"), create("sp.keywords", { ...KEYWORD, bid: 6 })],
    {},
    1,
  ],
  ["one whose bid was moved before", [
    archive("sp.keywords", "9"),
    create("sp.keywords", { ...KEYWORD, bid: 2 }),
  ], {
    "sp.keywords 9 bid": 1,
  }, 1],
  ["one that was archived before", [create("sp.keywords", { ...KEYWORD, bid: 2 })], {
    [`sp.keywords ${KEYWORD_KEY} archived`]: 1,
  }, 1],
  ["one that was archived without a bid", [create("sp.keywords", { ...KEYWORD, bid: 0 })], {
    [`sp.keywords ${KEYWORD_KEY} archived`]: 0,
  }, 0],
  [
    "one that gives up its bid",
    [archive("sp.keywords", "9"), create("sp.keywords", KEYWORD)],
    {},
    0.5 / 3 - 1,
  ],
];

const BUDGETS: readonly Case[] = [
  ["a budget", [update("sp.campaigns", "1", { budget: { budget: 15 } })], {}, 0.5],
  ["a budget since the day began", [update("sp.campaigns", "1", { budget: { budget: 15 } })], {
    "sp.campaigns 1 budget": 5,
  }, 2],
  ["the same budget", [update("sp.campaigns", "1", { budget: { budget: 10 } })], {
    "sp.campaigns 1 budget": 5,
  }, undefined],
  ["a first budget", [update("sp.campaigns", "2", { budget: { budget: 10 } })], {}, undefined],
  ["a budget after one of 0", [update("sp.campaigns", "1", { budget: { budget: 15 } })], {
    "sp.campaigns 1 budget": 0,
  }, Infinity],
  [
    "a budget of 0",
    [update("sp.campaigns", "1", { budget: { budget: 0 } })],
    { "sp.campaigns 1 budget": 0 },
    0,
  ],
  [
    "a lower budget that is still above the day's first",
    [update("sp.campaigns", "1", { budget: { budget: 8 } })],
    { "sp.campaigns 1 budget": 5 },
    0,
  ],
  [
    "a higher budget that is still below the day's first",
    [update("sp.campaigns", "1", { budget: { budget: 12 } })],
    { "sp.campaigns 1 budget": 20 },
    0,
  ],
  ["a campaign without a budget that was archived before", [
    create("sp.campaigns", { name: "One", budget: { budget: 0 } }),
  ], {
    [`sp.campaigns ${CAMPAIGN_KEY} archived`]: 0,
  }, 0],
  ["a campaign with cents that was archived with none", [
    create("sp.campaigns", { name: "One", budget: { budget: 0.5 } }),
  ], {
    [`sp.campaigns ${CAMPAIGN_KEY} archived`]: 0,
  }, Infinity],
  [
    "a new campaign with placements",
    [create("sp.campaigns", { name: "New", ...placements({ TOP: 100 }) })],
    {},
    undefined,
  ],
  ["a budget that goes", [update("sp.campaigns", "1", { budget: null })], {}, Infinity],
  ["a new campaign", [create("sp.campaigns", { name: "New", budget: { budget: 10 } })], {}, undefined],
  [
    "a campaign that is archived and created anew",
    [archive("sp.campaigns", "1"), create("sp.campaigns", { name: "One", budget: { budget: 20 } })],
    {},
    1,
  ],
  ["one whose budget was moved before", [
    archive("sp.campaigns", "1"),
    create("sp.campaigns", { name: "One", budget: { budget: 20 } }),
  ], {
    "sp.campaigns 1 budget": 5,
  }, 3],
  ["one that was archived before", [create("sp.campaigns", { name: "One", budget: { budget: 20 } })], {
    [`sp.campaigns ${CAMPAIGN_KEY} archived`]: 10,
  }, 1],
  ["a portfolio with a higher cap", [update("sp.campaigns", "1", { portfolioId: "8" })], {}, 0.5],
  ["a portfolio with a higher cap since the day began", [update("sp.campaigns", "1", { portfolioId: "8" })], {
    "sp.campaigns 1 cap": 50,
  }, 2],
  ["no portfolio any more", [update("sp.campaigns", "1", { portfolioId: null })], {}, Infinity],
  ["a first portfolio", [update("sp.campaigns", "2", { portfolioId: "8" })], {}, undefined],
  [
    "an unread portfolio",
    [update("sp.campaigns", "1", { portfolioId: "99" })],
    {},
    "portfolios 99 is not in this profile",
  ],
  [
    "an unread portfolio and a budget",
    [update("sp.campaigns", "1", { portfolioId: "99", budget: { budget: 20 } })],
    {},
    "portfolios 99 is not in this profile",
  ],
  [
    "a portfolio after an unread one",
    [update("sp.campaigns", "3", { portfolioId: "8" })],
    {},
    "portfolios 98 is not in this profile",
  ],
  [
    "a portfolio and a budget, of which one rises",
    [update("sp.campaigns", "1", { portfolioId: "8", budget: { budget: 5 } })],
    {},
    0.5,
  ],
  ["the cap of a portfolio", [update("portfolios", "7", { budget: { amount: 300 } })], {}, 2],
  ["a cap that goes", [update("portfolios", "7", { budget: { policy: "NO_CAP" } })], {}, Infinity],
  [
    "a first cap",
    [update("portfolios", "6", { budget: { policy: "DATE_RANGE", amount: 9 } })],
    {},
    undefined,
  ],
  [
    "a cap for another period",
    [update("portfolios", "7", { budget: { policy: "DATE_RANGE" } })],
    {},
    "its cap period changes from MONTHLY_RECURRING to DATE_RANGE",
  ],
  [
    "a budget of a portfolio that goes altogether",
    [update("portfolios", "7", { budget: null })],
    {},
    "its cap period changes from MONTHLY_RECURRING to none",
  ],
  [
    "a budget that holds for a day and not for all days",
    [update("sb.campaigns", "31", { budgetType: "DAILY", budget: 3000 })],
    {},
    "its budget type changes from LIFETIME to DAILY",
  ],
  ["a name", [update("portfolios", "7", { name: "x" })], {}, undefined],
];

const FACTORS: readonly Case[] = [
  ["a higher placement", [update("sp.campaigns", "2", placements({ TOP: 300 }))], {}, 1],
  ["a placement since the day began", [update("sp.campaigns", "2", placements({ TOP: 300 }))], {
    [`sp.campaigns 2 ${TOP}`]: 1,
  }, 3],
  ["a lower placement", [update("sp.campaigns", "2", placements({ TOP: 0 }))], {}, -0.5],
  ["a lower placement above the day's first", [update("sp.campaigns", "2", placements({ TOP: 50 }))], {
    [`sp.campaigns 2 ${TOP}`]: 1,
  }, 0],
  [
    "the placement that rises most",
    [update("sp.campaigns", "2", placements({ TOP: 50, REST: 20 }))],
    {},
    0.2,
  ],
  ["the same placements", [update("sp.campaigns", "2", placements({ TOP: 100 }))], {
    [`sp.campaigns 2 ${TOP}`]: 1,
  }, undefined],
  ["a strategy", [update("sp.campaigns", "2", { dynamicBidding: { strategy: "AUTO_FOR_SALES" } })], {}, 1],
  [
    "a bid beside a higher placement",
    [
      update("sp.campaigns", "2", placements({ TOP: 300 })),
      update("sp.keywords", "6", { bid: 2 }),
    ],
    {},
    3,
  ],
  ["a bid after a higher placement", [update("sp.keywords", "6", { bid: 2 })], {
    [`sp.campaigns 2 ${TOP}`]: 1,
  }, 3],
  ["a bid after a higher strategy", [update("sp.keywords", "6", { bid: 2 })], {
    "sp.campaigns 2 factor": 0.5,
  }, 3],
  [
    "a bid beside a lower placement, which may be refused",
    [
      update("sp.campaigns", "2", placements({ TOP: 0 })),
      update("sp.keywords", "6", { bid: 2 }),
    ],
    {},
    1,
  ],
  [
    "a bid beside a placement that falls back to the day's first, which may be refused",
    [
      update("sp.campaigns", "2", placements({ TOP: 0 })),
      update("sp.keywords", "6", { bid: 2 }),
    ],
    { [`sp.campaigns 2 ${TOP}`]: 1 },
    3,
  ],
  [
    "a bid after a placement that falls back to the day's first",
    [
      update("sp.campaigns", "2", placements({ TOP: 0 }), { ref: "c" }),
      update("sp.keywords", "6", { bid: 2 }, { dependsOn: ["c"] }),
    ],
    { [`sp.campaigns 2 ${TOP}`]: 1 },
    1,
  ],
  ["a first placement", [update("sp.campaigns", "1", placements({ TOP: 100 }))], {}, 1],
  [
    "a bid beside a first placement",
    [
      update("sp.campaigns", "1", placements({ TOP: 100 })),
      update("sp.keywords", "9", { bid: 6 }),
    ],
    {},
    3,
  ],
  [
    "a bid beside a first placement and after a higher strategy",
    [
      update("sp.campaigns", "1", placements({ TOP: 100 })),
      update("sp.keywords", "9", { bid: 6 }),
    ],
    { "sp.campaigns 1 factor": 0.5 },
    7,
  ],
  ["a higher placement that is still below the day's first", [
    update("sp.campaigns", "2", placements({ REST: 20 })),
  ], {
    [`sp.campaigns 2 ${REST}`]: 2,
  }, 0],
  ["a first bid of its own, which its ad group's stood for", [update("sp.keywords", "8", { bid: 1 })], {
    "sp.ad_groups 4 bid": 0.25,
  }, 3],
  ["a first bid of its own that was cleared before", [update("sp.keywords", "8", { bid: 1 })], {
    "sp.ad_groups 4 bid": 0.25,
    "sp.keywords 8 bid": 0.5,
  }, 1],
  ["another bid of its own beside its ad group's", [update("sp.keywords", "9", { bid: 6 })], {
    "sp.ad_groups 4 bid": 0.25,
  }, 1],
  ["a lower bid after a higher placement", [update("sp.keywords", "6", { bid: 0.6 })], {
    [`sp.campaigns 2 ${TOP}`]: 1,
  }, 0],
];

for (const [what, changes, began, move] of [...BIDS, ...BUDGETS, ...FACTORS]) {
  Deno.test(`the move is ${move} of ${what}${Object.keys(began).length === 0 ? "" : ", on a day that began otherwise"}`, () => {
    const found = relativeMove(judgedChange(stepsOf(changes, account).at(-1)!), { today: dayOf(began) });
    const shown = found instanceof Unread
      ? found.why
      : found === undefined
      ? found
      : Number(found.toFixed(9));
    deepEqual(shown, typeof move === "number" ? Number(move.toFixed(9)) : move);
  });
}

Deno.test("what moves below an ad group or campaign since the day began counts with its own move", () => {
  const lowest = { kind: "sp.keywords", id: "8", field: "bid", value: 0.1 } as const;
  const [now] = stepsOf([update("sp.keywords", "8", { bid: null })], account);
  const moveOf = (change: Change, moved = [{ first: lowest, now: now! }]): unknown => {
    const today = { ...NO_TOTALS, moved: [lowest] };
    const found = relativeMove(judgedChange(stepsOf([change], account)[0]!), { today, moved });
    return found instanceof Unread ? found.why : found;
  };
  deepEqual(moveOf(update("sp.ad_groups", "4", { defaultBid: 1 })), 9, "from 0.1, which it inherits now");
  deepEqual(
    moveOf(update("sp.campaigns", "1", placements({ TOP: 100 }))),
    9,
    "twice as much as 5 times as much",
  );
  const unread = "sp.keywords 8 was changed a moment ago. Try again";
  deepEqual(moveOf(update("sp.ad_groups", "4", { defaultBid: 1 }), []), unread);
  deepEqual(moveOf(update("sp.campaigns", "1", placements({ TOP: 100 })), []), unread);
  deepEqual(moveOf(update("sp.campaigns", "1", { name: "x" }), []), undefined);
});

Deno.test("other moves of the day add to a bid, a default bid or placements, where a click costs more by them", () => {
  const adds = (change: Change, began: Readonly<Record<string, number>>, moved: MovedBid[] = []): boolean => {
    const today = { ...dayOf(began), moved: moved.map(({ first }) => first) };
    return addsToMoves(judgedChange(stepsOf([change], account)[0]!), { today, moved });
  };
  const bidOf = (id: string, value: number): MovedBid => ({
    first: { kind: "sp.keywords", id, field: "bid", value },
    now: stepsOf([update("sp.keywords", id, { bid: null })], account)[0]!,
  });
  const bid = update("sp.keywords", "6", { bid: 2 });
  deepEqual([adds(bid, {}), adds(bid, { [`sp.campaigns 2 ${TOP}`]: 1 })], [false, true]);
  deepEqual(adds(bid, { [`sp.campaigns 2 ${TOP}`]: 3 }), false, "placements were lowered");
  const campaign = update("sp.campaigns", "1", placements({ TOP: 100 }));
  deepEqual([adds(campaign, {}), adds(campaign, {}, [bidOf("9", 2)])], [false, true]);
  deepEqual(adds(campaign, {}, [bidOf("9", 4)]), false, "the bid was lowered");
  deepEqual(adds(update("sp.campaigns", "1", { name: "x" }), {}, [bidOf("9", 2)]), false);
  deepEqual(
    adds(update("sp.campaigns", "2", placements({ TOP: 200 })), { [`sp.campaigns 2 ${TOP}`]: 1 }),
    false,
    "its own placements are the change itself",
  );
  const campaignOfPlan = create("sp.campaigns", { name: "new", ...placements({ TOP: 100 }) });
  const [, inside] = stepsOf([
    { ...campaignOfPlan, ref: "c" },
    create("sp.keywords", { campaignId: { ref: "c" }, bid: 1 }),
  ], account);
  deepEqual(addsToMoves(judgedChange(inside!), { today: dayOf({}) }), false, "all of it is new");
  const group = update("sp.ad_groups", "4", { defaultBid: 2 });
  deepEqual([adds(group, {}, [bidOf("8", 0.5)]), adds(group, {}, [bidOf("8", 0.4)])], [false, true]);
});

/** The fall of the amount that falls most, for limits of decreases. */
const FALLS: readonly Case[] = [
  [
    "a first cap",
    [update("portfolios", "6", { budget: { policy: "DATE_RANGE", amount: 9 } })],
    {},
    -Infinity,
  ],
  [
    "a first cap after one that was removed today",
    [update("portfolios", "6", { budget: { policy: "DATE_RANGE", amount: 9 } })],
    { "portfolios 6 budget": 10 },
    -0.1,
  ],
  ["a cap that goes", [update("portfolios", "7", { budget: { policy: "NO_CAP" } })], {}, Infinity],
  [
    "a portfolio with a cap below the budget of the campaign",
    [update("sp.campaigns", "2", { portfolioId: "8", budget: { budget: 1000 } })],
    {},
    -0.85,
  ],
  [
    "a portfolio and a budget, of which one rises",
    [update("sp.campaigns", "1", { portfolioId: "8", budget: { budget: 5 } })],
    {},
    -0.5,
  ],
  [
    "a placement that falls beside one that rises",
    [
      update("sp.campaigns", "2", placements({ TOP: 0, REST: 20 })),
    ],
    {},
    -0.5,
  ],
];

for (const [what, changes, began, move] of FALLS) {
  Deno.test(`the fall is ${move} of ${what}`, () => {
    const step = stepsOf(changes, account).at(-1)!;
    deepEqual(relativeMove(judgedChange(step), { today: dayOf(began), lowest: true }), move);
  });
}
