/**
 * Sets bids by the hour of a sheet with `keyword_id`, `base`, `hour` (0 to 23, in the profile's time zone) and `factor`:
 * 0.7 is 30 % less than the base.
 *
 *     adsctl auto script docs/examples/scripts/dayparting.ts -m US --data hours.csv --every 1h
 *
 * For schedules that put bases back by themselves, see `adsctl auto start`.
 */
import type { ScriptContext } from "@platform/ads/scripts";

export default async function ({ profile, data, log, alert }: ScriptContext): Promise<void> {
  const { timeZone } = profile;
  const hour = new Intl.DateTimeFormat("en", { hour: "numeric", hourCycle: "h23", timeZone }).format();
  const rows = data.filter((row) => Number(row["hour"]) === Number(hour));
  if (rows.length === 0) return log(`Nothing is written for hour ${hour} (${timeZone})`);
  const update = rows.map(({ keyword_id: keywordId, base, factor }) => ({
    keywordId,
    bid: Math.round(Number(base) * Number(factor) * 100) / 100,
  }));
  const wrong = update.filter(({ keywordId, bid }) => !keywordId || !(bid > 0));
  if (wrong.length > 0) {
    return alert({
      title: `${wrong.length} rows of hour ${hour} have no keyword or no bid: nothing was planned`,
    });
  }
  const plan = await profile.plan({
    kind: "sp.keywords",
    update,
    note: `Bids of hour ${hour} (${timeZone})`,
  });
  log(`${update.length} bids wanted, ${plan.changes} to change, ${plan.missing.length} not found`);
}
