import { addDays, type Day, dayIn, startOfDay } from "../../internal/calendar.ts";
import { timeZoneOf } from "../../markets.ts";
import { countedDays } from "../../reports/fields/preset_sources.ts";
import { hourOf, timeLimits } from "../../reports/fields/field_periods.ts";
import { fieldsRows, type FieldsRowsOptions } from "../../reports/fields/run_fields.ts";
import type { ReportRow } from "../../reports/report_row.ts";
import type { ProfileScope } from "../../transport/profile_scope.ts";
import type { Cell } from "../encode_rows.ts";
import type { StoreDriver } from "../store_driver.ts";
import { type DatasetLayout, datasetLayout } from "../stream/dataset_layout.ts";
import { localHour } from "../stream/local_hour.ts";
import { profileAccounts } from "../stream/profile_accounts.ts";
import { REPORTED } from "../stream/reported_hours.ts";
import type { DatasetRows, StreamAccount } from "../stream/stream_tables.ts";
import type { SyncOptions, SyncProgress } from "./sync_options.ts";
import type { SyncProfile } from "./sync_profile.ts";
import type { SyncOutcome } from "./sync_result.ts";

/** Name in place of a report for the hours of a profile. */
const HOURS = "hours";
const HOUR = 3_600_000;

const FIELDS = [
  "date.value",
  "hour.value",
  "adProduct.value",
  "campaign.id",
  "adGroup.id",
  "budgetCurrency.value",
  "metric.impressions",
  "metric.clicks",
  "metric.totalCost",
  "metric.purchases",
  "metric.sales",
] as const;

/** Parts of a pull of hours. */
interface HoursParts {
  /** The store. */
  readonly driver: StoreDriver;
  /** Milliseconds since the epoch, for when records were received. */
  readonly now: () => number;
  /** Profile of the hours; its record names the account. */
  readonly profile: SyncProfile;
  /** The profile, its requests taking turns. */
  readonly scope: ProfileScope;
  /** Options of the sync. */
  readonly options: SyncOptions;
}

/**
 * Stores the last 14 days of a profile by hour, of reporting 1, in the tables that the stream fills: by campaign and ad
 * group. Hours in which the stream has impressions are left to it.
 *
 * @returns the outcome, failures included; `undefined` where the days that are wanted are older.
 */
export async function syncHours(parts: HoursParts): Promise<SyncOutcome | undefined> {
  const { profile: { profileId, countryCode, profile, transport }, options } = parts;
  const timeZone = timeZoneOf({ countryCode, timezone: profile?.timezone });
  const today = dayIn(timeZone, transport.now());
  const first = timeLimits(FIELDS, today).firstDay ?? today;
  const { start: wanted = first, onWarning, onProgress, signal, timeout, poll, maxPoll } = options;
  const yesterday = addDays(today, -1);
  // Hours of today are judged as they come, which only the stream does.
  const end = options.end === undefined || options.end > yesterday ? yesterday : options.end;
  if (wanted < first) onWarning?.(`Hours before ${first} are not kept by the platform and not asked for`);
  const start = wanted < first ? first : wanted;
  if (start > end) return undefined;
  let reportId: string | null = null;
  const about = { profileId, countryCode, report: HOURS, start, end };
  const tell = (kind: SyncProgress["kind"], more: Partial<SyncProgress> = {}): void =>
    onProgress?.({ kind, ...about, reportId, status: "asking", seconds: 0, rows: 0, ...more });
  const outcome = (state: SyncOutcome["state"], rows: number, error?: Error): SyncOutcome => {
    tell(state, { rows });
    return { ...about, reportId, state, resumed: false, rows, ...error === undefined ? {} : { error } };
  };
  tell("planned");
  try {
    const [account] = profileAccounts([
      { profileId, countryCode, timezone: timeZone, accountInfo: profile?.accountInfo ?? {} },
    ]);
    if (account === undefined) {
      throw new TypeError(
        "Cannot store hours: the profile's record has no ids of its account and marketplace",
      );
    }
    const rows: ReportRow[] = [];
    const running: FieldsRowsOptions = {
      today,
      signal,
      timeout,
      ...(poll === undefined ? {} : { poll }),
      ...(maxPoll === undefined ? {} : { maxPoll }),
      onProgress: ({ kind, status, seconds, reportId: id }) => {
        reportId = id;
        if (kind === "waiting") tell("waiting", { status, seconds });
        else if (kind === "requested") tell("asked");
      },
    };
    const report = { fields: FIELDS, start, end };
    for await (const batch of fieldsRows(parts.scope, report, running)) rows.push(...batch);
    if (rows.length === 0) {
      onWarning?.(`${countryCode} hours ${start} to ${end}: the report has no rows, so stored hours stay`);
      return outcome("stored", 0);
    }
    for (const [product, count] of otherRows(rows)) {
      onWarning?.(
        `${countryCode} hours ${start} to ${end}: ${count} ${
          count === 1 ? "row" : "rows"
        } of ad product ${product} not stored. ` +
          "The tables of hours hold Sponsored Products, Brands and Display",
      );
    }
    const days = countedDays(profile?.accountInfo?.type);
    const records = hourRecords(rows, { account, days, receivedAt: parts.now() });
    await parts.driver.stream.putAccounts([account]);
    const stored = await parts.driver.stream.putHours({ profileId, start, end, records });
    return outcome("stored", stored);
  } catch (error) {
    return outcome(signal?.aborted ? "left" : "failed", 0, error as Error);
  }
}

/** Ad products by the first part of the names of their datasets. */
const PRODUCTS: ReadonlyMap<unknown, string> = new Map([
  ["SPONSORED_PRODUCTS", "sp"],
  ["SPONSORED_BRANDS", "sb"],
  ["SPONSORED_DISPLAY", "sd"],
]);

/** Number of rows of each ad product that has no table of hours. */
function otherRows(rows: readonly ReportRow[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { ["adProduct.value"]: product } of rows) {
    if (PRODUCTS.has(product)) continue;
    const name = JSON.stringify(product ?? null);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Rows of a report by hour as records of the stream's datasets; purchases of Display are not among them. */
export function hourRecords(
  rows: readonly ReportRow[],
  { account, days, receivedAt }: { account: StreamAccount; days: number; receivedAt: number },
): DatasetRows[] {
  const groups = new Map<DatasetLayout, Cell[][]>();
  const clock = new HourClock(account.timeZone);
  const add = (dataset: string, row: ReportRow, figures: Readonly<Record<string, Cell>>): void => {
    const layout = datasetLayout(dataset);
    if (layout === undefined || Object.values(figures).every((figure) => !figure)) return;
    const [date, hour] = [String(row["date.value"]).slice(0, 10), hourOf(row["hour.value"])];
    const [campaignId, adGroupId] = [String(row["campaign.id"]), String(row["adGroup.id"] ?? "")];
    const startsAt = clock.startOf(date, hour);
    const fields: Readonly<Record<string, Cell>> = {
      campaign_id: campaignId,
      ad_group_id: adGroupId,
      currency: String(row["budgetCurrency.value"] ?? ""),
      ...figures,
    };
    const cells: Cell[] = [
      [REPORTED, account.profileId, startsAt, campaignId, adGroupId].join(" "),
      account.advertiserId,
      account.marketplaceId,
      account.profileId,
      date,
      hour,
      startsAt,
      REPORTED,
      receivedAt,
      ...layout.columns.map(({ name }) => fields[name] ?? null),
      null,
    ];
    const group = groups.get(layout);
    if (group === undefined) groups.set(layout, [cells]);
    else group.push(cells);
  };
  for (const row of rows) {
    const product = PRODUCTS.get(row["adProduct.value"]);
    if (product === undefined) continue;
    const figure = (name: string): number => Number(row[`metric.${name}`] ?? 0);
    add(`${product}-traffic`, row, {
      impressions: figure("impressions"),
      clicks: figure("clicks"),
      cost: figure("totalCost"),
    });
    const window = product === "sp" ? days : 14;
    if (product === "sd") continue;
    add(`${product}-conversion`, row, {
      [`attributed_conversions_${window}d`]: figure("purchases"),
      [`attributed_sales_${window}d`]: figure("sales"),
    });
  }
  return Array.from(groups, ([layout, cells]) => ({ layout, rows: cells }));
}

/** Moments at which the hours of days begin in a time zone. */
class HourClock {
  readonly #timeZone: string;
  readonly #days = new Map<Day, ReadonlyMap<number, number>>();

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  /** When an hour begins; of one that comes twice the first, of one that the clock skips the moment of the change. */
  startOf(day: Day, hour: number): number {
    let hours = this.#days.get(day);
    if (hours === undefined) this.#days.set(day, hours = this.#hoursOf(day));
    return hours.get(hour) ?? hours.get(hour + 1) ?? startOfDay(day, this.#timeZone);
  }

  #hoursOf(day: Day): ReadonlyMap<number, number> {
    const hours = new Map<number, number>();
    const end = startOfDay(addDays(day, 1), this.#timeZone);
    for (let at = startOfDay(day, this.#timeZone); at < end; at += HOUR) {
      const { hour } = localHour(at, this.#timeZone);
      if (!hours.has(hour)) hours.set(hour, at);
    }
    return hours;
  }
}
