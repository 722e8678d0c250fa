import { addDays, dayIn } from "../../internal/calendar.ts";
import { timeZoneOf } from "../../markets.ts";
import { countedDays } from "../../reports/fields/preset_sources.ts";
import { timeLimits } from "../../reports/fields/field_periods.ts";
import { type DatasetLayout, datasetLayout } from "../stream/dataset_layout.ts";
import { profileAccounts } from "../stream/profile_accounts.ts";
import type { DatasetRows } from "../stream/stream_tables.ts";
import { type FieldsParts, pullFields } from "./fields_pull.ts";
import { HOUR_FIELDS, hourRecords, unstoredProduct } from "./hour_records.ts";
import type { SyncOutcome } from "./sync_result.ts";

/** Records of a dataset, whose layout is known by its name. */
type NamedRows = readonly [dataset: string, rows: DatasetRows["rows"]];

/**
 * Stores the last 14 days of a profile by hour, of reporting 1, in the tables that the stream fills: by campaign and ad
 * group. Hours in which the stream has impressions are left to it.
 *
 * @returns the outcome, failures included; `undefined` where the days that are wanted are older.
 */
export async function syncHours(parts: FieldsParts): Promise<SyncOutcome | undefined> {
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
  const made = { account, days: countedDays(profile?.accountInfo?.type), receivedAt: parts.now() };
  const unstored = new Map<string, number>();
  return await pullFields<NamedRows>(parts, {
    name: "hours",
    fields: HOUR_FIELDS,
    range: { start, end },
    today,
    recordsOf: (rows) => {
      for (const product of rows.flatMap((row) => unstoredProduct(row) ?? [])) {
        unstored.set(product, (unstored.get(product) ?? 0) + 1);
      }
      return hourRecords(rows, made).map(({ layout, rows }) => [layout.dataset, rows] as const);
    },
    store: async (records) => {
      for (const [product, count] of unstored) {
        onWarning?.(
          `${countryCode} hours ${start} to ${end}: ${count} ${
            count === 1 ? "row" : "rows"
          } of ad product ${product} not stored. ` +
            "The tables of hours hold Sponsored Products, Brands and Display",
        );
      }
      const { stream } = parts.driver;
      await stream.putAccounts([account]);
      return await stream.putHours({ profileId, start, end, records: () => withLayouts(records()) });
    },
  });
}

async function* withLayouts(records: AsyncIterable<NamedRows>): AsyncGenerator<DatasetRows> {
  for await (const [dataset, rows] of records) {
    const layout: DatasetLayout | undefined = datasetLayout(dataset);
    if (layout !== undefined) yield { layout, rows };
  }
}
