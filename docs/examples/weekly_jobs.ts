/**
 * The jobs of every week as one plan: bids, harvested search terms, negatives and budgets.
 *
 *     deno run -A docs/examples/weekly_jobs.ts --demo CA
 *
 * Ends in a plan file: look at it, then `adsctl plan apply`.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";
import { ChangePlan } from "@platform/ads";
import { countReasons, planBids, planBudgets, planHarvest, planNegatives } from "@platform/ads/account";
import { Warehouse } from "@platform/ads/store";
import { connect } from "./connect.ts";

const args = process.argv.slice(2);
const MAP = [{ source: "Knife Set auto", target: "Knife Set exact", bid: 0.7 }];

const { client, close } = await connect(args, "CA");
await using store = await Warehouse.open(`${mkdtempSync(`${tmpdir()}/ads-`)}/ads.sqlite`);
try {
  const jobs = {
    bids: await planBids(client, {
      store,
      where: "acos30d < 0.10 && clicks30d >= 25",
      change: "+10%",
      max: 2.5,
    }),
    harvest: await planHarvest(client, { store, map: MAP, minOrders: 2 }),
    negatives: await planNegatives(client, { store, minClicks: 15, maxOrders: 0 }),
    budgets: await planBudgets(client, { store, change: "+20%", max: 60 }),
  };
  for (const [name, { plan, considered, leftOut }] of Object.entries(jobs)) {
    console.log(`${name}: ${considered} looked at, ${plan.changes.length} changes`, countReasons(leftOut));
  }
  const plan = ChangePlan.merge(Object.values(jobs).map((job) => job.plan));
  console.log(`${plan.changes.length} changes in one plan`);
  console.log(`Plan: ${await plan.save(process.env["PLAN_DIR"] ?? "plans/")}`);
} finally {
  await close();
}
