/**
 * Keeps away search terms that were clicked again and again and never bought: one exact negative keyword for each, in
 * the ad group that paid for the clicks.
 *
 *     deno run -A docs/examples/negatives_from_search_terms.ts --demo US
 *
 * Ends in a plan file: look at it, then `adsctl plan apply`.
 */
import process from "node:process";
import { checkKeywordText, type ReportRow } from "@platform/ads";
import { connect } from "./connect.ts";

const args = process.argv.slice(2);
const FEWEST_CLICKS = 10;
const DAYS_UNTIL_COUNTED = 14;
const DAY = 86_400_000;
const MATCH = "NEGATIVE_EXACT";

const { client, close } = await connect(args, "US");
try {
  const end = new Date(Date.parse(client.reports.today) - DAYS_UNTIL_COUNTED * DAY);
  const start = new Date(end.getTime() - 30 * DAY);
  const rows = await client.reports.run("sp_search_terms", day(start), day(end), { timeUnit: "SUMMARY" });

  // One term can be found by several keywords of an ad group: their clicks belong together.
  const terms = Map.groupBy(rows, ({ adGroupId, searchTerm }) => `${adGroupId} ${searchTerm}`);
  const fruitless = [...terms.values()].filter((term) =>
    sum(term, "clicks") >= FEWEST_CLICKS && sum(term, "purchases14d") === 0
  );

  // What a shopper looked at, not typed, stands in the report as a product id. And a term that is a keyword itself is
  // that keyword's affair: pause_spenders.ts.
  const typed = fruitless.filter((term) =>
    term.every(({ keyword, searchTerm }) => keyword !== searchTerm && !/^b0\w{8}$/i.test(String(searchTerm)))
  ).map(([row]) => row!);
  const adGroupIds = [...new Set(typed.map(({ adGroupId }) => String(adGroupId)))];
  const present = typed.length === 0 ? [] : await client.sp.negativeKeywords.list({ adGroupIds });
  const known = new Set(
    present.map(({ adGroupId, keywordText }) => `${adGroupId} ${keywordText.toLowerCase()}`),
  );

  const created = typed.flatMap(({ campaignId, adGroupId, searchTerm }) => {
    const keywordText = String(searchTerm);
    if (known.has(`${adGroupId} ${keywordText}`)) return [];
    const findings = checkKeywordText(keywordText, { matchType: MATCH, marketplace: client.countryCode });
    for (const { message } of findings) console.log(`Left out "${keywordText}": ${message}`);
    if (findings.length > 0) return [];
    const place = { campaignId: String(campaignId), adGroupId: String(adGroupId) };
    return [{ ...place, keywordText, matchType: MATCH, state: "ENABLED" }];
  });

  const plan = await client.sp.negativeKeywords.planCreate(created, {
    note: `${FEWEST_CLICKS} clicks or more from ${day(start)} to ${day(end)}, no order`,
  });
  console.log(
    `${terms.size} search terms, ${fruitless.length} clicked and never bought, ${plan.changes.length} to keep away`,
  );
  console.log(`Plan: ${await plan.save(process.env["PLAN_DIR"] ?? "plans/")}`);
} finally {
  await close();
}

function sum(rows: readonly ReportRow[], column: string): number {
  return rows.reduce((total, row) => total + Number(row[column]), 0);
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
