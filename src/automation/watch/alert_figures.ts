import { addDays } from "../../base/time/calendar.ts";
import { costByDay } from "../../store/figures/cost_by_day.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import type { Alert } from "./alert.ts";
import { GROUPS } from "./figure_facts.ts";

const DAYS = 28;
const COST_DAYS = 14;

/** Views with the days of alerts, and the facts of an alert by the columns that they select. */
const SOURCES: Readonly<Record<string, readonly [view: string, facts: Readonly<Record<string, string>>]>> = {
  market: ["budget_pressure", {}],
  product: ["budget_pressure", { ad_product: "product" }],
  campaign: ["budget_pressure", { campaign_id: "campaign_id" }],
  ad_group: ["performance", { ad_group_id: "ad_group_id" }],
  keyword: ["performance", { keyword_id: "keyword_id" }],
  search_term: ["search_term_performance", { campaign_id: "campaign_id", search_term: "search_term" }],
};

type AlertSubject = Pick<Alert, "over" | "facts" | "profileId" | "day">;

interface AlertDay {
  readonly date: string;
  readonly clicks: number;
  readonly cost: number;
  readonly orders: number;
  readonly sales: number;
}

/** Stored days of what an alert is about, four weeks up to its day; `null` if it is not about figures. */
export async function alertDays(
  { over, facts, profileId, day }: AlertSubject,
  store: Pick<Warehouse, "query">,
): Promise<AlertDay[] | null> {
  const [view, columns = {}] = SOURCES[over] ?? [];
  const wanted = Object.entries(columns).map(([column, fact]) => [column, facts[fact]] as const);
  if (view === undefined || wanted.some(([, value]) => value === undefined)) return null;
  const { rows } = await store.query(
    `SELECT date, sum(clicks) AS clicks, sum(cost) AS cost, sum(orders) AS orders, sum(sales) AS sales
    FROM ${view} WHERE ${
      ["profile_id = ?", "date BETWEEN ? AND ?", ...wanted.map(([column]) => `${column} = ?`)].join(" AND ")
    }
    GROUP BY date ORDER BY date`,
    [profileId, addDays(day, 1 - DAYS), day, ...wanted.map(([, value]) => String(value))],
  );
  return rows.map((row) => ({
    date: String(row["date"]).slice(0, 10),
    clicks: Number(row["clicks"] ?? 0),
    cost: Number(row["cost"] ?? 0),
    orders: Number(row["orders"] ?? 0),
    sales: Number(row["sales"] ?? 0),
  }));
}

interface AlertCosts {
  readonly from: string;
  readonly to: string;
  /** Cost per day; `undefined` for a day that is not stored. */
  readonly costs: readonly (number | undefined)[];
}

/** Cost per day of what an alert is about, two weeks up to its day; `undefined` if it is not about figures. */
export async function alertCosts(
  { over, facts, profileId, day }: AlertSubject,
  store: Pick<Warehouse, "query" | "coverage">,
): Promise<AlertCosts | undefined> {
  const found = Object.entries(GROUPS).find(([name]) => name === over);
  if (found === undefined) return undefined;
  const [, { by, key }] = found;
  const from = addDays(day, 1 - COST_DAYS);
  const rows = await costByDay(store, { by, from, to: day, profileIds: [profileId], today: day });
  const own = rows.find(({ row }) => key.every((column) => String(row[column] ?? "") === facts[column]));
  return own && { from, to: day, costs: own.costs };
}
