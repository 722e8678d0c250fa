/**
 * Brings keyword bids to the platform's suggestion, never above a cap and never by more than a quarter at once.
 *
 *     deno run -A docs/examples/bids_from_suggestions.ts --demo CA
 *
 * Ends in a plan file: look at it, then `adsctl plan apply`.
 */
import process from "node:process";
import { connect } from "./connect.ts";

const args = process.argv.slice(2);
const CAP = 2.5;
const LARGEST_STEP = 0.25;

const { client, close } = await connect(args, "CA");
try {
  const keywords = (await client.sp.keywords.list({ states: ["ENABLED"] }))
    .filter((keyword) => keyword.bid !== undefined)
    .slice(0, 200);
  const suggestions = await client.bids.forKeywords(keywords);

  const updates = keywords.flatMap(({ keywordId, bid }) => {
    const suggested = suggestions.get(keywordId)?.suggested;
    if (suggested === undefined) return [];
    const nearest = Math.min(Math.max(suggested, bid! * (1 - LARGEST_STEP)), bid! * (1 + LARGEST_STEP), CAP);
    return [{ keywordId, bid: Math.round(nearest * 100) / 100 }];
  });

  const plan = await client.sp.keywords.planUpdate(updates, { note: "Bids towards the suggestions" });
  console.log(
    `${keywords.length} keywords read, ${suggestions.size} answered, ${plan.changes.length} to change`,
  );
  console.log(`Plan: ${await plan.save(process.env["PLAN_DIR"] ?? "plans/")}`);
} finally {
  await close();
}
