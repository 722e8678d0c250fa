import type { Environment } from "@marcbachmann/cel-js";
import { nearest } from "../../base/text/nearest.ts";
import { celEnvironment, compileBoolean, failureOf } from "../../plans/policy/cel_language.ts";
import { onlyRises, type OpenFacts } from "../../plans/policy/only_rises.ts";

/** Subject of a rule: figures of a group, or the program's own state, such as reports, timers and plans. */
export type WatchOver =
  | "market"
  | "product"
  | "portfolio"
  | "campaign"
  | "ad_group"
  | "keyword"
  | "search_term"
  | "today"
  | "hours"
  | "stream"
  | "reports"
  | "timers"
  | "drift"
  | "plans"
  | "schedules"
  | "experiments"
  | "operations";

const FIGURE_OVERS = [
  "market",
  "product",
  "portfolio",
  "campaign",
  "ad_group",
  "keyword",
  "search_term",
] as const satisfies readonly WatchOver[];

export type FigureOver = typeof FIGURE_OVERS[number];

export const WATCH_OVERS: readonly [WatchOver, ...WatchOver[]] = [
  ...FIGURE_OVERS,
  "today",
  "hours",
  "stream",
  "reports",
  "timers",
  "drift",
  "plans",
  "schedules",
  "experiments",
  "operations",
];

export const SUMS = ["impressions", "clicks", "cost", "orders", "sales"] as const;
const METRICS = [...SUMS, "acos", "roas", "cpc", "ctr", "cvr"] as const;

const RATES = ["acos", "roas", "ctr", "cvr"] as const;

const WINDOWS = [1, 2, 3, 7, 14, 30] as const;

export const BASELINE_WEEKS = 8;

const WITH_BASELINE: readonly WatchOver[] = ["market", "product", "portfolio", "campaign"];

const OWN: Readonly<Record<WatchOver, Readonly<Record<string, "double" | "string">>>> = {
  market: {},
  product: { product: "string" },
  portfolio: { portfolio: "string" },
  campaign: { campaign: "string", budget: "double", budget_used7d: "double", full_days7d: "double" },
  ad_group: { campaign: "string", ad_group: "string" },
  keyword: { campaign: "string", ad_group: "string", keyword: "string", match_type: "string", bid: "double" },
  search_term: { campaign: "string", search_term: "string" },
  reports: {
    report: "string",
    late_days: "double",
    gap_days: "double",
    lost_days: "double",
    expires_days: "double",
  },
  today: {
    campaign: "string",
    campaign_id: "string",
    budget: "double",
    budget_used: "double",
    hour: "double",
  },
  hours: {
    campaign: "string",
    campaign_id: "string",
    hour: "double",
    impressions1h: "double",
    clicks1h: "double",
    cost1h: "double",
    orders1h: "double",
    impressions_today: "double",
    clicks_today: "double",
    cost_today: "double",
    orders_today: "double",
    cost_today_median: "double",
  },
  stream: { dataset: "string", records: "double", rejected: "double", behind_hours: "double" },
  timers: { timer: "string", failures: "double", hours_since_done: "double" },
  schedules: {
    schedule: "string",
    entity: "string",
    move: "string",
    base: "double",
    wrote: "double",
    kept_days: "double",
  },
  experiments: {
    plan: "string",
    note: "string",
    held: "double",
    weeks: "double",
    days_left: "double",
    ended_days: "double",
  },
  operations: { operation: "string", ends_days: "double", used: "double" },
  drift: { campaign: "string", changes1d: "double" },
  plans: { open: "double", oldest_days: "double", refused1d: "double", unknown1d: "double" },
};

/** One figure that a condition reads. */
export interface WatchFigure {
  /** Name as written in the condition: `cost7d_before`. */
  readonly name: string;
  /** Part of the name before the days: `cost`. */
  readonly metric: string;
  /** Length of its window, in days. */
  readonly days: number;
  /**
   * How the figure is computed. `before`: over the same number of days right before. `median`, `mad`: of the same
   * weekday in the previous eight weeks. `low`, `high`: bounds of the 95 % interval of a rate.
   */
  readonly of: "window" | "before" | "median" | "mad" | "low" | "high";
}

/** A parsed and checked condition. */
export interface WatchCondition {
  /** Figures that it reads, without duplicates. */
  readonly figures: readonly WatchFigure[];
  /** Other names that the condition reads. */
  readonly names: readonly string[];
  /** True if the condition reads sales, orders, ACOS or other figures that grow for days after a click. */
  readonly readsSales: boolean;
  /** True if the condition, once it holds, keeps holding while the open sums grow. */
  readonly onlyRises: (open: OpenFacts) => boolean;
  /** Judges the facts of one row: true, false, or the reason why the result is unknown. Never throws. */
  readonly judge: (facts: Readonly<Record<string, unknown>>) => boolean | { readonly unknown: string };
}

const environments = new Map<WatchOver, Environment>();

export function watchNames(over: WatchOver): string[] {
  return Object.keys(typesOf(over));
}

export function figureNamed(name: string): WatchFigure | undefined {
  const [, metric = "", days, of = "window"] =
    /^([a-z]+)(\d+)d(?:_(before|median|mad|low|high))?$/.exec(name) ?? [];
  if (days === undefined || !METRICS.some((known) => known === metric)) return undefined;
  return { name, metric, days: Number(days), of: of as WatchFigure["of"] };
}

/**
 * Compiles a condition in the policy language, for example `cost1d > 2 * cost1d_median && clicks1d >= 20`.
 *
 * @throws {SyntaxError} with a suggestion for unknown names.
 */
export function compileWatch(text: string, over: WatchOver): WatchCondition {
  let environment = environments.get(over);
  if (environment === undefined) {
    environment = celEnvironment();
    for (const [name, type] of Object.entries(typesOf(over))) environment.registerVariable(name, type);
    environments.set(over, environment);
  }
  const { plain, problems } = withIntervals(text);
  const { parsed, paths } = compileBoolean(
    environment,
    plain,
    (read) => refuseUnknown(read, over, problems),
  );
  // Names are judged only where something else is wrong.
  if (problems.length > 0) throw new SyntaxError(problems.join("; "));
  const names = [...new Set(paths.map(([root = ""]) => root))];
  const figures = names.flatMap((name) => figureNamed(name) ?? []);
  return {
    figures,
    names: names.filter((name) => figureNamed(name) === undefined),
    readsSales: figures.some(({ metric }) => /^(orders|sales|acos|roas|cvr)$/.test(metric)),
    onlyRises: (open) => onlyRises(parsed.ast, open),
    judge: (facts) => {
      try {
        const value: unknown = parsed(facts);
        return typeof value === "boolean" ? value : { unknown: "it is neither true nor false" };
      } catch (error) {
        return { unknown: failureOf(error).why };
      }
    },
  };
}

/**
 * Replaces `acos30d.low` with `acos30d_low` outside quotes. Unknown suffixes such as `clicks30d.low` are reported and
 * dropped.
 */
function withIntervals(text: string): { readonly plain: string; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const plain = text.split(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/).map((part, at) =>
    at % 2 === 1 ? part : part.replace(/\b([a-z]+\d+d)\.(\w+)/g, (whole, name: string, end: string) => {
      const metric = figureNamed(name)?.metric;
      if (metric === undefined) return whole;
      const hasInterval = RATES.some((rate) => rate === metric);
      if (hasInterval && (end === "low" || end === "high")) return `${name}_${end}`;
      problems.push(
        hasInterval
          ? `"${whole}" is not known. The ends of its interval are ${name}.low and ${name}.high`
          : `"${whole}" is not known. Only ${RATES.join(", ")} have .low and .high`,
      );
      return name;
    })
  ).join("");
  return { plain, problems };
}

export function namedFacts(say: string): string {
  return say.replace(/\{((?:acos|roas|ctr|cvr)\d+d)\.(low|high)\}/g, "{$1_$2}");
}

const WORDS: Readonly<Record<string, string>> = {
  acos: "ACOS",
  roas: "ROAS",
  cpc: "CPC",
  ctr: "CTR",
  cvr: "conversion rate",
  budget_used: "budget used so far",
  budget_used7d: "budget used in 7 days",
  full_days7d: "days out of budget, of 7",
  cost_today_median: "usual cost by this hour",
  late_days: "days late",
  gap_days: "missing days",
  expires_days: "days until a missing day expires",
  behind_hours: "hours behind",
  hours_since_done: "hours since the last success",
  ended_days: "days since its end",
  ends_days: "days until its end",
  oldest_days: "days waited by the oldest",
  changes1d: "changes in a day",
  refused1d: "writes refused in a day",
  unknown1d: "writes with an unknown result in a day",
};

export function spokenFact(name: string): string {
  const figure = figureNamed(name);
  if (figure === undefined) {
    return WORDS[name] ?? name.replace(/1h$/, " of the hour").replaceAll("_", " ");
  }
  const { metric, days, of } = figure;
  const word = WORDS[metric] ?? metric;
  const span = days === 1 ? "1 day" : `${days} days`;
  switch (of) {
    case "window":
      return `${word} of ${span}`;
    case "before":
      return `${word} of the ${span} before`;
    case "median":
      return `usual ${word} of the weekday`;
    case "mad":
      return `usual spread of ${word} of the weekday`;
    default:
      return `${word} of ${span}, ${of} end`;
  }
}

function typesOf(over: WatchOver): Record<string, "double" | "string"> {
  if (!isFigureOver(over)) return { ...OWN[over] };
  const figures = METRICS.flatMap((metric) =>
    WINDOWS.flatMap((days) => [`${metric}${days}d`, `${metric}${days}d_before`])
  );
  const intervals = RATES.flatMap((metric) =>
    WINDOWS.flatMap((days) => [`${metric}${days}d_low`, `${metric}${days}d_high`])
  );
  const usual = WITH_BASELINE.includes(over)
    ? SUMS.flatMap((metric) => [`${metric}1d_median`, `${metric}1d_mad`])
    : [];
  return {
    ...OWN[over],
    ...Object.fromEntries([...figures, ...intervals, ...usual].map((name) => [name, "double" as const])),
  };
}

export function isFigureOver(over: WatchOver | "pacing" | "script"): over is FigureOver {
  return FIGURE_OVERS.some((known) => known === over);
}

function refuseUnknown(
  paths: readonly (readonly string[])[],
  over: WatchOver,
  others: readonly string[],
): void {
  const known = watchNames(over);
  const unknown = new Set(paths.map(([root = ""]) => root).filter((root) => !known.includes(root)));
  const problems = [
    ...others,
    ...[...unknown].map((root) => {
      const elsewhere = WATCH_OVERS.filter((other) => other !== over && watchNames(other).includes(root));
      if (elsewhere.length > 0) {
        return `"${root}" belongs to rules over ${elsewhere.join(", ")}, and this rule is over ${over}`;
      }
      const near = nearest(root, known);
      return near === undefined
        ? `"${root}" is not known. Figures are written as cost7d: ${METRICS.join(", ")} of ${
          WINDOWS.join(", ")
        } days`
        : `"${root}" is not known. Did you mean "${near}"?`;
    }),
  ];
  if (problems.length > 0) throw new SyntaxError(problems.join("; "));
}

export const FEWEST_DAYS = 4;

/**
 * Returns the median, or the median absolute deviation times 1.4826, which estimates the standard deviation of a
 * normal distribution.
 */
export function usual(values: readonly number[], of: "median" | "mad"): number | undefined {
  if (values.length < FEWEST_DAYS) return undefined;
  const middle = median(values);
  return of === "median" ? middle : 1.4826 * median(values.map((value) => Math.abs(value - middle)));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(half)]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
