import { idKey } from "../../base/json/id_of.ts";
import { addDays, type Day, dayIn, endOfMonth } from "../../base/time/calendar.ts";
import { timeZoneOf } from "../../base/markets/markets.ts";
import { timeLimits } from "../../client/reports/field_periods.ts";
import type { ReportRow } from "../../client/reports/file/report_row.ts";
import { RESTATE_DAYS } from "../model/maturity_share.ts";
import type { StoredMonth } from "../model/store_driver.ts";
import { type FieldsParts, pullFields } from "./fields_pull.ts";
import type { SyncOutcome } from "./sync_result.ts";

const FIELDS = [
  "year.value",
  "month.value",
  "adProduct.value",
  "campaign.id",
  "budgetCurrency.value",
  "metric.impressions",
  "metric.clicks",
  "metric.totalCost",
  "metric.purchases",
  "metric.sales",
] as const;

/**
 * The new reports provide months for six years. Pulls missing months and those that may have been restated.
 *
 * @returns `undefined` when no month is wanted.
 */
export async function syncMonths(parts: FieldsParts): Promise<SyncOutcome | undefined> {
  const { driver, profile: { profileId, countryCode, profile, transport }, options } = parts;
  const today = dayIn(timeZoneOf({ countryCode, timezone: profile?.timezone }), transport.now());
  const kept = monthFrom(timeLimits(FIELDS, today).firstDay ?? today);
  const { start: wanted = kept, end: last = today, onWarning } = options;
  if (wanted < kept) onWarning?.(`Months before ${kept} are not kept by the platform and not asked for`);
  const months = monthsBetween(
    wanted < kept ? kept : monthFrom(wanted),
    last < today ? last : addDays(today, -1),
  );
  const stored = await driver.storedMonths(profileId);
  const { restateDays = RESTATE_DAYS } = options;
  const open = months.filter((month) => {
    const pulledAt = stored.get(month);
    return pulledAt === undefined || pulledAt.slice(0, 10) <= addDays(endOfMonth(month), restateDays);
  });
  const [first, ...others] = open;
  if (first === undefined) return undefined;
  const range = { start: first, end: endOfMonth(others.at(-1) ?? first) };
  const pulled = new Set(monthsBetween(range.start, range.end));
  let unplaced = 0;
  return await pullFields<StoredMonth>(parts, {
    name: "months",
    fields: FIELDS,
    range,
    today,
    recordsOf: (rows) => {
      const placed = rows.map(storedMonth).filter(({ month }) => pulled.has(month));
      unplaced += rows.length - placed.length;
      return placed;
    },
    store: (records) => {
      if (unplaced > 0) {
        // Stored months stay: what cannot be read is no reason to delete what was.
        throw new TypeError(
          `Cannot store months: ${unplaced} rows of the report are outside the months ${range.start} to ${range.end}`,
        );
      }
      const months = [...pulled];
      return driver.replaceMonths({ profileId, countryCode, months, pulledAt: parts.now() }, records);
    },
  });
}

function storedMonth(row: ReportRow): StoredMonth {
  const number = (name: string): number => Number(row[name] ?? 0);
  return {
    month: monthOf(row["year.value"], row["month.value"]),
    adProduct: String(row["adProduct.value"] ?? ""),
    campaignId: idKey(row, "campaign.id"),
    currency: String(row["budgetCurrency.value"] ?? ""),
    impressions: number("metric.impressions"),
    clicks: number("metric.clicks"),
    cost: number("metric.totalCost"),
    orders: number("metric.purchases"),
    sales: number("metric.sales"),
  };
}

/** Parses a month as `8`, `2026-08` or `202608`, because the platform's format is unpublished. */
export function monthOf(year: unknown, month: unknown): Day {
  const whole = /^(\d{4})-?(\d{2})(?:\D|$)/.exec(String(month));
  const [, ofYear, number] = whole ?? [undefined, String(year), String(month)];
  return `${ofYear}-${String(number).padStart(2, "0")}-01`;
}

function monthsBetween(start: Day, end: Day): Day[] {
  const months: Day[] = [];
  for (let month = monthFrom(start); endOfMonth(month) <= end; month = addDays(endOfMonth(month), 1)) {
    months.push(month);
  }
  return months;
}

function monthFrom(day: Day): Day {
  return day.endsWith("-01") ? day : addDays(endOfMonth(day), 1);
}
