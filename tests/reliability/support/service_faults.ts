import type { ProfileClient } from "../../../src/client/profile_client.ts";
import type { PlanStore } from "../../../src/plans/store/plan_store.ts";

/** A fault that is planted in an account, and the rule that finds it. */
export interface PlantedFault {
  /** Rule of {@linkcode RULES}. */
  readonly rule: string;
  /** Days that it lasts. */
  readonly days: number;
  /** Days after which a rule can know of it, for its window has to pass. */
  readonly within: number;
  /** Changes the figures that a sync brings, for `$WHERE` days and `$ID`, the campaign. */
  readonly sql?: string;
  /** Which campaign is taken: the first in this order. */
  readonly order?: string;
  /** True for a fault of the whole market. */
  readonly isMarket?: boolean;
  /** True when nothing can be synced. */
  readonly isOutage?: boolean;
  /** Something that is done in the account, once. */
  readonly act?: (client: ProfileClient, plans: PlanStore) => Promise<void>;
}

/** Twelve rules with two channels, both of which fail. */
export const RULES = `version: 1
channels:
  hook: { kind: webhook, url_env: HOOK }
  mail: { kind: email, server_env: MAIL, from: ads@example.com, to: team@example.com }
rules:
  jump: { over: market, when: cost1d > 3 * cost1d_median && cost1d_median > 0, once: weekly, severity: urgent }
  stopped:
    over: campaign
    when: cost2d == 0 && cost7d_before > 0 && clicks14d_before >= 20
    once: weekly
    propose: { job: pause, auto: true }
  unsold:
    over: campaign
    days: fresh
    when: orders3d == 0 && clicks3d > 300
    once: weekly
  dear: { over: campaign, days: fresh, when: acos1d.low > 9 && clicks1d > 5, once: weekly }
  full: { over: campaign, when: full_days7d >= 3 && budget > 7776, once: weekly }
  unused: { over: campaign, when: cost1d < 2 && budget > 90000, once: weekly }
  flood: { over: campaign, when: clicks1d > 50000, once: weekly, propose: { job: pause, auto: true } }
  odd: { over: campaign, when: clicks1d > impressions1d + 1000 && clicks1d < 40000, once: weekly }
  gap: { over: reports, when: gap_days >= 1, once: weekly }
  late: { over: reports, when: late_days >= 2, once: weekly }
  drift: { over: drift, when: changes1d > 0, once: weekly }
  refused: { over: plans, when: refused1d > 0, once: weekly, severity: urgent }
`;

const BUSY = "sum(cost) DESC";
const SET = "UPDATE report_sp_campaigns SET";

/** Twelve faults, one a rule. */
export const FAULTS: readonly PlantedFault[] = [
  {
    rule: "jump",
    days: 1,
    within: 1,
    isMarket: true,
    order: BUSY,
    sql: `${SET} cost = cost * 9 WHERE $WHERE`,
  },
  {
    rule: "stopped",
    days: 5,
    within: 2,
    order: BUSY,
    sql: `${SET} cost = 0, clicks = 0 WHERE $WHERE AND $ID`,
  },
  {
    rule: "unsold",
    days: 5,
    within: 3,
    order: "sum(cost) DESC",
    sql: `${SET} clicks = 200, purchases14d = 0, sales14d = 0 WHERE $WHERE AND $ID`,
  },
  {
    rule: "dear",
    days: 2,
    within: 1,
    order: BUSY,
    sql: `${SET} clicks = 900, cost = 90000, purchases14d = 9, sales14d = 9 WHERE $WHERE AND $ID`,
  },
  {
    rule: "full",
    days: 5,
    within: 3,
    order: "sum(cost)",
    sql: `${SET} cost = 7777, campaignBudgetAmount = 7777 WHERE $WHERE AND $ID`,
  },
  {
    rule: "unused",
    days: 2,
    within: 1,
    order: "sum(cost)",
    sql: `${SET} cost = 1, campaignBudgetAmount = 99999 WHERE $WHERE AND $ID`,
  },
  { rule: "flood", days: 1, within: 1, order: BUSY, sql: `${SET} clicks = 60000 WHERE $WHERE AND $ID` },
  {
    rule: "odd",
    days: 1,
    within: 1,
    order: "sum(clicks) DESC",
    sql: `${SET} clicks = 9000, impressions = 10 WHERE $WHERE AND $ID`,
  },
  {
    rule: "gap",
    days: 1,
    within: 1,
    order: BUSY,
    isMarket: true,
    sql: "DELETE FROM days WHERE profile_id = '$PROFILE' AND date = date('$FIRST', '-9 days')",
  },
  { rule: "late", days: 3, within: 3, isOutage: true },
  {
    rule: "drift",
    days: 1,
    within: 1,
    act: async (client) => {
      const [keyword] = (await client.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
        bid !== undefined
      );
      await client.sp.keywords.update([{ keywordId: keyword!.keywordId, bid: keyword!.bid! + 0.03 }]);
    },
  },
  {
    rule: "refused",
    days: 1,
    within: 1,
    act: async (client, plans) => {
      const keywords = (await client.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
        bid !== undefined
      );
      const mine = keywords.at(-1)!;
      const plan = await client.sp.keywords.planUpdate([{
        keywordId: mine.keywordId,
        bid: mine.bid! + 0.03,
      }]);
      await plans.save(plan);
      await client.sp.keywords.delete([mine.keywordId]);
      await plans.apply(plan, client);
    },
  },
];
