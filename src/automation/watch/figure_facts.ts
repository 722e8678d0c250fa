import { addDays, type DayRange } from "../../base/time/calendar.ts";
import { FULL_SHARE } from "../../store/model/full_share.ts";
import type { Coverage } from "../../store/model/coverage.ts";
import { shrinkAcos, shrinkRates } from "../../base/statistics/shrink_rates.ts";
import type { OpenFacts } from "../../plans/policy/only_rises.ts";
import type { FigureGroup } from "../../store/figures/figure_groups.ts";
import { type FigureRow, figures } from "../../store/figures/figures.ts";
import { type SameAge, sameAge } from "../../store/figures/same_age.ts";
import { missingNotes } from "../../store/figures/missing_days.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { BASELINE_WEEKS, type FigureOver, SUMS, usual, type WatchFigure } from "./watch_names.ts";

export interface WatchSubject {
  readonly key: string;
  readonly label: string;
  readonly facts: Readonly<Record<string, number | string>>;
}

/** Metrics that keep growing for days after a click. */
const LATE = /^(orders|sales|acos|roas|cvr)$/;

type Store = Pick<Warehouse, "query" | "coverage">;
type Rows = ReadonlyMap<string, FigureRow>;

export const GROUPS: Readonly<
  Record<
    FigureOver,
    {
      readonly by: readonly FigureGroup[];
      readonly key: readonly string[];
      readonly label: readonly string[];
    }
  >
> = {
  market: { by: [], key: [], label: [] },
  product: { by: ["product"], key: ["product"], label: ["product"] },
  portfolio: { by: ["portfolio"], key: ["portfolio_id"], label: ["portfolio"] },
  campaign: { by: ["campaign"], key: ["campaign_id"], label: ["campaign"] },
  ad_group: { by: ["campaign", "ad_group"], key: ["ad_group_id"], label: ["campaign", "ad_group"] },
  keyword: {
    by: ["campaign", "ad_group", "keyword"],
    key: ["keyword_id"],
    label: ["campaign", "keyword", "match_type"],
  },
  search_term: {
    by: ["campaign", "search_term"],
    key: ["campaign_id", "search_term"],
    label: ["campaign", "search_term"],
  },
};

const REPORTS = {
  campaigns: ["sp_campaigns", "sp_placement", "sb_campaigns", "sd_campaigns"],
  targeting: ["sp_targeting", "sb_targeting", "sd_targeting"],
  terms: ["sp_search_terms", "sb_search_terms"],
} as const;

export function reportsOf(over: FigureOver): readonly string[] {
  return over === "search_term"
    ? REPORTS.terms!
    : over === "keyword" || over === "ad_group"
    ? REPORTS.targeting
    : REPORTS.campaigns;
}

export class FigureFacts {
  readonly #store: Store;
  readonly #profileId: string;
  readonly #today: string;
  readonly #read = new Map<string, Promise<Rows>>();
  readonly #ages = new Map<string, Promise<SameAge>>();
  #coverage: Promise<Coverage[]> | undefined;

  constructor(store: Store, { profileId, today }: { readonly profileId: string; readonly today: string }) {
    this.#store = store;
    this.#profileId = profileId;
    this.#today = today;
  }

  static reach(used: readonly WatchFigure[]): number {
    return Math.max(
      1,
      ...used.map(({ days, of }) => of === "before" ? 2 * days : of === "median" || of === "mad" ? 1 : days),
    );
  }

  /**
   * Returns the reason why figures are missing, because a missing day is not a day without cost. `undefined` if all
   * days are stored and comparisons use data of the same age.
   */
  async missing(over: FigureOver, used: readonly WatchFigure[], end: string): Promise<string | undefined> {
    const start = addDays(end, 1 - FigureFacts.reach(used));
    const [note] = await missingNotes({ coverage: () => this.#covered() }, {
      period: { start, end },
      reports: reportsOf(over),
      profileIds: [this.#profileId],
    });
    if (note !== undefined) return note;
    for (const figure of used.filter((one) => isPaired(one, used))) {
      const { isComparable, notes } = await this.#age(over, figure, end);
      if (!isComparable) return notes[0];
    }
    if (used.some(isLateUsual) && (await this.#weekdays(over, end, true)).length === 0) {
      const { notes } = await this.#ageOf(over, { start: end, end }, {
        start: addDays(end, -7),
        end: addDays(end, -7),
      });
      return notes[0];
    }
    return undefined;
  }

  async open(
    over: FigureOver,
    { figures: used, names }: { readonly figures: readonly WatchFigure[]; readonly names: readonly string[] },
    end: string,
  ): Promise<OpenFacts> {
    const isOpen = async (period: DayRange): Promise<boolean> => {
      const reports = reportsOf(over);
      const options = { period, reports, profileIds: [this.#profileId] };
      return (await missingNotes({ coverage: () => this.#covered() }, options)).length > 0;
    };
    const growing = new Set<string>();
    const unknown = new Set<string>();
    for (const figure of used) {
      // The usual of a weekday is taken of the weeks that are stored.
      if (figure.of === "median" || figure.of === "mad" || !await isOpen(rangeOf(figure, end))) continue;
      (isSum(figure) ? growing : unknown).add(figure.name);
    }
    // Where ages differ, the young days may gain orders, and the others none.
    for (const before of used.filter((one) => isPaired(one, used))) {
      if ((await this.#age(over, before, end)).isComparable) continue;
      for (const figure of used.filter((one) => isPair(one, before))) {
        (isSum(figure) ? growing : unknown).add(figure.name);
      }
    }
    const usuals = used.filter(isLateUsual);
    if (usuals.length > 0 && (await this.#weekdays(over, end, true)).length === 0) {
      for (const { name } of usuals) unknown.add(name);
    }
    const own = names.filter((name) => /^(budget|full)/.test(name));
    if (own.length > 0 && await isOpen({ start: addDays(end, -6), end })) {
      for (const name of own) (name === "full_days7d" ? growing : unknown).add(name);
    }
    return { growing, unknown };
  }

  async subjects(
    over: FigureOver,
    { figures: used, names }: { readonly figures: readonly WatchFigure[]; readonly names: readonly string[] },
    end: string,
  ): Promise<WatchSubject[]> {
    const columns = [...used, ...longest(used)];
    const windows = new Map<string, Rows>();
    for (const figure of columns) {
      if (figure.of === "median" || figure.of === "mad") continue;
      const paired = used.find((one) => one.days === figure.days && isPaired(one, used));
      const asOf = figure.of !== "before" || paired === undefined
        ? undefined
        : (await this.#age(over, paired, end)).asOf;
      windows.set(windowOf(figure), await this.#sums(over, rangeOf(figure, end), asOf));
    }
    const usuals = used.filter(({ of }) => of === "median" || of === "mad");
    const weekdays = usuals.length === 0
      ? []
      : await this.#weekdays(over, end, usuals.some(({ metric }) => LATE.test(metric)));
    const budgets = over === "campaign" && names.some((name) => /^budget|^full/.test(name))
      ? await this.#budgets(end)
      : undefined;
    const bids = over === "keyword" && names.includes("bid") ? await this.#bids() : undefined;
    const intervals = new Map(
      used.filter(({ of }) => of === "low" || of === "high").map((figure) => [
        figure.name,
        rateEnds(figure, windows.get(windowOf(figure))!, over),
      ]),
    );
    const rows = new Map([...weekdays, ...windows.values()].flatMap((found) => [...found]));
    return [...rows].map(([key, row]): WatchSubject => {
      const facts: Record<string, number | string> = {};
      for (const column of GROUPS[over].label) facts[column] = String(row[column] ?? "");
      for (const column of GROUPS[over].key) facts[column] = String(row[column] ?? "");
      if (row.currency !== null) facts["currency"] = row.currency;
      for (const figure of columns) {
        const { name, metric, of } = figure;
        const value = of === "median" || of === "mad"
          ? usual(weekdays.map((day) => Number(day.get(key)?.[metric] ?? 0)), of)
          : of === "low" || of === "high"
          ? intervals.get(name)?.get(key)
          : valueOf(windows.get(windowOf(figure))?.get(key), metric);
        if (value !== undefined) facts[name] = value;
      }
      Object.assign(facts, budgets?.get(key), bids?.has(key) ? { bid: bids.get(key)! } : {});
      const label = GROUPS[over].label.map((column) => String(row[column] ?? "")).filter((text) =>
        text !== ""
      );
      return { key, label: label.join(" > "), facts };
    });
  }

  #covered(): Promise<Coverage[]> {
    return this.#coverage ??= this.#store.coverage();
  }

  #age(over: FigureOver, figure: WatchFigure, end: string): Promise<SameAge> {
    return this.#ageOf(over, rangeOf({ ...figure, of: "window" }, end), rangeOf(figure, end));
  }

  #ageOf(over: FigureOver, period: DayRange, before: DayRange): Promise<SameAge> {
    const name = `${over} ${period.start} ${period.end} ${before.start} ${before.end}`;
    let age = this.#ages.get(name);
    if (age === undefined) {
      age = sameAge(this.#store, {
        ...{ period, before, today: this.#today },
        reports: reportsOf(over),
        profileIds: [this.#profileId],
      });
      this.#ages.set(name, age);
    }
    return age;
  }

  #sums(over: FigureOver, { start, end }: DayRange, asOf?: string): Promise<Rows> {
    const name = `${over} ${start} ${end} ${asOf}`;
    let rows = this.#read.get(name);
    if (rows === undefined) {
      rows = this.#figures(over, { start, end }, asOf);
      this.#read.set(name, rows);
    }
    return rows;
  }

  async #figures(over: FigureOver, { start, end }: DayRange, asOf: string | undefined): Promise<Rows> {
    const { by, key } = GROUPS[over];
    // Maturity is judged by the rule, so that the notes of the sums are not asked for.
    const { rows } = await figures(this.#store, {
      by,
      from: start,
      to: end,
      asOf,
      profileIds: [this.#profileId],
      notes: false,
    });
    return new Map(rows.map((row) => [key.map((column) => String(row[column] ?? "")).join(" "), row]));
  }

  async #weekdays(over: FigureOver, end: string, isLate: boolean): Promise<Rows[]> {
    const days = Array.from({ length: BASELINE_WEEKS }, (_, week) => addDays(end, -7 * (week + 1)));
    const found: Rows[] = [];
    for (const day of days) {
      const [note] = await missingNotes({ coverage: () => this.#covered() }, {
        period: { start: day, end: day },
        reports: reportsOf(over),
        profileIds: [this.#profileId],
      });
      if (note !== undefined) continue;
      const { isComparable, asOf } = await this.#ageOf(over, { start: end, end }, { start: day, end: day });
      if (isComparable || !isLate) found.push(await this.#sums(over, { start: day, end: day }, asOf));
    }
    return found;
  }

  async #budgets(end: string): Promise<Map<string, Record<string, number>>> {
    const { rows } = await this.#store.query(
      `SELECT campaign_id, max(CASE WHEN date = '${end}' THEN budget END) AS budget, avg(budget_used) AS used,
        sum(CASE WHEN budget_used >= ${FULL_SHARE} THEN 1 ELSE 0 END) AS full_days
      FROM budget_pressure WHERE profile_id = '${this.#profileId}' AND date BETWEEN '${
        addDays(end, -6)
      }' AND '${end}'
      GROUP BY campaign_id`,
      [],
      { maxRows: 1_000_000 },
    );
    return new Map(rows.map(({ campaign_id: id, budget, used, full_days: full }) => [
      String(id),
      Object.fromEntries(
        [["budget", budget], ["budget_used7d", used], ["full_days7d", full]].flatMap(([name, value]) =>
          value === null || value === undefined ? [] : [[name, Number(value)]]
        ),
      ),
    ]));
  }

  async #bids(): Promise<Map<string, number>> {
    const { rows } = await this.#store.query(
      `SELECT keyword_id AS id, bid FROM sp_keywords WHERE profile_id = '${this.#profileId}' AND bid IS NOT NULL
      UNION ALL SELECT target_id AS id, bid FROM sp_targets WHERE profile_id = '${this.#profileId}'
        AND bid IS NOT NULL`,
      [],
      { maxRows: 1_000_000 },
    );
    return new Map(rows.map(({ id, bid }) => [String(id), Number(bid)]));
  }
}

function isPaired({ metric, days, of }: WatchFigure, used: readonly WatchFigure[]): boolean {
  return of === "before" && LATE.test(metric) && used.some((one) => isPair(one, { metric, days }));
}

function isPair({ of, metric, days }: WatchFigure, before: Pick<WatchFigure, "metric" | "days">): boolean {
  return of === "window" && metric === before.metric && days === before.days;
}

function isLateUsual({ of, metric }: WatchFigure): boolean {
  return (of === "median" || of === "mad") && LATE.test(metric);
}

function isSum({ metric }: WatchFigure): boolean {
  return SUMS.some((sum) => sum === metric);
}

function windowOf({ days, of }: WatchFigure): string {
  return `${days} ${of === "before" ? of : "window"}`;
}

/** Returns the interval of rates; rates with few clicks are shrunk towards their campaign's rate. */
function rateEnds({ metric, of }: WatchFigure, rows: Rows, over: FigureOver): ReadonlyMap<string, number> {
  const own = [...rows].filter(([, row]) => (metric === "ctr" ? row.impressions : row.clicks) > 0);
  const hasParent = over === "ad_group" || over === "keyword" || over === "search_term";
  const counts = own.map(([id, row]) => ({
    id,
    parents: hasParent ? [String(row["campaign_id"] ?? "")] : [],
    row,
  }));
  if (metric === "ctr" || metric === "cvr") {
    const rates = shrinkRates(counts.map(({ row, ...one }) => ({
      ...one,
      successes: metric === "ctr" ? row.clicks : row.orders,
      trials: metric === "ctr" ? row.impressions : row.clicks,
    })));
    return new Map(rates.map(({ id, low, high }) => [id, of === "low" ? low : high]));
  }
  const found = shrinkAcos(counts.map(({ row: { clicks, orders, cost, sales }, ...one }) => ({
    ...{ ...one, clicks, orders, cost, sales },
  })));
  return new Map(found.flatMap(({ id, low, high }): [string, number][] => {
    if (metric === "acos") return [[id, of === "low" ? low : high]];
    // A low ACOS is a high ROAS.
    const acos = of === "low" ? high : low;
    return acos === 0 ? [] : [[id, 1 / acos]];
  }));
}

function longest(used: readonly WatchFigure[]): WatchFigure[] {
  const days = Math.max(
    1,
    ...used.filter(({ of }) => of !== "median" && of !== "mad").map(({ days }) => days),
  );
  return ["clicks", "cost"].map((metric) => ({ name: `${metric}_longest`, metric, days, of: "window" }));
}

function rangeOf({ days, of }: WatchFigure, end: string): DayRange {
  const last = of === "before" ? addDays(end, -days) : end;
  return { start: addDays(last, 1 - days), end: last };
}

function valueOf(row: FigureRow | undefined, metric: string): number | undefined {
  const value = row?.[metric];
  if (typeof value === "number") return value;
  return /^(impressions|clicks|cost|orders|sales)$/.test(metric) ? 0 : undefined;
}
