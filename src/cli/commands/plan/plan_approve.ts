import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { APPROVAL_SECONDS } from "../../../plans/store/approval.ts";
import { PlanStore } from "../../../plans/store/plan_store.ts";
import { CliError, UsageError } from "../../core/errors/cli_error.ts";
import type { CommandKit } from "../../core/command.ts";
import { confirm } from "../../core/confirm.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { signApproval } from "../../core/policy/sign_approval.ts";
import { serverFolder } from "../../core/find_plan.ts";
import { positiveInteger } from "../../options/parse_values.ts";
import { planView } from "../../../plans/view/plan_view.ts";
import { renderPlan } from "../../../plans/view/terminal_text.ts";
import { stylesFor } from "../../output/styles.ts";

/** Options of {@linkcode runPlanApprove}. */
export interface PlanApproveOptions {
  /** Id of the plan. */
  readonly id: string;
  /** Folder of the plans. */
  readonly folder?: string;
  /** How long the approval holds. */
  readonly minutes?: number;
}

/** `adsctl plan approve`. */
export function planApproveCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("approve", {
    summary: "Let an agent apply one plan, after reading it yourself",
    details:
      "For plans that platform-ads-mcp made. Where it runs with PLATFORM_ADS_MCP_APPROVAL=terminal, it applies a plan " +
      "only with an approval, which is signed with a key of your own and expires. The key is made the first time; with a " +
      "passphrase, no program that runs as you can approve in your place. A terminal is needed: nobody else can answer.",
    examples: [["adsctl plan approve 20261120-101500-1a2b3c4d", "show the plan, ask, and sign"]],
    library: "await PlanStore.open(folder).saveApproval(await approvePlan(plan, { key }))",
  })
    .argument("<id>", "id of the plan")
    .option(
      "--folder <path>",
      "folder of the plans; otherwise PLATFORM_ADS_MCP_PLAN_DIR or the server's own default",
    )
    .option(
      "--minutes <n>",
      `how long the approval holds (default: ${APPROVAL_SECONDS / 60})`,
      positiveInteger,
    )
    .action((id, options, self) => kit.run((context) => runPlanApprove({ id, ...options }, context), self));
}

export async function runPlanApprove(options: PlanApproveOptions, context: CliContext): Promise<number> {
  const { io } = context;
  if (!io.stdin.isTerminal) {
    throw new UsageError("Cannot approve a plan without a terminal: an approval is a person's own");
  }
  const folder = PlanStore.open(options.folder ?? serverFolder(context), { now: io.now });
  const plan = await folder.get(options.id);
  await folder.ensureOpen(plan.id);
  await io.stderr.write(renderPlan(planView(plan), { styles: stylesFor(io.stderr, context) }));
  if (!await confirm("May an agent apply exactly this plan?", context)) {
    throw new CliError("Not approved: the answer was not yes", EXIT.failed);
  }
  const { approval, path } = await signApproval(plan, { store: folder, minutes: options.minutes, context });
  await io.stderr.write(`Approved until ${approval.expires_at}: ${path}\n`);
  return EXIT.done;
}
