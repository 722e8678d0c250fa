import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import { planBidsCommand } from "./jobs/plan_bids.ts";
import { planBudgetsCommand } from "./jobs/plan_budgets.ts";
import { planHarvestCommand } from "./jobs/plan_harvest.ts";
import { planNegativesCommand } from "./jobs/plan_negatives.ts";
import { planApplyCommand } from "./plan_apply.ts";
import { planApproveCommand } from "./plan_approve.ts";
import { planArchiveCommand } from "./plan_archive.ts";
import { planCallCommand } from "./plan_call.ts";
import { planCreateCommand } from "./plan_create.ts";
import { planFromCommand } from "./plan_from.ts";
import { planFromHistoryCommand } from "./plan_from_history.ts";
import { planInverseCommand } from "./plan_inverse.ts";
import { planListCommand } from "./plan_list.ts";
import { planOutcomeCommand } from "./plan_outcome.ts";
import { planPowerCommand } from "./plan_power.ts";
import { planRehearseCommand } from "./plan_rehearse.ts";
import { planResumeCommand } from "./plan_resume.ts";
import { planShowCommand } from "./plan_show.ts";
import { planUndoCommand } from "./plan_undo.ts";
import { planUpdateCommand } from "./plan_update.ts";

const SUBCOMMANDS = [
  planUpdateCommand,
  planCreateCommand,
  planArchiveCommand,
  planCallCommand,
  planFromCommand,
  planFromHistoryCommand,
  planBidsCommand,
  planHarvestCommand,
  planNegativesCommand,
  planBudgetsCommand,
  planListCommand,
  planShowCommand,
  planApproveCommand,
  planApplyCommand,
  planResumeCommand,
  planUndoCommand,
  planInverseCommand,
  planPowerCommand,
  planRehearseCommand,
  planOutcomeCommand,
];

/** `adsctl plan`. */
export function planCommand(kit: CommandKit): CommandUnknownOpts {
  const group = kit.group("plan", {
    summary: "Make, review, apply and undo change plans",
    details:
      "A plan holds what will change, what is there now, and a fingerprint. Nothing is sent until it is applied; " +
      "what was applied can be undone as far as the platform allows.",
    examples: [
      ["adsctl plan update keywords bids.csv -m US", "plan the changes of a file"],
      ["adsctl plan apply plan-20261120-101500-1a2b3c4d.json", "review a plan once more, then send it"],
    ],
    library:
      "const plan = await profile.sp.keywords.planUpdate(items); const result = await plan.apply(profile);",
  });
  for (const make of SUBCOMMANDS) group.addCommand(make(kit));
  return group;
}
