import { join } from "node:path";
import { ChangePlan } from "../../../mod.ts";
import type { ConsoleWorld } from "./console_world.ts";

/** A saved plan of three bids, as a process leaves it that is killed after the first: with a journal and no result. */
export async function interruptedPlan({ us, plans }: ConsoleWorld): Promise<ChangePlan> {
  const keywords = (await us.sp.keywords.list({ states: ["ENABLED"] }))
    .filter(({ bid }) => bid !== undefined).slice(0, 3);
  const plan = await us.sp.keywords.planUpdate(
    keywords.map(({ keywordId, bid = 1 }) => ({ keywordId, bid: Math.round(bid * 110) / 100 })),
  );
  await plans.save(plan);
  const first = new ChangePlan({ ...plan, changes: plan.changes.slice(0, 1) });
  await plans.apply(first, us);
  const hidden = (name: string) => join(plans.path, ".plans", `plan-${plan.id}${name}`);
  for (const name of [".result.json", "-undo.json"]) await Deno.remove(hidden(name));
  const journal = await Deno.readTextFile(hidden(".journal.jsonl"));
  const lines = journal.trim().split("\n").slice(0, -1).join("\n");
  const text = lines.replace(first.fingerprint, plan.fingerprint);
  await Deno.writeTextFile(hidden(".journal.jsonl"), `${text}\n`);
  return plan;
}
