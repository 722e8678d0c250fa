import { addDays, dayIn, type DayRange } from "../../../base/time/calendar.ts";
import { currencyDecimals, decimalsOf, marketOf, timeZoneOf } from "../../../base/markets/markets.ts";
import { jsonInput } from "../../../operations/model/field_schema.ts";
import { periodAsked, sumFigures } from "../../../operations/reads/sum_figures.ts";
import { FIGURE_GROUPS } from "../../../store/figures/figure_groups.ts";
import { SPEND_DAYS } from "../../../store/figures/market_figures.ts";
import { figures, figuresSql } from "../../../store/figures/figures.ts";
import { ATTRIBUTION_DAYS } from "../../../store/figures/immature_note.ts";
import type { Conversion } from "../../../store/model/store_view.ts";
import { listPlans } from "../plans/list_plans.ts";
import type { ConsoleContext } from "../http/console_context.ts";
import { ApiProblem, refusingBadInput } from "../http/responses.ts";
import type { ApiCall, Route } from "../http/route.ts";
import { hourlyFigures } from "../../../store/figures/hourly_figures.ts";
import { withStore } from "../http/open_store.ts";

const MAX_ROWS = 5000;

/** Whole weeks, so that days of the week are compared with themselves. */
const YEAR = 364;

export const FIGURE_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/figures",
    about: "Sums up stored figures by groups, with those of the days before, and by day",
    takes: {
      by: `groups with commas: ${FIGURE_GROUPS.join(", ")}`,
      days: "the last n days, as `adsctl figures` counts them; 30 when neither they nor `from` are given",
      from: "first day, YYYY-MM-DD",
      to: "last day, YYYY-MM-DD; yesterday when absent",
      profile: "id of a profile; all when absent",
      currency: "only profiles with this currency; when absent, all, each currency separately",
      convert: "true to convert to the currency of `--currency`",
      compare_from:
        "first of as many days to compare with, or `year` for the same days of the week a year before (default: the days right before)",
      as_of: "time at which the figures were known: ISO 8601, a day (its end), or days ago such as -7",
    },
    gives:
      "`rows` (at most 5000, `row_count` of all), `totals` by currency, `days` and `days_before` by day, `period`, `before`, `notes`, `sql`, `immature_from`, `decimals`, `applied` plans with their day",
    run: explored,
  },
  {
    method: "GET",
    path: "/api/hours",
    about: "Sums up the stored hourly stream of a profile by hour of the week",
    takes: { profile: "id of the profile", country: "its country" },
    gives: "`hours`: seven days of 24 hours, Monday first; `null` where no hours are stored",
    run: async ({ context, query }) => {
      const { profile = "", country = "" } = query;
      const zone = timeZoneOf({ countryCode: country });
      return {
        hours: await withStore(
          context,
          (store) => hourlyFigures(store, { profileId: profile, now: context.now(), zone }),
        ),
        currency: marketOf(country)?.currency ?? null,
        decimals: decimalsOf(country),
        time_zone: zone,
      };
    },
  },
];

async function explored(call: ApiCall): Promise<unknown> {
  const { context, query } = call;
  return await withStore(context, async (store) => {
    const coverage = await store.coverage();
    const conversion = conversionOf(call);
    const { profile = "", currency = "" } = query;
    const profileIds = [
      ...new Set(
        coverage.filter(({ profileId, countryCode }) =>
          (profile === "" || profileId === profile) &&
          (conversion !== undefined || currency === "" || marketOf(countryCode)?.currency === currency)
        ).map(({ profileId }) => profileId),
      ),
    ];
    const isYear = query["compare_from"] === "year";
    const given = {
      by: (query["by"] ?? "market").split(",").filter((name) => name !== ""),
      days: query["days"] === undefined ? undefined : Number(query["days"]),
      start: query["from"],
      end: query["to"],
      compare: true,
      compare_start: isYear ? undefined : query["compare_from"] || undefined,
      as_of: query["as_of"] || undefined,
    };
    const { figures: found, asked: options } = await refusingBadInput(async () => {
      const own = { store, now: context.now(), profileIds };
      const input = await jsonInput(sumFigures, given);
      const yearBefore = isYear && { compare_start: addDays((await periodAsked(own, input)).start, -YEAR) };
      return await sumFigures.run({ ...own, conversion }, { ...input, ...yearBefore });
    });
    const { today = "" } = options;
    const days = await figures(store, { ...options, by: ["day"], compare: false, notes: false });
    const { before } = found;
    const earlier = before === undefined ? undefined : await figures(store, {
      ...options,
      from: before.start,
      to: before.end,
      asOf: found.comparison?.asOf,
      by: ["day"],
      compare: false,
      compareFrom: undefined,
      notes: false,
    });
    const countries = new Set(
      coverage.filter(({ profileId }) => profileIds.includes(profileId)).map(({ countryCode }) =>
        countryCode
      ),
    );
    return {
      ...found,
      rows: found.rows.slice(0, MAX_ROWS),
      row_count: found.rows.length,
      days: days.rows,
      days_before: earlier?.rows ?? [],
      before_whole: found.comparison?.isWhole ?? false,
      before_comparable: found.comparison?.isComparable ?? false,
      immature_from: { cost: addDays(today, -SPEND_DAYS), sales: addDays(today, -ATTRIBUTION_DAYS) },
      decimals: conversion === undefined
        ? Math.min(...[...countries].map(decimalsOf), 2)
        : currencyDecimals(conversion.currency),
      converted_to: conversion?.currency ?? null,
      sql: figuresSql(options),
      applied: await appliedWithin(found.period, { context, profileIds }),
    };
  });
}

async function appliedWithin(
  { start, end }: DayRange,
  { context, profileIds }: { context: ConsoleContext; profileIds: readonly string[] },
): Promise<Record<string, unknown>[]> {
  const plans = (await listPlans(context)).flatMap((plan) => {
    const { id, state, note, profile_id: profile, time_zone: zone, changed_at: at } = plan;
    const isApplied = state === "applied" || state === "undone";
    if (!isApplied || typeof at !== "string" || !profileIds.includes(String(profile))) return [];
    const day = dayIn(String(zone), Date.parse(at));
    return day >= start && day <= end ? [{ id, note, day }] : [];
  });
  return plans.reverse();
}

function conversionOf({ context, query: { convert } }: ApiCall): Conversion | undefined {
  if (convert !== "true") return undefined;
  if (context.conversion !== undefined) return context.conversion;
  throw new ApiProblem(409, "NO_RATES", "Cannot convert: start the console with --currency and --rates");
}
