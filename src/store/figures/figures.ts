import { addDays, countDays, dayIn, type DayRange, isDay } from "../../base/time/calendar.ts";
import type { Conversion } from "../model/store_view.ts";
import { ATTRIBUTION_DAYS, immatureNote } from "./immature_note.ts";
import { sameAge } from "./same_age.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { checkGroups, type FigureGroup, GROUPS } from "./figure_groups.ts";
import { fileNotes, refuseCutSums } from "./file_pulls.ts";
import { leftOutCampaigns } from "./left_out_campaigns.ts";
import {
  type LeftOutDays,
  type MissingDays,
  missingDays,
  type MissingDaysOptions,
  missingNotes,
  unsharedDays,
} from "./missing_days.ts";

/** Period, groups and options of figures. */
export interface FiguresOptions {
  /** Groups, for example `["campaign", "week"]`; none for one row per currency. */
  readonly by?: readonly FigureGroup[] | undefined;
  /** First day, `YYYY-MM-DD`. */
  readonly from: string;
  /** Last day, `YYYY-MM-DD`. */
  readonly to: string;
  /**
   * True to add the figures of the preceding period of the same length, and the change. Both periods use complete
   * days, or figures of the same age.
   */
  readonly compare?: boolean | undefined;
  /**
   * First day of the comparison period, which has the same length and lies before `from`.
   *
   * @default the days right before
   */
  readonly compareFrom?: string | undefined;
  /** Only these countries. @default all that are stored */
  readonly markets?: readonly string[] | undefined;
  /** Only these profiles. @default all that are stored */
  readonly profileIds?: readonly string[] | undefined;
  /** Converts amounts into one currency. @default no conversion; different currencies are never added */
  readonly conversion?: Conversion | undefined;
  /** Uses the data known at this time, ISO 8601. @default now */
  readonly asOf?: string | undefined;
  /** Current day, `YYYY-MM-DD`; sales that are still incomplete are marked. @default today in UTC */
  readonly today?: string | undefined;
  /** False to skip the notes and their queries. @default true */
  readonly notes?: boolean | undefined;
}

/** Sums and derived metrics of a group; amounts in the currency of the row, ratios as fractions (0.25 is 25 %). */
export interface FigureSums {
  /** Number of times ads were shown. */
  readonly impressions: number;
  /** Clicks on ads. */
  readonly clicks: number;
  /** Spend. */
  readonly cost: number;
  /** Orders within 14 days of a click. */
  readonly orders: number;
  /** Sales within 14 days of a click. */
  readonly sales: number;
  /** Cost / sales; `null` without sales. */
  readonly acos: number | null;
  /** Sales / cost. */
  readonly roas: number | null;
  /** Cost per click. */
  readonly cpc: number | null;
  /** Clicks / impressions. */
  readonly ctr: number | null;
  /** Orders / clicks. */
  readonly cvr: number | null;
}

/** A row of figures: the columns of its groups, followed by these sums. */
export interface FigureRow extends FigureSums {
  /** Ids and names of the groups, and with `compare` the figures of the earlier period. */
  readonly [column: string]: string | number | boolean | null;
  /** ISO 4217 code; `null` for an unknown market. */
  readonly currency: string | null;
  /** True if the row includes days with incomplete orders. */
  readonly immature: boolean;
}

/** Figures with their totals. */
export interface Figures {
  /** Requested days. */
  readonly period: DayRange;
  /** The comparison period; `undefined` without comparison. */
  readonly before: DayRange | undefined;
  /** Basis of the comparison; absent without comparison. */
  readonly comparison?: {
    /** Earlier figures are taken as they were known at this time, ISO 8601; `undefined` for now. */
    readonly asOf: string | undefined;
    /** False while orders and sales cannot be compared. */
    readonly isComparable: boolean;
    /** False if a day of either period is missing; that day is left out of the changes. */
    readonly isWhole: boolean;
  };
  /** Names of the columns of the rows. */
  readonly columns: readonly string[];
  /** Rows by time, then by cost, highest first. */
  readonly rows: readonly FigureRow[];
  /** Totals, one for each currency. */
  readonly totals: readonly FigureRow[];
  /** Remarks for the reader: immature days, days that are not stored. */
  readonly notes: readonly string[];
}

const SUMS = ["impressions", "clicks", "cost", "orders", "sales"] as const;
const TIMES: readonly string[] = ["month", "week", "day"];
const MAX_ROWS = 1_000_000;

const SOURCES = {
  terms: { view: "search_term_performance", reports: ["sp_search_terms", "sb_search_terms"] },
  targeting: { view: "performance", reports: ["sp_targeting", "sb_targeting", "sd_targeting"] },
  campaigns: {
    view: "budget_pressure",
    reports: ["sp_campaigns", "sp_placement", "sb_campaigns", "sd_campaigns"],
  },
} as const;

/**
 * Figures of a store by any groups: sums, derived metrics, totals, and the change from the period before. Amounts of
 * different currencies are never added. Campaigns and wider groups are read from campaign reports (from placement
 * reports if those are not stored), ad groups and keywords from targeting reports, search terms from their own. Totals
 * of these differ, as they do in the platform's reports.
 *
 * @param options `from` and `to`: days in the zones of the profiles.
 * @throws {RangeError} for invalid groups or days. Nothing was read.
 *
 * @example
 * ```ts
 * import { figures, Warehouse } from "@platform/ads/store";
 *
 * async function weekly(): Promise<void> {
 *   await using store = await Warehouse.open("ads.sqlite");
 *   const { rows, notes } = await figures(store, { by: ["campaign", "week"], from: "2026-09-01", to: "2026-11-22" });
 *   console.log(rows.length, notes);
 * }
 * ```
 */
export async function figures(
  store: Pick<Warehouse, "query" | "coverage">,
  options: FiguresOptions,
): Promise<Figures> {
  const by = checkGroups(options.by ?? []);
  const period = checkedDays(options);
  const today = options.today ?? dayIn("UTC", Date.now());
  const source = sourceOf(by);
  const keys = by.flatMap((group) => GROUPS[group].map((column) => column.replace(/^.* AS /, "")));
  const young = addDays(today, -ATTRIBUTION_DAYS - 1);

  await refuseCutSums(store, { by, period, reports: source.reports, options });
  const days = countDays(period);
  const before = options.compare ? comparedDays(period, { days, from: options.compareFrom }) : undefined;
  const shift = before === undefined ? 0 : countDays({ start: before.start, end: period.start }) - 1;
  if (before !== undefined) {
    await refuseCutSums(store, { by, period: before, reports: source.reports, options });
  }
  const isApart = before !== undefined && shift > days;
  const spans = isApart ? [before, period] : [{ start: before?.start ?? period.start, end: period.end }];
  const covered = spans.map((span) => ({ ...options, period: span, reports: source.reports }));
  let coverage: ReturnType<typeof store.coverage> | undefined;
  const known = {
    coverage: () => coverage ??= store.coverage({ profileId: options.profileIds, report: source.reports }),
  };
  const leftOut = before === undefined
    ? undefined
    : unsharedDays(await missingOf(known, covered), { period, before });
  const found = await read(store, { by, period, source, options, leftOut: leftOut?.now });
  const age = before === undefined ? undefined : await sameAge(store, {
    ...{ period, before, today, reports: source.reports, asOf: options.asOf },
    profileIds: await profilesOf(known, options),
  });
  const earlier = before === undefined ? [] : await read(store, {
    ...{ by, period: before, source, leftOut: leftOut?.then },
    options: { ...options, asOf: age?.asOf },
  });
  const isComparable = age?.isComparable ?? true;
  const earlierByKey = new Map(earlier.map((row) => [keyOf(row, keys, shift), row]));
  const rows = found.map((row) => {
    const then = earlierByKey.get(keyOf(row, keys, 0));
    const named = Object.fromEntries(keys.map((key) => [key, (row[key] ?? null) as string | null]));
    const last = String(row["last_day"]).slice(0, 10);
    return {
      ...named,
      currency: (row["currency"] ?? null) as string | null,
      ...sumsOf([row]),
      immature: last > young,
      ...(before === undefined ? {} : compared([row], then === undefined ? [] : [then], isComparable)),
    };
  });
  const totals = [...Map.groupBy(found, ({ currency }) => currency)].map(([currency, own]) => ({
    currency: (currency ?? null) as string | null,
    ...sumsOf(own),
    immature: own.some((row) => String(row["last_day"]).slice(0, 10) > young),
    ...(before === undefined
      ? {}
      : compared(own, earlier.filter((row) => row["currency"] === currency), isComparable)),
  }));
  const columns = [...keys, "currency", ...SUMS, "acos", "roas", "cpc", "ctr", "cvr", "immature"];
  if (before !== undefined) columns.push(...COMPARED);
  return {
    period,
    before,
    ...(age === undefined
      ? {}
      : { comparison: { asOf: age.asOf, isComparable, isWhole: leftOut?.then.length === 0 } }),
    columns,
    rows,
    totals,
    notes: options.notes === false ? [] : [
      ...age?.notes ?? [],
      ...await fileNotes(store, { period, reports: source.reports, options }),
      ...new Set(
        (await Promise.all(
          covered.map((span) => missingNotes(known, { ...span, compared: before !== undefined })),
        )).flat(),
      ),
      ...await leftOutCampaigns({ ...known, query: store.query.bind(store) }, {
        ...options,
        period,
        reports: source.reports,
      }),
      ...await immatureNote({ days: period, reports: source.reports }, store, { today, asOf: options.asOf }),
    ],
  };
}

function comparedDays(
  period: DayRange,
  { days, from }: { readonly days: number; readonly from: string | undefined },
): DayRange {
  const last = addDays(period.start, -days);
  if (from === undefined) return { start: last, end: addDays(period.start, -1) };
  checkDay("compareFrom", from);
  if (from <= last) return { start: from, end: addDays(from, days - 1) };
  throw new RangeError(`Cannot compare from ${from}: the last possible first day is ${last}`);
}

async function missingOf(
  store: Pick<Warehouse, "coverage">,
  spans: readonly MissingDaysOptions[],
): Promise<MissingDays[]> {
  const coverage = await store.coverage();
  return spans.flatMap((span) => missingDays(coverage, span));
}

async function profilesOf(
  store: Pick<Warehouse, "coverage">,
  { markets, profileIds }: FiguresOptions,
): Promise<readonly string[] | undefined> {
  if (profileIds !== undefined || markets === undefined) return profileIds;
  const covered = (await store.coverage()).filter(({ countryCode }) => markets.includes(countryCode));
  return [...new Set(covered.map(({ profileId }) => profileId))];
}

type Row = Readonly<Record<string, unknown>>;

const COMPARED = [
  "cost_before",
  "orders_before",
  "sales_before",
  "acos_before",
  "cost_change",
  "sales_change",
] as const;

function compared(
  now: readonly Row[],
  earlier: readonly Row[],
  isComparable: boolean,
): Record<typeof COMPARED[number], number | null> {
  const then = earlier.length === 0 ? undefined : sumsOf(earlier);
  return {
    cost_before: then?.cost ?? null,
    orders_before: isComparable ? then?.orders ?? null : null,
    sales_before: isComparable ? then?.sales ?? null : null,
    acos_before: isComparable ? then?.acos ?? null : null,
    cost_change: sharedChange("cost", { now, earlier }),
    sales_change: isComparable ? sharedChange("sales", { now, earlier }) : null,
  };
}

function sharedChange(
  name: "cost" | "sales",
  { now, earlier }: { readonly now: readonly Row[]; readonly earlier: readonly Row[] },
): number | null {
  const [after, base] = [now, earlier].map((rows) =>
    rows.reduce((all, row) => all + Number(row[`shared_${name}`] ?? row[name] ?? 0), 0)
  ) as [number, number];
  return base === 0 ? null : rounded((after - base) / base, 4);
}

function sumsOf(rows: readonly Row[]): FigureSums {
  const sum = (name: string): number =>
    rounded(rows.reduce((all, row) => all + Number(row[name] ?? 0), 0), 6);
  const [impressions, clicks, cost, orders, sales] = SUMS.map(sum) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const ratio = (part: number, whole: number): number | null => whole === 0 ? null : rounded(part / whole, 6);
  return {
    impressions,
    clicks,
    cost,
    orders,
    sales,
    acos: ratio(cost, sales),
    roas: ratio(sales, cost),
    cpc: ratio(cost, clicks),
    ctr: ratio(clicks, impressions),
    cvr: ratio(orders, clicks),
  };
}

function keyOf(row: Row, keys: readonly string[], shift: number): string {
  return JSON.stringify([
    row["currency"],
    ...keys.filter((key) =>
      !/^(campaign|ad_group|portfolio|keyword|match_type)$/.test(key) || !hasId(row, key)
    ).map((key) => {
      const value = row[key];
      return (key === "day" || key === "week") && shift !== 0
        ? addDays(String(value).slice(0, 10), shift)
        : value ?? null;
    }),
  ]);
}

function hasId(row: Row, key: string): boolean {
  return (row[`${key === "match_type" ? "keyword" : key}_id`] ?? null) !== null;
}

interface Selection {
  readonly by: readonly FigureGroup[];
  readonly period: DayRange;
  readonly source: typeof SOURCES[keyof typeof SOURCES];
  readonly options: FiguresOptions;
  readonly leftOut?: readonly LeftOutDays[] | undefined;
}

async function read(store: Pick<Warehouse, "query">, selection: Selection): Promise<readonly Row[]> {
  const { conversion, asOf } = selection.options;
  const { rows } = await store.query(selectionSql(selection), [], { maxRows: MAX_ROWS, conversion, asOf });
  return rows;
}

export function figuresSql(options: FiguresOptions): string {
  const by = checkGroups(options.by ?? []);
  return selectionSql({ by, period: checkedDays(options), source: sourceOf(by), options });
}

function selectionSql(
  { by, period, source, options: { markets, profileIds }, leftOut = [] }: Selection,
): string {
  const parts = by.flatMap((group) =>
    GROUPS[group].map((column) => column.split(" AS ") as [string, string?])
  );
  // A name may change within the period: one of them stands for all.
  const selects = parts.map(([column, name = column]) =>
    `${/_name$|^portfolio$/.test(column) ? `max(${qualified(column)})` : qualified(column)} AS ${name}`
  );
  const grouped = parts.flatMap(([column]) => /_name$|^portfolio$/.test(column) ? [] : [qualified(column)]);
  const where = [
    `r.date BETWEEN '${period.start}' AND '${period.end}'`,
    ...(markets === undefined ? [] : [`r.country_code IN (${markets.map((one) => `'${one}'`).join(", ")})`]),
    ...(profileIds === undefined
      ? []
      : profileIds.length === 0
      ? ["1 = 0"]
      : [`r.profile_id IN (${profileIds.map((one) => `'${one}'`).join(", ")})`]),
  ];
  const join = by.includes("portfolio") ? `\n${PORTFOLIOS}` : "";
  const times = by.filter((group) => TIMES.includes(group)).map((group) =>
    qualified(group === "day" ? "date" : group)
  );
  return [
    `SELECT ${[...selects, "r.currency AS currency"].join(", ")},`,
    `  ${SUMS.map((name) => `sum(r.${name}) AS ${name}`).join(", ")}, max(r.date) AS last_day${
      sharedSums(leftOut)
    }`,
    `FROM ${source.view} AS r${join}`,
    `WHERE ${where.join("\n  AND ")}`,
    `GROUP BY ${[...grouped, "r.currency"].join(", ")}`,
    `ORDER BY ${[...times, "sum(r.cost) DESC", ...grouped].join(", ")}`,
  ].join("\n");
}

const AD_PRODUCTS: Readonly<Record<string, string>> = {
  sp: "SPONSORED_PRODUCTS",
  sb: "SPONSORED_BRANDS",
  sd: "SPONSORED_DISPLAY",
};

/** Columns with cost and sales of only those days that both periods have. */
function sharedSums(leftOut: readonly LeftOutDays[]): string {
  if (leftOut.length === 0) return "";
  const groups = Map.groupBy(leftOut, ({ product, start, end }) => [product, start, end].join());
  const parts = [...groups.values()].map((own) => {
    const [{ product, start, end }] = own as [LeftOutDays];
    const ids = own.map(({ profileId }) => `'${profileId}'`).join(", ");
    return `(r.ad_product = '${AD_PRODUCTS[product]}' AND r.date BETWEEN '${start}' AND '${end}' ` +
      `AND r.profile_id IN (${ids}))`;
  });
  return ["cost", "sales"].map((name) =>
    `,\n  sum(CASE WHEN ${parts.join(" OR ")} THEN 0 ELSE r.${name} END) AS shared_${name}`
  ).join("");
}

function qualified(column: string): string {
  if (column === "portfolio_id") return "c.portfolio_id";
  if (column === "portfolio") return "p.name";
  return `r.${column}`;
}

const PORTFOLIOS = `LEFT JOIN (${
  ["sp", "sb", "sd"].map((product) =>
    `SELECT profile_id, campaign_id, portfolio_id FROM ${product}_campaigns_entities`
  ).join(" UNION ALL ")
}) AS c ON c.profile_id = r.profile_id AND c.campaign_id = r.campaign_id
  LEFT JOIN portfolios AS p ON p.profile_id = r.profile_id AND p.portfolio_id = c.portfolio_id`;

export function reportsOfGroups(by: readonly FigureGroup[]): readonly string[] {
  return sourceOf(by).reports;
}

function sourceOf(by: readonly FigureGroup[]): typeof SOURCES[keyof typeof SOURCES] {
  if (by.includes("search_term")) return SOURCES.terms;
  return by.includes("keyword") || by.includes("ad_group") ? SOURCES.targeting : SOURCES.campaigns;
}

function checkedDays({ from, to, markets, profileIds }: FiguresOptions): DayRange {
  checkDay("from", from);
  checkDay("to", to);
  if (from > to) {
    throw new RangeError(`Cannot sum up figures from ${from} to ${to}: the period ends before it begins`);
  }
  for (const market of markets ?? []) {
    if (!/^[A-Z]{2}$/.test(market)) {
      throw new RangeError(`Cannot use "${market}" as a market: expected two letters such as US`);
    }
  }
  for (const id of profileIds ?? []) {
    if (!/^\d+$/.test(id)) {
      throw new RangeError(`Cannot use "${id}" as a profile: expected the digits of its id`);
    }
  }
  return { start: from, end: to };
}

function checkDay(name: string, day: string): void {
  if (isDay(day)) return;
  throw new RangeError(`Cannot use "${day}" as ${name}: expected a day such as 2026-11-01`);
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
