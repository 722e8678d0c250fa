import { addDays, dayIn } from "../../../src/base/time/calendar.ts";
import { Warehouse } from "../../../src/store/mod.ts";
import type { ConsoleWorld } from "./console_world.ts";

/** Stores so many days of campaign figures of the United States, with a gap of one day in the middle. */
export async function fillStore(
  { us, storePlace, time }: Pick<ConsoleWorld, "us" | "storePlace" | "time">,
  days = 60,
): Promise<void> {
  const campaigns = (await us.sp.campaigns.list({ states: ["ENABLED"] })).slice(0, 6);
  const today = dayIn(us.timeZone, time.now());
  const { profileId, countryCode } = us;
  const store = await Warehouse.open(storePlace, { now: time.now });
  const ranges = [[-days, -Math.ceil(days / 2) - 2], [-Math.ceil(days / 2), -1]] as const;
  for (const [first, last] of ranges) {
    const rows = Array.from({ length: last - first + 1 }, (_, at) => addDays(today, first + at)).flatMap((
      date,
      day,
    ) =>
      campaigns.map(({ campaignId, name }, index) => {
        const cost = 20 + index * 9 + 8 * Math.sin((day + index) / 4) + (day * 7 % 5);
        return {
          date,
          campaignId,
          campaignName: name,
          impressions: Math.round(cost * 90),
          clicks: Math.round(cost * 1.4),
          cost: Math.round(cost * 100) / 100,
          sales14d: Math.round(cost * (3.1 + Math.sin(day / 6)) * 100) / 100,
          purchases14d: Math.round(cost / 9),
        };
      })
    );
    const range = { start: addDays(today, first), end: addDays(today, last) };
    await store.replace({ profileId, countryCode, report: "sp_campaigns", ...range }, rows);
  }
  await store.close();
}
