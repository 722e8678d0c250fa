/**
 * Pauses keywords that cost money for a month and brought no order.
 *
 *     deno run -A docs/examples/pause_spenders.ts --demo US
 *     deno run -A docs/examples/pause_spenders.ts --demo --above=20 US
 *
 * An order counts up to 14 days after its click, so the month that is looked at ends a fortnight ago.
 * Ends in a plan file: look at it, then `adsctl plan apply`.
 */
import process from "node:process";
import { connect } from "./connect.ts";

const args = process.argv.slice(2);
const COST = 15;
const DAYS_UNTIL_COUNTED = 14;
const DAY = 86_400_000;

const above = Number(args.find((arg) => arg.startsWith("--above="))?.slice("--above=".length) ?? COST);
const { client, close } = await connect(args, "US");
try {
  const end = new Date(Date.parse(client.reports.today) - DAYS_UNTIL_COUNTED * DAY);
  const start = new Date(end.getTime() - 30 * DAY);
  const rows = await client.reports.run("sp_targeting", day(start), day(end), { timeUnit: "SUMMARY" });
  const spenders = rows.filter(({ cost, purchases14d }) =>
    Number(cost) > above && Number(purchases14d) === 0
  );

  // The report has product targets under the same column, and remembers states of that time: ask what is there now.
  const keywords = await client.sp.keywords.getMany(spenders.map(({ keywordId }) => String(keywordId)));
  const enabled = [...keywords.values()].filter(({ state }) => state === "ENABLED");

  const plan = await client.sp.keywords.planUpdate(
    enabled.map(({ keywordId }) => ({ keywordId, state: "PAUSED" })),
    { note: `More than ${above} spent from ${day(start)} to ${day(end)}, no order` },
  );
  console.log(
    `${rows.length} targets ran, ${spenders.length} cost more than ${above} without an order, ` +
      `${plan.changes.length} keywords to pause`,
  );
  console.log(`Plan: ${await plan.save(process.env["PLAN_DIR"] ?? "plans/")}`);
} finally {
  await close();
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
