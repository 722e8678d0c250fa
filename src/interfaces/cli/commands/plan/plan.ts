import type { JobResult } from "../../../../account/jobs/job_result.ts";
import type { JobOperation } from "../../../../operations/jobs/job_operation.ts";
import type { Fields } from "../../../../operations/model/field.ts";
import { lazyGroup, type MakeCommand } from "../../shell/command.ts";

export const planCommand = lazyGroup("plan", {
  summary: "Create, review, apply and undo change plans",
  details:
    "A plan lists each change with current and new values. Nothing is sent until you apply it, and you can " +
    "undo any change that the platform lets you undo.",
  examples: [
    ["adsctl plan update keywords bids.csv -m US", "plan changes from a file"],
    ["adsctl plan apply plan-20261120-101500-1a2b3c4d.json", "review the plan, then send it"],
  ],
  library:
    "const plan = await profile.sp.keywords.planUpdate(items); const result = await plan.apply(profile);",
}, {
  "update": async () => (await import("./plan_update.ts")).planUpdateCommand,
  "create": async () => (await import("./plan_create.ts")).planCreateCommand,
  "archive": async () => (await import("./plan_archive.ts")).planArchiveCommand,
  "call": async () => (await import("./plan_call.ts")).planCallCommand,
  "upload": async () => (await import("./plan_upload.ts")).planUploadCommand,
  "from": async () => (await import("./plan_from.ts")).planFromCommand,
  "from-history": async () => (await import("./plan_from_history.ts")).planFromHistoryCommand,
  "bids": async () => await job((await import("../../../../operations/jobs/plan_bids.ts")).planBids),
  "harvest": async () => (await import("./jobs/plan_harvest.ts")).planHarvestCommand,
  "negatives": async () =>
    await job((await import("../../../../operations/jobs/plan_negatives.ts")).planNegatives),
  "budgets": async () => await job((await import("../../../../operations/jobs/plan_budgets.ts")).planBudgets),
  "goals": async () => (await import("./goals.ts")).goalsCommand,
  "held-back": async () => (await import("./plan_held_back.ts")).planHeldBackCommand,
  "part": async () => (await import("./plan_part.ts")).planPartCommand,
  "list": async () => (await import("./plan_list.ts")).planListCommand,
  "show": async () => (await import("./plan_show.ts")).planShowCommand,
  "approve": async () => (await import("./plan_approve.ts")).planApproveCommand,
  "apply": async () => (await import("./plan_apply.ts")).planApplyCommand,
  "resume": async () => (await import("./plan_resume.ts")).planResumeCommand,
  "rows": async () => (await import("./plan_rows.ts")).planRowsCommand,
  "undo": async () => (await import("./plan_undo.ts")).planUndoCommand,
  "power": async () => (await import("./plan_power.ts")).planPowerCommand,
  "outcome": async () => (await import("./plan_outcome.ts")).planOutcomeCommand,
  "experiments": async () => (await import("./plan_experiments.ts")).experimentsCommand,
});

async function job<Of extends Fields, Result extends JobResult>(
  operation: JobOperation<Of, Result>,
): Promise<MakeCommand> {
  return (await import("./jobs/job_command.ts")).jobCommand(operation);
}
