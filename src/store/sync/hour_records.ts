import { idKey } from "../../base/json/id_of.ts";
import { addDays, type Day, startOfDay, zonedDateTime } from "../../base/time/calendar.ts";
import { hourOf } from "../../client/reports/fields/field_periods.ts";
import { TARGET_FIELDS } from "../../client/reports/fields/preset_sources.ts";
import type { TargetIds } from "../../client/reports/fields/target_ids.ts";
import type { ReportRow } from "../../client/reports/file/report_row.ts";
import type { Cell } from "../model/encode_rows.ts";
import { type DatasetLayout, datasetLayout } from "../model/dataset_layout.ts";
import { REPORTED } from "../model/reported_hours.ts";
import type { DatasetRows, StreamAccount } from "../model/stream_tables.ts";

const HOUR = 3_600_000;

export const HOUR_FIELDS = [
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

export function hasHours(product: unknown): boolean {
  return PRODUCTS.has(product);
}

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
