import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { existsSync } from "node:fs";
import { configFolder } from "../../../runtime/user_folders.ts";
import { APPROVAL_SECONDS, approvePlan } from "../../../plans/store/approval.ts";
import {
  type ApprovalKeyFiles,
  approvalKeyFiles,
  approvalKeyNeedsPassphrase,
  createApprovalKey,
} from "../../../plans/store/approval_key.ts";
import { PlanStore } from "../../../plans/store/plan_store.ts";
import { CliError, UsageError } from "../../core/errors/cli_error.ts";
import type { CommandKit } from "../../core/command.ts";
import { askSecret } from "../../core/ask_secret.ts";
import { confirm } from "../../core/confirm.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
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
  const key = approvalKeyFiles(configFolder(io.env));
  const passphrase = await passphraseFor(key, context);
  const approval = await approvePlan(plan, {
    key,
    now: io.now,
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(options.minutes === undefined ? {} : { seconds: options.minutes * 60 }),
  });
  const file = await folder.saveApproval(approval);
  await io.stderr.write(`Approved until ${approval.expires_at}: ${file}\n`);
  return EXIT.done;
}

/** The passphrase of the key, which is made when there is none; `undefined` for a key without one. */
async function passphraseFor(key: ApprovalKeyFiles, context: CliContext): Promise<string | undefined> {
  if (existsSync(key.secret)) {
    return await approvalKeyNeedsPassphrase(key)
      ? await askSecret("Passphrase of your approval key: ", context)
      : undefined;
  }
  await context.io.stderr.write(
    "This is your first approval, so a key is made for it. Choose a passphrase for the key; without one (just Return), " +
      "any program that runs as you could use the key\n",
  );
  const passphrase = await askSecret("New passphrase: ", context);
  if (passphrase !== "" && await askSecret("Once more: ", context) !== passphrase) {
    throw new CliError("Cannot make the approval key: the passphrases differ", EXIT.failed);
  }
  await createApprovalKey(key, passphrase === "" ? {} : { passphrase });
  return passphrase === "" ? undefined : passphrase;
}
