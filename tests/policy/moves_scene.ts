import type { Change, EntityFields } from "../../src/plans/model/change.ts";
import { type DayTotals, NO_TOTALS } from "../../src/plans/state/day_totals.ts";
import { identityOf } from "../../src/plans/state/plan_state.ts";
import { Unread } from "../../src/plans/model/prior_state.ts";
import { accountState } from "../support/account_state.ts";

export const KEYWORD = { adGroupId: "4", keywordText: "hat", matchType: "EXACT" };
export const placements = (percentages: EntityFields): EntityFields => ({
  dynamicBidding: {
    strategy: "LEGACY_FOR_SALES",
    placementBidding: Object.entries(percentages).map(([placement, percentage]) => ({
      placement,
      percentage,
    })),
  },
});

const ACCOUNT: Readonly<Record<string, EntityFields>> = {
  "sp.campaigns 1": {
    campaignId: "1",
    name: "One",
    budget: { budget: 10, budgetType: "DAILY" },
    portfolioId: "7",
  },
  "sp.campaigns 2": { campaignId: "2", name: "Two", ...placements({ TOP: 100, REST: 0 }) },
  "sp.campaigns 3": { campaignId: "3", name: "Three", portfolioId: "98" },
  "sp.ad_groups 4": { ...{ adGroupId: "4", campaignId: "1", name: "Four" }, defaultBid: 0.5 },
  "sp.ad_groups 5": { adGroupId: "5", campaignId: "2", name: "Five" },
  "sp.keywords 9": { ...KEYWORD, keywordId: "9", campaignId: "1", bid: 3 },
  "sp.keywords 8": { keywordId: "8", adGroupId: "4", campaignId: "1", keywordText: "cap" },
  "sp.keywords 6": { keywordId: "6", adGroupId: "5", campaignId: "2", keywordText: "cap", bid: 1 },
  "sp.keywords 5": { keywordId: "5", adGroupId: "5", campaignId: "2", keywordText: "bag" },
  "sp.keywords 3": { keywordId: "3", adGroupId: "44", campaignId: "1", keywordText: "lost", bid: 1 },
  "sp.keywords 2": { keywordId: "2", adGroupId: "4", campaignId: "1", keywordText: "none", bid: 0 },
  "portfolios 7": { portfolioId: "7", budget: { amount: 100, policy: "MONTHLY_RECURRING" } },
  "portfolios 8": { portfolioId: "8", budget: { amount: 150, policy: "MONTHLY_RECURRING" } },
  "sb.campaigns 31": { campaignId: "31", budget: 3000, budgetType: "LIFETIME" },
  "portfolios 6": { portfolioId: "6", name: "No cap", budget: { amount: 1, policy: "NO_CAP" } },
};

export const account = accountState((kind, id) =>
  id === "unread" ? new Unread("no answer") : ACCOUNT[`${kind} ${id}`]
);

export function update(
  kind: string,
  id: string | null,
  after: EntityFields,
  more: Partial<Change> = {},
): Change {
  return { kind, op: id === null ? "create" : "update", id, before: {}, after, label: "x", ...more };
}

export const archive = (kind: string, id: string): Change =>
  update(kind, id, { state: "ARCHIVED" }, { op: "archive" });
export const create = (kind: string, after: EntityFields): Change => update(kind, null, after);
export const KEYWORD_KEY = identityOf("sp.keywords", KEYWORD);
export const CAMPAIGN_KEY = identityOf("sp.campaigns", { name: "One" });
export const [TOP, REST] = ["TOP", "REST"].map((key) => `factor.dynamicBidding.placementBidding ${key}`);

/** A day that began with values by `kind id field`. */
export function dayOf(began: Readonly<Record<string, number>>): DayTotals {
  return { ...NO_TOTALS, firstValue: (kind, id, field) => began[`${kind} ${id} ${field}`] };
}
