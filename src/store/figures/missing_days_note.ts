import { addDays, countDays, type DayRange, eachDay, isDay, joinDays } from "../../base/time/calendar.ts";
import { REPORT_PRESET_NAMES } from "../../client/reports/requests/presets.ts";
import type { Coverage } from "../model/coverage.ts";
import { reportsOfView } from "../views/performance_views.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

const NAMED = 6;

const FAR = 800;

interface WrittenQuery {
  readonly sql: string;
  readonly params?: readonly unknown[];
}

/**
 * Prevents sums over missing days from passing as complete. The range goes from the first to the last day in the
 * query, including placeholder values; a query without days is compared with all days of its reports. Views of several
 * products ignore reports that the profile never stored.
 */
export async function missingDaysNote(
  { sql, params = [] }: WrittenQuery,
  store: Pick<Warehouse, "coverage" | "profiles"> | undefined,
): Promise<string[]> {
  const words = new Set(sql.toLowerCase().match(/\w+/g));
  const named: string[] = REPORT_PRESET_NAMES.filter((name) => words.has(name));
  const read = new Set([...named, ...[...words].flatMap(reportsOfView)]);
  if (store === undefined || read.size === 0) return [];
  const texts = [...[...sql.matchAll(/'([^']*)'/g)].map(([, text = ""]) => text), ...params.map(String)];
  const mentioned = (await store.profiles()).filter(({ countryCode, profileId }) =>
    texts.includes(profileId) || texts.includes(countryCode)
  );
  const wanted = mentioned.map(({ profileId }) => profileId);
  const own = wanted.length === 0 ? [] : await store.coverage({ profileId: wanted, report: [...read] });
  const lacks = (lines: readonly Coverage[]): string[] =>
    named.filter((name) => !lines.some(({ report }) => report === name));
  // What these profiles do not have is either that of others, or was never stored.
  const isEnough = own.length > 0 && lacks(own).length === 0;
  const all = isEnough ? own : await store.coverage({ report: [...read] });
  const never = lacks(all);
  const notes = never.length === 0 ? [] : [`Nothing of ${never.join(", ")} was ever stored: sync it first`];

  const lines = own.length > 0 ? own : all;
  const lacking = lines.flatMap((line) => {
    const asked = askedDays(sql, texts, lines.filter(({ profileId }) => profileId === line.profileId));
    const missing = missingDays(line, asked);
    return missing.length === 0 ? [] : [{ line, asked, missing }];
  });
  if (lacking.length === 0) return notes;
  const told = lacking.slice(0, NAMED).map(({ line, asked, missing }) =>
    `${line.report} of ${line.countryCode} has ${countDays(asked) - total(missing)} of ${
      countDays(asked)
    } days, ` +
    `without ${rangesText(missing)}`
  );
  const more = lacking.length - told.length;
  return [
    ...notes,
    `Days that are not stored, so sums lack them: ${told.join("; ")}${
      more > 0 ? `; and ${more} more reports, see the coverage` : ""
    }`,
  ];
}

function askedDays(sql: string, texts: readonly string[], lines: readonly Coverage[]): DayRange {
  const firsts = lines.map(({ firstDay }) => firstDay).sort();
  const lasts = lines.map(({ lastDay }) => lastDay).sort();
  const [first = "", last = ""] = [firsts[0], lasts.at(-1)];
  const days = texts.filter(isDay).sort();
  if (days.length === 0) return { start: first, end: last };
  const hasStart = /\bdate"?\s*(>|=|between\b|in\b)/i.test(sql);
  const hasEnd = /\bdate"?\s*(<|=|between\b|in\b)/i.test(sql);
  const start = hasStart ? days[0]! : first;
  const end = hasEnd ? days.at(-1)! : last;
  // A bound far away, such as 9999-12-31, is an open one.
  const from = start < addDays(first, -FAR) ? first : start;
  const to = end > addDays(last, FAR) ? last : end;
  return { start: from, end: to < from ? from : to };
}

function missingDays({ firstDay, lastDay, gaps }: Coverage, asked: DayRange): DayRange[] {
  return joinDays(
    [...eachDay(asked)].filter((day) =>
      day < firstDay || day > lastDay || gaps.some(({ start, end }) => start <= day && day <= end)
    ),
  );
}

function total(ranges: readonly DayRange[]): number {
  return ranges.reduce((sum, range) => sum + countDays(range), 0);
}

function rangesText(ranges: readonly DayRange[]): string {
  const shown = ranges.slice(0, 3).map(({ start, end }) => start === end ? start : `${start} to ${end}`);
  return `${shown.join(", ")}${ranges.length > 3 ? " and others" : ""}`;
}
