/**
 * The text of a weekly mail: what was spent and sold, against the week before, and the campaigns that moved most.
 *
 *     adsctl auto script docs/examples/scripts/weekly_mail.ts -m US 2>mail.txt
 */
import type { ScriptContext } from "@platform/ads/scripts";

export default async function ({ profile, log }: ScriptContext): Promise<void> {
  const [week] = await profile.figures({ from: "-21", to: "-15" });
  const [before] = await profile.figures({ from: "-28", to: "-22" });
  if (week === undefined || before === undefined) {
    return log("There are no figures of two weeks: adsctl sync");
  }
  const change = (now: number, then: number): string =>
    then === 0 ? "new" : `${now >= then ? "+" : ""}${Math.round((now / then - 1) * 100)} %`;
  log(`${profile.countryCode}, the newest week whose orders are complete, in ${profile.currencyCode}`);
  log(`Cost ${week.cost.toFixed(2)} (${change(week.cost, before.cost)})`);
  log(`Sales ${week.sales.toFixed(2)} (${change(week.sales, before.sales)})`);
  log(`ACOS ${week.acos === null ? "none" : `${(week.acos * 100).toFixed(1)} %`}`);
  const then = new Map(
    (await profile.figures({ by: ["campaign"], from: "-28", to: "-22" })).map((
      row,
    ) => [row["campaign_id"], row.cost]),
  );
  const moved = (await profile.figures({ by: ["campaign"], from: "-21", to: "-15" }))
    .map((row) => ({ name: row["campaign"], by: row.cost - (then.get(row["campaign_id"]) ?? 0) }))
    .sort((a, b) => Math.abs(b.by) - Math.abs(a.by)).slice(0, 5);
  for (const { name, by } of moved) log(`  ${by >= 0 ? "+" : ""}${by.toFixed(2)} ${name}`);
}
