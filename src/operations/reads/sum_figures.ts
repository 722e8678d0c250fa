import { timeZoneOf } from "../../base/markets/markets.ts";
import { addDays, dayIn, dayOf } from "../../base/time/calendar.ts";
import { readAsOf, readDay, readDayRange } from "../../base/time/moment.ts";
import { checkGroups } from "../../store/figures/figure_groups.ts";
import type { Figures, FiguresOptions } from "../../store/figures/figures.ts";
import type { Conversion } from "../../store/model/store_view.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import type { InputOf } from "../model/field.ts";
import { defineOperation, JSON_SPELLING, type Spelling } from "../model/operation.ts";

/** Store with the figures, and the profiles that are summed. */
export interface FiguresContext extends Pick<FiguresOptions, "markets" | "profileIds"> {
  readonly store: Warehouse;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly conversion?: Conversion | undefined;
}

/** Figures, and the options with which they were requested. */
export interface SummedFigures {
  readonly figures: Figures;
  readonly asked: FiguresOptions;
}

const COUNTS = { type: "whole", min: 1 } as const;

/** Sums stored figures by groups. */
export const sumFigures = defineOperation<FiguresContext, SummedFigures>()({
  name: "figures",
  effect: "read",
  tool: "sum_figures",
  title: "Sum stored figures",
  summary: "Sum stored figures by campaign, week and other groups, without SQL",
  details:
    "Prints impressions, clicks, cost, orders, sales, ACOS, ROAS, CPC, CTR and CVR, with totals. The default " +
    "period is the last 30 days, up to yesterday in the market's time zone; weeks and months are complete " +
    "ones. Currencies are never added: each has its own rows, unless --currency and --rates convert them. " +
    "Notes list days that are incomplete or missing. " +
    "Groups: market, profile, product, portfolio, campaign, ad_group, keyword, search_term, month, week, day.",
  brief:
    "Sums stored figures, by default of the last 30 days, by product, portfolio, campaign, ad_group, keyword, " +
    "search_term, month, week or day. Fetches nothing.",
  examples: [
    {
      input: { by: ["campaign"], days: 7, compare: true },
      about: "compare each campaign with the week before",
    },
    { input: { by: ["week"], weeks: 13 }, about: "a quarter by week" },
    { input: { by: ["search_term"], start: "last month" }, about: "search terms of the last month" },
  ],
  library: 'const { rows, totals } = await figures(store, { by: ["campaign", "week"], from, to })',
  input: {
    by: {
      type: "words",
      value: "groups",
      help: "groups, separated by commas",
      otherwise: "one row per currency",
    },
    days: { ...COUNTS, help: "the last n days" },
    weeks: { ...COUNTS, isRare: true, help: "the last n complete weeks, Monday to Sunday" },
    months: { ...COUNTS, isRare: true, help: "the last n complete months" },
    start: {
      type: "day",
      orPeriod: true,
      help: "first day: 2026-11-01, -7 (days ago), or a period such as 'last week' or '13 weeks'",
      brief: "YYYY-MM-DD, -N, last week or 13 weeks",
    },
    end: { type: "day", orPeriod: true, help: "last day", otherwise: "yesterday" },
    lag: {
      type: "whole",
      min: 0,
      default: 0,
      isRare: true,
      help: "end n days before yesterday; 14 waits for late orders",
    },
    compare: { type: "switch", help: "compare with the period right before" },
    compare_start: {
      type: "day",
      isRare: true,
      help: "compare with equally many days from here",
    },
    as_of: {
      type: "moment",
      value: "time",
      isRare: true,
      help: "figures as known at this time: 2026-11-01 (its end), 2026-11-01T08:00Z, or -7 (days ago)",
    },
  },
  check(input, spelling): void {
    checkGroups(input.by ?? []);
    periodOf(input, { today: "2026-01-01", spelling });
  },
  async run({ store, now, conversion, ...chosen }, input): Promise<SummedFigures> {
    const { figures } = await import("../../store/figures/figures.ts");
    const { today, start: from, end: to } = await periodAsked({ store, now, ...chosen }, input);
    const { by = [], as_of: asOf, compare_start: compareStart } = input;
    const asked: FiguresOptions = {
      by: checkGroups(by),
      from,
      to,
      compare: input.compare === true || compareStart !== undefined,
      compareFrom: compareStart === undefined ? undefined : readDay(compareStart, "compare_start", today),
      ...chosen,
      conversion,
      asOf: asOf === undefined ? undefined : readAsOf(asOf, "as_of", { now }),
      today,
    };
    return { figures: await figures(store, asked), asked };
  },
});

/** Finds the days that an input asks for, by the current day of the markets. */
export async function periodAsked(
  { store, now, ...chosen }: Pick<FiguresContext, "store" | "now"> & FiguresOf,
  input: PeriodInput,
): Promise<{ readonly today: string; readonly start: string; readonly end: string }> {
  const today = await dayOfMarkets(chosen, { store, now });
  return { today, ...periodOf(input, { today }) };
}

type FiguresOf = Pick<FiguresOptions, "markets" | "profileIds">;

type PeriodInput = Pick<
  InputOf<typeof sumFigures.input>,
  "days" | "weeks" | "months" | "start" | "end" | "lag"
>;

function periodOf(
  { days, weeks, months, start, end, lag }: PeriodInput,
  { today, spelling: { field } = JSON_SPELLING }: {
    readonly today: string;
    readonly spelling?: Spelling;
  },
): { readonly start: string; readonly end: string } {
  const named = [[days, "days"], [weeks, "weeks"], [months, "months"]] as const;
  const given = named.filter(([count]) => count !== undefined);
  if (given.length + (start === undefined ? 0 : 1) > 1 || (given.length > 0 && end !== undefined)) {
    const all = ["days", "weeks", "months"].map(field).join(", ");
    throw new RangeError(`Cannot use more than one of ${all} and ${field("start")}: choose one period`);
  }
  if (lag > 0 && end !== undefined) {
    throw new RangeError(
      `Cannot use ${field("lag")} with ${field("end")}: ${field("end")} says where the period ends`,
    );
  }
  const [[count, unit] = [30, "days"] as const] = given;
  const before = addDays(today, -lag);
  if (start !== undefined) return readDayRange({ start, end }, before);
  const after = end === undefined ? before : addDays(readDayRange({ start: end, end }, before).end, 1);
  return readDayRange({ start: `${count} ${unit}` }, after);
}

/** Earliest current day among the markets, so that the day before it is complete in all of them. */
async function dayOfMarkets(
  { markets, profileIds }: FiguresOf,
  { store, now }: Pick<FiguresContext, "store" | "now">,
): Promise<string> {
  const countries = markets ??
    (await store.coverage()).filter(({ profileId }) => profileIds?.includes(profileId) ?? true)
      .map(({ countryCode }) => countryCode);
  const days = [...new Set(countries)].map((countryCode) => dayIn(timeZoneOf({ countryCode }), now)).sort();
  return days[0] ?? dayOf(now);
}
