import { addDays, dayIn } from "../../base/time/calendar.ts";
import { timeZoneOf } from "../../base/markets/markets.ts";
import { timeLimits } from "../../client/reports/fields/field_periods.ts";
import { countedDays, unjoinedText } from "../../client/reports/fields/preset_sources.ts";
import { type EntitiesByKind, TargetIds } from "../../client/reports/fields/target_ids.ts";
import type { ReportRow } from "../../client/reports/file/report_row.ts";
import { profileAccounts } from "../model/profile_accounts.ts";
import { type FieldsParts, pullFields } from "./fields_pull.ts";
import { hasHours, HOUR_FIELDS, hourRecords } from "./hour_records.ts";
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
        if (!hasHours(product)) {
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
