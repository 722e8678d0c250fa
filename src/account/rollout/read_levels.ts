import { byIdOf, idKey, idOf } from "../../base/json/id_of.ts";
import type { ShopperLevel, TrafficLevels } from "../../emulator/state/traffic_levels.ts";
import { addDays, dayOfWeek } from "../../base/time/calendar.ts";
import { ATTRIBUTION_DAYS } from "../../store/figures/immature_note.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";

type Entities = Readonly<Record<string, readonly Entity[]>>;

interface LevelsRequest {
  readonly profileId: string;
  readonly days: number;
  readonly collections: Entities;
}

interface Sums {
  impressions: number;
  clicks: number;
  cost: number;
  /** Clicks on days old enough that their orders are complete. */
  matureClicks: number;
  orders: number;
  sales: number;
}

interface Clause {
  readonly id: string;
  readonly type: string;
  readonly bid: number;
}

const FAMILIES: Readonly<Record<string, string>> = {
  SPONSORED_PRODUCTS: "sp",
  SPONSORED_BRANDS: "sb",
  SPONSORED_DISPLAY: "sd",
};

type Entity = Readonly<Record<string, unknown>>;

const CLAUSES: readonly {
  readonly kind: string;
  readonly idField: string;
  readonly typeOf: (entity: Entity) => string;
}[] = [
  { kind: "keywords", idField: "keywordId", typeOf: ({ matchType }) => String(matchType).toUpperCase() },
  {
    kind: "targets",
    idField: "targetId",
    typeOf: ({ expressionType }) =>
      expressionType === "AUTO" ? "TARGETING_EXPRESSION_PREDEFINED" : "TARGETING_EXPRESSION",
  },
  { kind: "themes", idField: "themeId", typeOf: () => "THEME" },
];

/** Prior weight of the account average in each rate: in clicks, or in impressions for the click-through rate. */
const PRIOR_CLICKS = 20;
const PRIOR_IMPRESSIONS = 2_000;
/** Orders per click, used if no stored day is old enough. */
const USUAL_ORDER_RATE = 0.1;

/**
 * Reads the traffic levels of a profile. Small samples are shrunk to the profile's average; `undefined` if the store
 * has no data.
 */
export async function readLevels(
  store: Pick<Warehouse, "query">,
  { profileId, days, collections }: LevelsRequest,
): Promise<TrafficLevels | undefined> {
  const newest = await store.query("SELECT max(date) AS day FROM performance WHERE profile_id = ?", [
    profileId,
  ]);
  const last = newest.rows[0]?.["day"];
  if (typeof last !== "string") return undefined;
  const range = [profileId, addDays(last, 1 - days), last] as const;
  const where = "FROM performance WHERE profile_id = ? AND date BETWEEN ? AND ?";
  // Orders may still come of the clicks of younger days.
  const mature = addDays(last, -ATTRIBUTION_DAYS);
  const ofMature = (column: string): string => `sum(CASE WHEN date <= '${mature}' THEN ${column} ELSE 0 END)`;
  const sums = "sum(impressions) AS impressions, sum(clicks) AS clicks, sum(cost) AS cost, " +
    `${ofMature("clicks")} AS mature_clicks, ${ofMature("orders")} AS orders, ${ofMature("sales")} AS sales`;
  const byDay = await store.query(
    `SELECT ad_product, date, ${sums} ${where} GROUP BY ad_product, date`,
    range,
  );
  const byClause = await store.query(`SELECT keyword_id AS id, ${sums} ${where} GROUP BY keyword_id`, range, {
    maxRows: 2_000_000,
  });
  const figures = new Map(byClause.rows.map((row) => [String(row["id"]), sumsOf(row)]));
  const products = Map.groupBy(byDay.rows, (row) => String(row["ad_product"]));
  const levels: Record<string, ShopperLevel> = {};
  const usual: Record<string, ShopperLevel> = {};
  for (const [product, days] of products) {
    const total = days.map(sumsOf).reduce(added);
    if (total.impressions === 0) continue;
    const shares = new Shares(total, days.length);
    const clauses = clausesOf(collections, FAMILIES[product] ?? "");
    for (const { id, bid } of clauses) levels[id] = shares.level(figures.get(id) ?? sumsOf({}), bid);
    const seen = clauses.filter(({ id }) => (levels[id]?.impressions ?? 0) > 0);
    for (const [type, own] of Map.groupBy(seen, (clause) => clause.type)) {
      const bid = own.reduce((sum, clause) => sum + clause.bid, 0) / own.length;
      const level = shares.level(own.map(({ id }) => figures.get(id)!).reduce(added), bid);
      usual[type] ??= { ...level, impressions: rounded(level.impressions / own.length) };
    }
  }
  return Object.keys(levels).length === 0
    ? undefined
    : { clauses: levels, usual, weekdays: weekdaysOf(byDay.rows) };
}

class Shares {
  readonly #total: Sums;
  readonly #days: number;

  constructor(total: Sums, days: number) {
    this.#total = total;
    this.#days = days;
  }

  level({ impressions, clicks, cost, matureClicks, orders, sales }: Sums, bid: number): ShopperLevel {
    const all = this.#total;
    const clickRate = drawn(clicks, impressions, all.clicks / all.impressions, PRIOR_IMPRESSIONS);
    const usual = all.matureClicks === 0 ? USUAL_ORDER_RATE : all.orders / all.matureClicks;
    const orderRate = drawn(orders, matureClicks, usual, PRIOR_CLICKS);
    const costShare = clicks === 0 || bid === 0 ? 0.7 : Math.min(1, cost / clicks / bid);
    const orderValue = drawn(sales, orders, all.orders === 0 ? bid * 20 : all.sales / all.orders, 2);
    return {
      impressions: rounded(impressions / this.#days),
      bid,
      clickRate: rounded(clickRate),
      costShare: rounded(costShare),
      orderRate: rounded(orderRate),
      orderValue: rounded(orderValue),
    };
  }
}

function drawn(count: number, of: number, usual: number, prior: number): number {
  return (count + usual * prior) / (of + prior);
}

function weekdaysOf(rows: readonly Readonly<Record<string, unknown>>[]): number[] {
  const days = Array.from({ length: 7 }, () => ({ impressions: 0, count: 0 }));
  for (const row of rows) {
    const day = days[dayOfWeek(String(row["date"])) % 7]!;
    day.impressions += Number(row["impressions"] ?? 0);
    day.count += 1;
  }
  const seen = days.filter(({ count }) => count > 0);
  const mean = seen.reduce((sum, { impressions, count }) => sum + impressions / count, 0) / seen.length;
  return days.map(({ impressions, count }) =>
    count === 0 || mean === 0 ? 1 : rounded(impressions / count / mean)
  );
}

function clausesOf(collections: Entities, family: string): Clause[] {
  const defaults = new Map<string, number>();
  for (const [id, { defaultBid }] of byIdOf(collections[`${family}.ad_groups`] ?? [], "adGroupId")) {
    if (typeof defaultBid === "number") defaults.set(id, defaultBid);
  }
  return CLAUSES.flatMap(({ kind, idField, typeOf }) =>
    (collections[`${family}.${kind}`] ?? []).flatMap((entity) => {
      const { bid = defaults.get(idKey(entity, "adGroupId")) } = entity;
      const id = idOf(entity, idField);
      return id !== undefined && typeof bid === "number" && bid > 0
        ? [{ id, type: typeOf(entity), bid }]
        : [];
    })
  );
}

function sumsOf(row: Readonly<Record<string, unknown>>): Sums {
  const number = (name: string): number => Number(row[name] ?? 0);
  return {
    impressions: number("impressions"),
    clicks: number("clicks"),
    cost: number("cost"),
    matureClicks: number("mature_clicks"),
    orders: number("orders"),
    sales: number("sales"),
  };
}

function added(a: Sums, b: Sums): Sums {
  return {
    impressions: a.impressions + b.impressions,
    clicks: a.clicks + b.clicks,
    cost: a.cost + b.cost,
    matureClicks: a.matureClicks + b.matureClicks,
    orders: a.orders + b.orders,
    sales: a.sales + b.sales,
  };
}

/** Rounds to six digits, which exceed the precision of the data and keep the file small. */
function rounded(number: number): number {
  return Number(number.toPrecision(6));
}
