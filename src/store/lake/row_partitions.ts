import { normalizeCountry } from "../../base/markets/markets.ts";
import { addDays, type DayRange, eachDay, endOfMonth, startOfMonth } from "../../base/time/calendar.ts";
import type { Coverage } from "../model/coverage.ts";
import type { RowFilter } from "../model/store_driver.ts";

const KEYS = ["country_code", "profile_id", "month", "date"] as const;

type PartitionKey = typeof KEYS[number];

interface Partition {
  /** Names of folders such as `month=2026-09`, outermost first. */
  readonly folders: readonly string[];
  readonly filter: RowFilter;
}

/** @throws {RangeError} for a word that is not a key. */
export function partitionKeys(words: readonly string[]): PartitionKey[] {
  return words.map((word) => {
    const key = KEYS.find((each) => each === word.replaceAll("-", "_"));
    if (key !== undefined) return key;
    throw new RangeError(`Cannot partition rows by "${word}": expected one of ${KEYS.join(", ")}`);
  });
}

/** Divides the rows of a report by keys: no row is in two partitions, and a filter narrows each of them. */
export function rowPartitions(
  lines: readonly Coverage[],
  keys: readonly PartitionKey[],
  filter: RowFilter,
): Partition[] {
  const found = new Map<string, Partition>();
  for (const { countryCode, profileId, firstDay, lastDay } of lines) {
    if (filter.profileId !== undefined && filter.profileId !== profileId) continue;
    if (filter.countryCode !== undefined && normalizeCountry(filter.countryCode) !== countryCode) continue;
    const start = filter.start !== undefined && filter.start > firstDay ? filter.start : firstDay;
    const end = filter.end !== undefined && filter.end < lastDay ? filter.end : lastDay;
    for (const days of dayRanges({ start, end }, keys)) {
      const values = {
        country_code: countryCode,
        profile_id: profileId,
        month: days.start.slice(0, 7),
        date: days.start,
      };
      const folders = keys.map((key) => `${key}=${values[key]}`);
      found.set(folders.join("/"), {
        folders,
        filter: {
          ...filter,
          ...(keys.includes("country_code") ? { countryCode } : {}),
          ...(keys.includes("profile_id") ? { profileId } : {}),
          ...(keys.includes("month") || keys.includes("date") ? within(days, filter) : {}),
        },
      });
    }
  }
  return [...found].sort(([a], [b]) => a < b ? -1 : 1).map(([, partition]) => partition);
}

function dayRanges(range: DayRange, keys: readonly PartitionKey[]): DayRange[] {
  if (range.start > range.end) return [];
  if (keys.includes("date")) return [...eachDay(range)].map((day) => ({ start: day, end: day }));
  if (!keys.includes("month")) return [range];
  const months: DayRange[] = [];
  for (let start = startOfMonth(range.start); start <= range.end;) {
    const end = endOfMonth(start);
    months.push({ start, end });
    start = addDays(end, 1);
  }
  return months;
}

function within({ start, end }: DayRange, filter: RowFilter): DayRange {
  return {
    start: filter.start !== undefined && filter.start > start ? filter.start : start,
    end: filter.end !== undefined && filter.end < end ? filter.end : end,
  };
}
