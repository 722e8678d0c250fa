import { idKey } from "../../base/json/id_of.ts";
import { timeZoneOf } from "../../base/markets/markets.ts";
import { addDays, type Day, dayIn, startOfDay, zonedDateTime } from "../../base/time/calendar.ts";
import { hourOf, timeLimits } from "../../client/reports/field_periods.ts";
import { countedDays, TARGET_FIELDS, unjoinedText } from "../../client/reports/preset_sources.ts";
import { type EntitiesByKind, TargetIds } from "../../client/reports/target_ids.ts";
import type { ReportRow } from "../../client/reports/file/report_row.ts";
import { type DatasetLayout, datasetLayout } from "../model/dataset_layout.ts";
import type { Cell } from "../model/encode_rows.ts";
import { profileAccounts } from "../model/profile_accounts.ts";
import { REPORTED } from "../model/reported_hours.ts";
import type { DatasetRows, StreamAccount } from "../model/stream_tables.ts";
import { type FieldsParts, pullFields } from "./fields_pull.ts";
import type { SyncOutcome } from "./sync_result.ts";

interface HoursParts extends FieldsParts {
  readonly targets: (adProduct: string) => Promise<EntitiesByKind>;
}

/**
 * Covers the last 14 days, in the stream's tables. Keyword and target ids are looked up by text. Hours with streamed
 * impressions are left to the stream.
 *
 * @returns `undefined` when the wanted days are older.
 */
export async function syncHours(parts: HoursParts): Promise<SyncOutcome | undefined> {
  const { profile: { profileId, countryCode, profile, transport }, options } = parts;
  const timeZone = timeZoneOf({ countryCode, timezone: profile?.timezone });
  const today = dayIn(timeZone, transport.now());
  const first = timeLimits(HOUR_FIELDS, today).firstDay ?? today;
  const { start: wanted = first, onWarning } = options;
  const yesterday = addDays(today, -1);
  // Hours of today are judged as they come, which only the stream does.
  const end = options.end === undefined || options.end > yesterday ? yesterday : options.end;
  if (wanted < first) onWarning?.(`Hours before ${first} are not kept by the platform and not asked for`);
  const start = wanted < first ? first : wanted;
  if (start > end) return undefined;
  const [account] = profileAccounts([
    { profileId, countryCode, timezone: timeZone, accountInfo: profile?.accountInfo ?? {} },
  ]);
  if (account === undefined) {
    const error = new TypeError(
      "Cannot store hours: the profile's record has no ids of its account and marketplace",
    );
    const about = { profileId, countryCode, report: "hours", start, end, reportId: null };
    return { ...about, state: "failed", resumed: false, rows: 0, error };
  }
  const counts = new Map<unknown, number>();
  const warn = (text: string): void => onWarning?.(`${countryCode} hours ${start} to ${end}: ${text}`);
  return await pullFields<readonly ReportRow[]>(parts, {
    name: "hours",
    fields: HOUR_FIELDS,
    range: { start, end },
    today,
    recordsOf: (rows) => {
      for (const { ["adProduct.value"]: product = null } of rows) {
        counts.set(product, (counts.get(product) ?? 0) + 1);
      }
      return [rows];
    },
    store: async (batches) => {
      const ids = new Map<unknown, TargetIds>();
      let all = 0;
      for (const [product, count] of counts) {
        if (!PRODUCTS.has(product)) {
          warn(
            `${count} ${count === 1 ? "row" : "rows"} of ad product ${JSON.stringify(product)} not stored. ` +
              "Hourly tables hold only Sponsored Products, Brands and Display",
          );
          continue;
        }
        all += count;
        ids.set(product, new TargetIds(String(product), await parts.targets(String(product))));
      }
      let unjoined = 0;
      const made = {
        ...{ account, days: countedDays(profile?.accountInfo?.type), receivedAt: parts.now(), ids },
        onUnjoined: () => void unjoined++,
      };
      const { stream } = parts.driver;
      await stream.putAccounts([account]);
      const stored = await stream.putHours({
        profileId,
        start,
        end,
        records: async function* () {
          unjoined = 0;
          for await (const rows of batches()) yield* hourRecords(rows, made);
        },
      });
      if (unjoined > 0) warn(unjoinedText(unjoined, all));
      return stored;
    },
  });
}

const HOUR = 3_600_000;

const HOUR_FIELDS = [
  "date.value",
  "hour.value",
  "adProduct.value",
  "campaign.id",
  "adGroup.id",
  TARGET_FIELDS.value,
  TARGET_FIELDS.matchType,
  "budgetCurrency.value",
  "metric.impressions",
  "metric.clicks",
  "metric.totalCost",
  "metric.purchases",
  "metric.sales",
] as const;

const PRODUCTS: ReadonlyMap<unknown, string> = new Map([
  ["SPONSORED_PRODUCTS", "sp"],
  ["SPONSORED_BRANDS", "sb"],
  ["SPONSORED_DISPLAY", "sd"],
]);

interface HourRecordsOptions {
  readonly account: StreamAccount;
  /** Attribution window of Sponsored Products, in days. */
  readonly days: number;
  readonly receivedAt: number;
  readonly ids: ReadonlyMap<unknown, Pick<TargetIds, "find">>;
  readonly onUnjoined?: () => void;
}

export function hourRecords(
  rows: readonly ReportRow[],
  { account, days, receivedAt, ids, onUnjoined }: HourRecordsOptions,
): DatasetRows[] {
  const groups = new Map<DatasetLayout, Cell[][]>();
  const clock = new HourClock(account.timeZone);
  const add = (
    dataset: string,
    { row, target, figures }: {
      row: ReportRow;
      target: TargetCells;
      figures: Readonly<Record<string, Cell>>;
    },
  ): void => {
    const layout = datasetLayout(dataset);
    if (layout === undefined || Object.values(figures).every((figure) => !figure)) return;
    const [date, hour] = [String(row["date.value"]).slice(0, 10), hourOf(row["hour.value"])];
    const [campaignId, adGroupId] = [idKey(row, "campaign.id"), idKey(row, "adGroup.id")];
    const startsAt = clock.startOf(date, hour);
    const fields: Readonly<Record<string, Cell>> = {
      campaign_id: campaignId,
      ad_group_id: adGroupId,
      currency: String(row["budgetCurrency.value"] ?? ""),
      ...target,
      ...figures,
    };
    const { keyword_text: text, match_type: matchType } = target;
    const cells: Cell[] = [
      // Two texts may be those of one target: they are two records.
      [REPORTED, account.profileId, startsAt, campaignId, adGroupId, matchType, text].join(" "),
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
    const target = targetCells(row, ids);
    if (target.keyword_id === null && target.keyword_text !== null) onUnjoined?.();
    const traffic = {
      impressions: figure("impressions"),
      clicks: figure("clicks"),
      cost: figure("totalCost"),
    };
    add(`${product}-traffic`, { row, target, figures: traffic });
    const window = product === "sp" ? days : 14;
    if (product === "sd") continue;
    const purchases = {
      [`attributed_conversions_${window}d`]: figure("purchases"),
      [`attributed_sales_${window}d`]: figure("sales"),
    };
    add(`${product}-conversion`, { row, target, figures: purchases });
  }
  return Array.from(groups, ([layout, cells]) => ({ layout, rows: cells }));
}

type TargetCells =
  & Readonly<Record<"keyword_id" | "keyword_text" | "match_type", string | null>>
  & Readonly<Record<string, Cell>>;

function targetCells(row: ReportRow, ids: HourRecordsOptions["ids"]): TargetCells {
  const textOf = (value: unknown): string | null =>
    value === null || value === undefined || value === "" ? null : String(value);
  const [text, matchType] = [textOf(row[TARGET_FIELDS.value]), textOf(row[TARGET_FIELDS.matchType])];
  const id = ids.get(row["adProduct.value"])?.find(row["adGroup.id"], text, matchType) ?? null;
  return {
    keyword_id: id,
    target_id: id,
    keyword_text: text,
    targeting_text: text,
    match_type: matchType,
    keyword_type: matchType,
  };
}

class HourClock {
  readonly #timeZone: string;
  readonly #days = new Map<Day, ReadonlyMap<number, number>>();

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  startOf(day: Day, hour: number): number {
    let hours = this.#days.get(day);
    if (hours === undefined) this.#days.set(day, hours = this.#hoursOf(day));
    return hours.get(hour) ?? hours.get(hour + 1) ?? startOfDay(day, this.#timeZone);
  }

  #hoursOf(day: Day): ReadonlyMap<number, number> {
    const hours = new Map<number, number>();
    const end = startOfDay(addDays(day, 1), this.#timeZone);
    for (let at = startOfDay(day, this.#timeZone); at < end; at += HOUR) {
      const { hour } = zonedDateTime(at, this.#timeZone);
      if (!hours.has(hour)) hours.set(hour, at);
    }
    return hours;
  }
}
