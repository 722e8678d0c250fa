import type { CliContext } from "../../shell/context/context.ts";
import { ChangePlan } from "../../../../plans/change_plan/change_plan.ts";
import { findPlan, readPlan, refusing } from "../../shell/find_plan.ts";
import { isRollout } from "../../../../account/rollout/rollout_file.ts";
import { finishPlan } from "../../shell/finish_plan.ts";
import { Rollout } from "../../../../account/rollout/rollout.ts";
import { openRollout } from "./rollout/open_rollout.ts";
import { accountNames } from "./rollout/rollout_rows.ts";
import { finishRollout } from "./rollout/plan_rollout.ts";
import { EXIT } from "../../shell/io/cli_error.ts";

export async function runPlanInverse(
  { file, out }: { readonly file: string; readonly out?: string | undefined },
  context: CliContext,
): Promise<number> {
  if (await isRollout(file)) {
    return await invertRollout({ file, ...(out === undefined ? {} : { out }) }, context);
  }
  if (file === "-") return await finishPlan((await readPlan(file, context)).inverse(), { out, context });
  const { plan, store } = await findPlan(file, context);
  const isApplied = (await store.status(plan.id)).state === "applied";
  const undo = isApplied ? await refusing(() => store.openUndo(plan)) : undefined;
  // A file of its own gets an id of its own: the plan in the store can still be applied.
  const { id: _, createdAt: __, ...fields } = undo ?? plan.inverse();
  return await finishPlan(new ChangePlan(fields), { out, context });
}

async function invertRollout(
  { file, out = `${file.replace(/[\\/]+$/, "")}-inverse` }: { file: string; out?: string },
  context: CliContext,
): Promise<number> {
  const rollout = await openRollout(file, context);
  const entries = await refusing(() => rollout.entries());
  const { note } = rollout.data;
  const inverse = await refusing(() =>
    Rollout.create(out, entries.map(({ plan }) => plan.inverse()), {
      note: note === null ? "Inverse of a rollout" : `Inverse of: ${note}`,
      accountNames: accountNames(rollout),
      now: context.io.now,
    })
  );
  await finishRollout(inverse, context);
  return EXIT.done;
}
