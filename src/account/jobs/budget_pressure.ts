import { idOf } from "../../base/json/id_of.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { addDays, dayIn, type DayRange, startOfDay } from "../../base/time/calendar.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import { askBudgetUsage, type BudgetUsage } from "../../client/entities/resource/budget_usage.ts";
import { KINDS } from "../../client/entities/kinds/kinds.ts";
import { FULL_SHARE } from "../../store/model/full_share.ts";
import { salesColumns } from "../../store/views/sales_columns.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";

/** Kinds of campaigns whose budgets are checked. */
export type BudgetKind = "sp.campaigns" | "sb.campaigns" | "sd.campaigns";

/** Days on which a campaign ran out of its daily budget, or nearly did. */
export interface BudgetPressure {
  /** Kind of the campaign, which identifies its ad product. */
  readonly kind: BudgetKind;
  /** Id of the campaign, digits as text. */
  readonly campaignId: string;
  /** Current name. */
  readonly name: string;
  /** Current daily budget, in the account's currency. */
  readonly budget: number;
  /** Number of requested days on which the campaign spent almost all of its daily budget. */
  readonly fullDays: number;
  /** Number of requested days with impressions. */
  readonly activeDays: number;
  /** Cost over the requested days, in the account's currency. */
  readonly cost: number;
  /** ACOS over these days: cost divided by sales; `undefined` without sales. */
  readonly acos: number | undefined;
  /** Percentage of today's budget already spent; `undefined` if the platform does not report it. */
  readonly usagePercent: number | undefined;
  /** Hour at which `usagePercent` was measured, 0 to 24 in the market's time zone. */
  readonly usageHour: number | undefined;
}

/** Days of the last seven that a campaign must spend its budget on to count as out of budget. */
const FULL_DAYS = 4;

const HOUR = 3_600_000;

const SOURCES = {
  "sp.campaigns": {
    report: "sp_campaigns",
    path: "/sp/campaigns/budget/usage",
    mediaType: "application/vnd.spcampaignbudgetusage.v1+json",
  },
  "sb.campaigns": {
    report: "sb_campaigns",
    path: "/sb/campaigns/budget/usage",
    mediaType: "application/vnd.sbcampaignbudgetusage.v1+json",
  },
  "sd.campaigns": {
    report: "sd_campaigns",
    path: "/sd/campaigns/budget/usage",
    mediaType: "application/vnd.sdcampaignbudgetusage.v1+json",
  },
} as const;

export function budgetReport(kind: BudgetKind): "sp_campaigns" | "sb_campaigns" | "sd_campaigns" {
  return SOURCES[kind].report;
}

/** Returns the daily budget of a campaign; `undefined` for lifetime budgets and campaigns without a budget. */
export function dailyBudget(kind: BudgetKind, campaign: EntityFields): number | undefined {
  const { budget, budgetType } = campaign;
  if (kind !== "sp.campaigns") {
    const isDaily = String(budgetType).toUpperCase() === "DAILY";
    return isDaily && typeof budget === "number" ? budget : undefined;
  }
  if (typeof budget !== "object" || budget === null || !("budget" in budget)) return undefined;
  return typeof budget.budget === "number" ? budget.budget : undefined;
}

export async function readBudgetPressure(
  profile: ProfileClient,
  kind: BudgetKind,
  { campaigns, store, days, signal }: {
    readonly campaigns: readonly EntityFields[];
    readonly store: Pick<Warehouse, "query">;
    readonly days: DayRange;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<BudgetPressure[]> {
  const { report } = SOURCES[kind];
  const ids = campaigns.flatMap((campaign) => idOf(campaign, "campaignId") ?? []);
  const now = await budgetUsageNow(profile, kind, { ids, signal });
  const isFull = `cost >= ${FULL_SHARE} * campaign_budget_amount AND campaign_budget_amount > 0`;
  const { rows } = await store.query(
    `SELECT campaign_id AS id, SUM(CASE WHEN ${isFull} THEN 1 ELSE 0 END) AS full_days, ` +
      `SUM(CASE WHEN impressions > 0 THEN 1 ELSE 0 END) AS active_days, SUM(cost) AS cost, ` +
      `SUM(${
        salesColumns(report).sales
      }) AS sales FROM ${report} WHERE profile_id = '${profile.profileId}' ` +
      `AND date >= '${days.start}' AND date <= '${days.end}' GROUP BY campaign_id`,
    [],
    { maxRows: 1_000_000 },
  );
  const stored = new Map(rows.map((row) => [String(row["id"]), row]));
  return campaigns.flatMap((campaign): BudgetPressure[] => {
    const budget = dailyBudget(kind, campaign);
    const campaignId = idOf(campaign, "campaignId");
    if (budget === undefined || campaignId === undefined) return [];
    const row = stored.get(campaignId);
    const [cost, sold] = [Number(row?.["cost"] ?? 0), Number(row?.["sales"] ?? 0)];
    const today = now.get(campaignId);
    return [{
      kind,
      campaignId,
      name: String(campaign["name"] ?? ""),
      budget,
      fullDays: Number(row?.["full_days"] ?? 0),
      activeDays: Number(row?.["active_days"] ?? 0),
      cost: Number(cost.toFixed(2)),
      acos: sold > 0 ? Number((cost / sold).toFixed(6)) : undefined,
      usagePercent: today?.budgetUsagePercent,
      usageHour: today === undefined
        ? undefined
        : hourOf(Date.parse(today.usageUpdatedTimestamp), profile.timeZone),
    }];
  });
}

/** Campaigns of a profile that are out of budget; names are those of the console's API. */
export interface OutOfBudget {
  readonly country_code: string;
  readonly profile_id: string;
  readonly campaigns: number;
  /** The most full days that one of them had. */
  readonly full_days: number;
  readonly cost_a_day: number;
}

/** Finds the campaigns of all stored profiles that spent their budgets on most of the last seven days. */
export async function outOfBudget(store: Pick<Warehouse, "query">, now: number): Promise<OutOfBudget[]> {
  const today = dayIn("UTC", now);
  const { rows } = await store.query(
    `SELECT country_code, profile_id, count(*) AS campaigns, max(full_days) AS full_days, sum(cost) / 7.0 AS cost_a_day FROM (
      SELECT country_code, profile_id, campaign_id, sum(CASE WHEN budget_used >= ${FULL_SHARE} THEN 1 ELSE 0 END) AS full_days, sum(cost) AS cost
      FROM budget_pressure WHERE date BETWEEN ? AND ? GROUP BY country_code, profile_id, campaign_id) AS c
    WHERE full_days >= ${FULL_DAYS} GROUP BY country_code, profile_id ORDER BY country_code, profile_id`,
    [addDays(today, -7), addDays(today, -1)],
  );
  return rows.map((row) => ({
    country_code: String(row["country_code"]),
    profile_id: String(row["profile_id"]),
    campaigns: Number(row["campaigns"]),
    full_days: Number(row["full_days"]),
    cost_a_day: Number(row["cost_a_day"]),
  }));
}

/** Reads today's budget usage from the platform; campaigns that it does not report are absent. */
export async function budgetUsageNow(
  profile: ProfileClient,
  kind: BudgetKind,
  { ids, signal }: { readonly ids: readonly string[]; readonly signal?: AbortSignal | undefined },
): Promise<Map<string, BudgetUsage>> {
  const { path, mediaType } = SOURCES[kind];
  const usage = await askBudgetUsage(profile, ids, { path, mediaType, spec: KINDS[kind], signal });
  return new Map(
    usage.successes.flatMap(({ entity }) =>
      entity?.campaignId === undefined ? [] : [[entity.campaignId, entity] as const]
    ),
  );
}

function hourOf(moment: number, timeZone: string): number | undefined {
  if (Number.isNaN(moment)) return undefined;
  return Number(((moment - startOfDay(dayIn(timeZone, moment), timeZone)) / HOUR).toFixed(2));
}
