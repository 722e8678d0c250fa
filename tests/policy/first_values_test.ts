import type { Change } from "../../src/plans/model/change.ts";
import { firstValues, judgedChange } from "../../src/plans/policy/judged_change.ts";
import { stepsOf } from "../support/account_state.ts";
import { deepEqual } from "../support/assert.ts";
import {
  account,
  archive,
  CAMPAIGN_KEY,
  create,
  dayOf,
  KEYWORD_KEY,
  placements,
  TOP,
  update,
} from "./moves_scene.ts";

/** The first values that the last change adds to a day, as `id field value`. */
const FIRST:
  readonly (readonly [what: string, change: Change, began: Record<string, number>, kept: string[]])[] = [
    ["a budget", update("sp.campaigns", "1", { budget: { budget: 15 } }), {}, ["1 budget 10"]],
    ["a budget once more", update("sp.campaigns", "1", { budget: { budget: 15 } }), {
      "sp.campaigns 1 budget": 5,
    }, []],
    ["the same budget", update("sp.campaigns", "1", { budget: { budget: 10 } }), {}, []],
    ["a first budget", update("sp.campaigns", "2", { budget: { budget: 10 } }), {}, []],
    ["another portfolio", update("sp.campaigns", "1", { portfolioId: "8" }), {}, ["1 cap 100"]],
    ["a first portfolio", update("sp.campaigns", "2", { portfolioId: "8" }), {}, []],
    ["a name", update("sp.campaigns", "1", { name: "x" }), {}, []],
    ["a placement", update("sp.campaigns", "2", placements({ TOP: 0 })), {}, [`2 ${TOP} 2`]],
    ["a first placement", update("sp.campaigns", "1", placements({ TOP: 50 })), {}, [`1 ${TOP} 1`]],
    ["a placement of an unread campaign", update("sp.campaigns", "unread", placements({ TOP: 50 })), {}, []],
    ["placements that a keyword does not have", update("sp.keywords", "9", placements({ TOP: 50 })), {}, []],
    ["a new campaign", create("sp.campaigns", { budget: { budget: 9 }, ...placements({ TOP: 50 }) }), {}, []],
    ["a bid as high as the default bid", update("sp.keywords", "8", { bid: 0.5 }), {}, ["8 bid 0.5"]],
    ["an archived campaign", archive("sp.campaigns", "1"), {}, [`${CAMPAIGN_KEY} archived 10`]],
    ["an archived campaign whose budget was moved", archive("sp.campaigns", "1"), {
      "sp.campaigns 1 budget": 5,
    }, [`${CAMPAIGN_KEY} archived 5`]],
    ["an archived keyword", archive("sp.keywords", "9"), {}, [`${KEYWORD_KEY} archived 3`]],
    ["an archived keyword whose bid was moved", archive("sp.keywords", "9"), { "sp.keywords 9 bid": 1 }, [
      `${KEYWORD_KEY} archived 1`,
    ]],
    ["a keyword that was archived before", archive("sp.keywords", "9"), {
      [`sp.keywords ${KEYWORD_KEY} archived`]: 2,
    }, []],
    ["an archived keyword without a bid", archive("sp.keywords", "5"), {}, []],
  ];

for (const [what, change, began, kept] of FIRST) {
  Deno.test(`the day keeps ${kept.length === 0 ? "nothing" : "the first amount"} of ${what}`, () => {
    const found = firstValues([judgedChange(stepsOf([change], account)[0]!)], dayOf(began));
    deepEqual(found.map(({ id, field, value }) => `${id} ${field} ${value}`), kept);
  });
}
