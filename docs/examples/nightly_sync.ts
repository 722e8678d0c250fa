/**
 * Brings a store of reports up to date, for cron: what is missing, and the days that the platform may have restated.
 *
 *     deno run -A docs/examples/nightly_sync.ts --demo US CA
 *     deno run -A docs/examples/nightly_sync.ts US CA DE      # a real account; all its profiles when none is named
 *
 * Exits with 1 when a report could not be had; the others are stored all the same, and the next run takes it up.
 */
import process from "node:process";
import { Warehouse } from "@platform/ads/store";
import { logIn } from "./connect.ts";

const args = process.argv.slice(2);
const REPORTS = ["sp_campaigns", "sp_search_terms"];

const markets = args.filter((arg) => !arg.startsWith("--"));
const { ads, close } = await logIn(args);
const store = await Warehouse.open(process.env["STORE"] ?? "ads.sqlite");
try {
  const chosen = markets.length > 0 ? markets : (await ads.profiles()).map(({ profileId }) => profileId);
  const profiles = await Promise.all(chosen.map((market) => ads.profile(market)));

  const result = await store.sync(profiles, {
    reports: REPORTS,
    onWarning: (message) => console.error(`warning: ${message}`),
  });
  console.log(result.summary());

  for (const { countryCode, report, firstDay, lastDay, rows, gaps } of await store.coverage()) {
    console.log(`${countryCode} ${report}: ${firstDay} to ${lastDay}, ${rows} rows, ${gaps.length} gaps`);
  }
  const { rows } = await store.query(
    `SELECT date, country_code, round(sum(cost), 2) AS cost, sum(purchases_14d) AS orders FROM sp_campaigns
     GROUP BY date, country_code ORDER BY date DESC, country_code LIMIT 10`,
  );
  console.table(rows);
  if (!result.ok) process.exitCode = 1;
} finally {
  await store.close();
  await close();
}
