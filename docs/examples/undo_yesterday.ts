/**
 * Undoes the changes of bids and states since a moment (yesterday, when none is given), whoever made them.
 *
 *     deno run -A docs/examples/undo_yesterday.ts --demo US
 *     deno run -A docs/examples/undo_yesterday.ts --demo --since=2026-11-01T00:00:00Z US
 *
 * Ends in a plan file: look at it, then `adsctl plan apply`.
 */
import process from "node:process";
import { connect } from "./connect.ts";

const args = process.argv.slice(2);
const since = args.find((arg) => arg.startsWith("--since="))?.slice("--since=".length);
const { client, close } = await connect(args, "US");
try {
  const from = since === undefined ? new Date(Date.now() - 86_400_000) : new Date(since);
  const plan = await client.history.rollbackPlan(from, {
    note: `Undo everything since ${from.toISOString()}`,
  });
  for (const warning of plan.warnings) console.log(`warning: ${warning}`);
  console.log(`${plan.changes.length} changes would go back to what they were`);
  console.log(`Plan: ${await plan.save(process.env["PLAN_DIR"] ?? "plans/")}`);
} finally {
  await close();
}
