import { addDays, type DayRange, eachDay } from "../../../internal/calendar.ts";
import { normalizeCountry } from "../../../markets.ts";
import type { Coverage } from "../../../store/coverage.ts";
import type { RowFilter } from "../../../store/store_driver.ts";
import { UsageError } from "../../core/errors/cli_error.ts";

const KEYS = ["country_code", "profile_id", "month", "date"] as const;

/** Column by which rows are partitioned. */
type PartitionKey = typeof KEYS[number];

/** The rows of one file. */
interface Partition {
  /** Folders above the file, as `month=2026-09`. */
  readonly folders: readonly string[];
  /** Its rows. */
  readonly filter: RowFilter;
}

/**
 * Reads the keys of partitions.
 *
 * @throws {UsageError} for one that is unknown.
 */
export function partitionKeys(words: readonly string[]): PartitionKey[] {
  return words.map((word) => {
    const key = KEYS.find((each) => each === word.replaceAll("-", "_"));
    if (key !== undefined) return key;
    throw new UsageError(`Cannot part rows by "${word}": expected one of ${KEYS.join(", ")}`);
  });
}

/** The partitions of what is stored, by the keys, in order. */
export function partitions(
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

/** A month or a day at a time; the whole range where neither is a key. */
function dayRanges(range: DayRange, keys: readonly PartitionKey[]): DayRange[] {
  if (range.start > range.end) return [];
  if (keys.includes("date")) return [...eachDay(range)].map((day) => ({ start: day, end: day }));
  if (!keys.includes("month")) return [range];
  const months: DayRange[] = [];
  for (let start = `${range.start.slice(0, 7)}-01`; start <= range.end;) {
    const next = `${addDays(start, 31).slice(0, 7)}-01`;
    months.push({ start, end: addDays(next, -1) });
    start = next;
  }
  return months;
}

function within({ start, end }: DayRange, filter: RowFilter): DayRange {
  return {
    start: filter.start !== undefined && filter.start > start ? filter.start : start,
    end: filter.end !== undefined && filter.end < end ? filter.end : end,
  };
}
