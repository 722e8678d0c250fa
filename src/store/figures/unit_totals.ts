import { addDays, countDays, type DayRange, eachDay } from "../../base/time/calendar.ts";
import type { ExperimentUnitKind } from "../../plans/model/experiment.ts";
import { spellReport } from "../../client/reports/requests/presets.ts";
import { commonMoney, type CostOfClicks } from "../../plans/review/hold_back_profiles.ts";
import { salesColumns } from "../views/sales_columns.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { EntityTotals } from "./entity_totals.ts";

const REPORTS: Readonly<Record<ExperimentUnitKind, readonly (readonly [report: string, id: string])[]>> = {
  campaign: [["campaigns", "campaign_id"], ["targeting", "campaign_id"]],
  ad_group: [["targeting", "ad_group_id"]],
  keyword: [["targeting", "keyword_id"]],
  ad: [["advertised_products", "ad_id"]],
  search_term: [["search_terms", "search_term"]],
  profile: [["campaigns", "profile_id"], ["targeting", "profile_id"]],
};

const FAMILIES: readonly string[] = ["sp", "sb", "sd"];

export interface UnitsRequest {
  readonly profileId: string;
  readonly unit: ExperimentUnitKind;
  readonly kinds: readonly string[];
  readonly profiles?: ComparedProfiles | undefined;
}

interface ComparedProfiles {
  readonly currencies: ReadonlyMap<string, string>;
  readonly scaledBy: DayRange;
}

const MAX_IDS = 2000;

interface UnitSums {
  readonly units: ReadonlyMap<string, readonly EntityTotals[]>;
  readonly campaigns: ReadonlyMap<string, string>;
  readonly missing: readonly string[];
}

interface Source {
  readonly report: string;
  readonly id: string;
  readonly sales: string;
  readonly orders: string;
}

export async function unitSums(
  store: Pick<Warehouse, "query" | "coverage">,
  { ranges, ...request }: UnitsRequest & { readonly ranges: readonly DayRange[] },
): Promise<UnitSums> {
  const { sources, missing } = await sourcesOf(store, request, ranges);
  const scaleOf = await scales(store, request, sources);
  const units = new Map<string, EntityTotals[]>();
  const campaigns = new Map<string, string>();
  const names = ["impressions", "clicks", "cost", "sales", "orders"] as const;
  for (const { report, id, ...columns } of sources) {
    const parts = ranges.flatMap(({ start, end }, at) =>
      names.map((name) => {
        const column = name === "sales" || name === "orders" ? columns[name] : name;
        return `sum(CASE WHEN date BETWEEN '${start}' AND '${end}' THEN ${column} ELSE 0 END) AS "${name}${at}"`;
      })
    );
    const { rows } = await store.query(
      `SELECT ${id} AS unit, max(campaign_id) AS campaign, ${parts.join(", ")} FROM ${report} ` +
        `WHERE ${whose(request)} AND (${
          ranges.map(({ start, end }) => `date BETWEEN '${start}' AND '${end}'`).join(" OR ")
        }) GROUP BY ${id}`,
      [],
      { maxRows: Infinity },
    );
    for (const row of rows) {
      const unit = String(row["unit"]);
      const known = units.get(unit);
      units.set(
        unit,
        ranges.map((_, at) => {
          const sums = names.map((name) => {
            const own = Number(row[`${name}${at}`] ?? 0) * (MONEY.has(name) ? scaleOf(unit) : 1);
            return [name, own + (known?.[at]?.[name] ?? 0)];
          });
          return Object.fromEntries(sums) as unknown as EntityTotals;
        }),
      );
      if (typeof row["campaign"] === "string") campaigns.set(unit, row["campaign"]);
    }
  }
  return { units, campaigns, missing };
}

type UnitFigure = "clicks" | "cost" | "orders" | "sales";

export async function unitDays<Figure extends UnitFigure>(
  store: Pick<Warehouse, "query" | "coverage">,
  { range, figures, ids, isWhole, ...request }: UnitsRequest & {
    readonly range: DayRange;
    readonly figures: readonly Figure[];
    readonly ids?: readonly string[] | undefined;
    readonly isWhole?: boolean;
  },
): Promise<
  { units: Readonly<Record<Figure, ReadonlyMap<string, readonly number[]>>>; missing: readonly string[] }
> {
  const { sources, missing } = await sourcesOf(store, request, [range]);
  const units = Object.fromEntries(figures.map((figure) => [figure, new Map()])) as Record<
    Figure,
    Map<string, number[]>
  >;
  if (isWhole && missing.length > 0) return { units, missing };
  const scaleOf = await scales(store, request, sources);
  const places = new Map([...eachDay(range)].map((day, at) => [day, at]));
  for (const { report, id, sales, orders } of sources) {
    const columns: Readonly<Record<UnitFigure, string>> = { clicks: "clicks", cost: "cost", orders, sales };
    const sums = figures.map((figure) => `sum(${columns[figure]}) AS "${figure}"`);
    const rows: Record<string, unknown>[] = [];
    for (const named of ids === undefined ? [undefined] : partsOf(ids, MAX_IDS)) {
      const among = named === undefined ? "" : `AND ${id} IN (${named.map((one) => `'${one}'`).join(", ")}) `;
      const found = await store.query(
        `SELECT ${id} AS unit, date, ${sums.join(", ")} FROM ${report} ` +
          `WHERE ${whose(request)} AND date BETWEEN '${range.start}' AND '${range.end}' ` +
          `${among}GROUP BY ${id}, date`,
        [],
        { maxRows: Infinity },
      );
      for (const row of found.rows) rows.push(row);
    }
    for (const row of rows) {
      const unit = String(row["unit"]);
      const at = places.get(String(row["date"]).slice(0, 10));
      for (const figure of figures) {
        const days = units[figure].get(unit) ?? new Array<number>(countDays(range)).fill(0);
        const scale = MONEY.has(figure) ? scaleOf(unit) : 1;
        if (at !== undefined) days[at]! += Number(row[figure] ?? 0) * scale;
        units[figure].set(unit, days);
      }
    }
  }
  return { units, missing };
}

const MONEY: ReadonlySet<string> = new Set(["cost", "sales"]);

function profilesOf({ profileId, profiles }: UnitsRequest): readonly string[] {
  return profiles === undefined ? [profileId] : [...profiles.currencies.keys()];
}

function whose(request: UnitsRequest): string {
  return `profile_id IN (${profilesOf(request).map((id) => `'${id}'`).join(", ")})`;
}

async function scales(
  store: Pick<Warehouse, "query">,
  request: UnitsRequest,
  sources: readonly Source[],
): Promise<(unit: string) => number> {
  const { profiles } = request;
  if (profiles === undefined || new Set(profiles.currencies.values()).size < 2) return () => 1;
  const { currencies, scaledBy: { start, end } } = profiles;
  const parts: CostOfClicks[] = [];
  for (const { report } of sources) {
    const { rows } = await store.query(
      `SELECT profile_id, sum(clicks) AS clicks, sum(cost) AS cost FROM ${report} ` +
        `WHERE ${whose(request)} AND date BETWEEN '${start}' AND '${end}' GROUP BY profile_id`,
      [],
      { maxRows: Infinity },
    );
    for (const { profile_id: id, clicks, cost } of rows) {
      const currency = currencies.get(String(id)) ?? "";
      parts.push({ currency, clicks: Number(clicks ?? 0), cost: Number(cost ?? 0) });
    }
  }
  const factors = commonMoney(parts);
  return (unit) => factors.get(currencies.get(unit) ?? "") ?? 1;
}

function partsOf(ids: readonly string[], size: number): string[][] {
  const known = ids.filter((id) => /^\d+$/.test(id));
  return Array.from(
    { length: Math.ceil(known.length / size) },
    (_, at) => known.slice(at * size, (at + 1) * size),
  );
}

async function sourcesOf(
  store: Pick<Warehouse, "coverage">,
  request: UnitsRequest,
  ranges: readonly DayRange[],
): Promise<{ sources: readonly Source[]; missing: readonly string[] }> {
  const { unit, kinds } = request;
  const ids = profilesOf(request);
  if (!ids.every((id) => /^\d+$/.test(id))) return { sources: [], missing: ["no profile of that id"] };
  const coverage = await store.coverage({ profileId: ids });
  const sources: Source[] = [];
  const missing: string[] = [];
  for (const family of FAMILIES.filter((one) => kinds.some((kind) => kind.startsWith(`${one}.`)))) {
    const found = REPORTS[unit].map(([name, id]) => {
      const report = `${family}_${name}`;
      const own = new Map(
        coverage.filter((one) => one.report === report).map((one) => [one.profileId, one]),
      );
      const days = ids.flatMap((id) =>
        ranges.flatMap((range) => missingDays(range, own.get(id)).map((gap) => ({ ...gap, id })))
      );
      return { report, days, source: sourceOf(family, report, id) };
    });
    const best = found.find(({ days }) => days.length === 0) ??
      found.find(({ report }) => coverage.some((covered) => covered.report === report)) ?? found[0]!;
    for (const [days, gaps] of Map.groupBy(best.days, ({ start, end }) => `from ${start} to ${end}`)) {
      const of = ids.length === 1
        ? ""
        : gaps.length === 1
        ? ` of profile ${gaps[0]!.id}`
        : ` of ${gaps.length} profiles`;
      missing.push(`${spellReport(best.report)}${of} ${days}`);
    }
    if (coverage.some((covered) => covered.report === best.report)) sources.push(best.source);
  }
  return { sources, missing };
}

function sourceOf(family: string, report: string, id: string): Source {
  const key = id === "search_term"
    ? "lower(search_term)"
    : id !== "keyword_id" || family === "sp"
    ? id
    : family === "sb"
    ? "coalesce(nullif(keyword_id, ''), targeting_id)"
    : "targeting_id";
  return { report, id: key, ...salesColumns(report) };
}

function missingDays(
  { start, end }: DayRange,
  covered: { firstDay: string; lastDay: string; gaps: readonly DayRange[] } | undefined,
): DayRange[] {
  if (covered === undefined || covered.lastDay < start || covered.firstDay > end) return [{ start, end }];
  return [
    ...(covered.firstDay > start ? [{ start, end: addDays(covered.firstDay, -1) }] : []),
    ...covered.gaps.filter((gap) => gap.start <= end && gap.end >= start),
    ...(covered.lastDay < end ? [{ start: addDays(covered.lastDay, 1), end }] : []),
  ];
}
