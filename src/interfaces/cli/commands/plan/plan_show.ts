import { ConfigurationError, PlatformAdsError } from "../../../../errors.ts";
import { judge } from "../../../../plans/review/judge.ts";
import type { ChangePlan } from "../../../../plans/change_plan/change_plan.ts";
import type { PlanData } from "../../../../plans/model/plan_data.ts";
import type { PlanStore } from "../../../../plans/store/plan_store.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import type { Override } from "../../../../plans/model/finding.ts";
import { checkApproval } from "../../../../plans/review/approval.ts";
import { approvalKeyFiles } from "../../../../plans/review/approval_key.ts";
import type { AppliedRecord } from "../../../../plans/store/applied_record.ts";
import { findingText } from "../../../../plans/view/plan_lines.ts";
import { configFolder } from "../../../../base/runtime/user_folders.ts";
import { command } from "../../shell/command.ts";
import { printJson, printRows } from "../../shell/output/print_rows.ts";
import { say, writeText } from "../../shell/output/write_text.ts";
import { planText } from "../../shell/output/plan_text.ts";
import { findPlan, readPlan } from "../../shell/find_plan.ts";
import { isRollout } from "../../../../account/rollout/rollout_file.ts";
import { changeRows } from "../../../../plans/model/differences.ts";
import { queueOption } from "./rollout/rollout_options.ts";
import { showRollout } from "./rollout/queued_rollout.ts";
import { planView } from "../../../../plans/view/plan_view.ts";

export const planShowCommand = command(
  (kit) =>
    kit.leaf("show", {
      printsRows: true,
      summary: "Show what a plan would do",
      details:
        "Compares an open plan with the current account: plan files are not trusted, so names, findings and money " +
        "are read again. If the account cannot be read, the plan is marked as unchecked. For an applied plan, " +
        "shows its results and who overrode which findings. --format table, csv or tsv prints one row per changed " +
        "field.",
      examples: [
        ["adsctl plan show plan-20261120-101500-1a2b3c4d.json", "show the plan as a diff by campaign"],
        [
          "adsctl plan show plan.json --format csv > review.csv",
          "export one row per changed field",
        ],
        ["adsctl plan show plan.json --why", "explain the spend estimate"],
      ],
      library: "(await ChangePlan.load(path)).toMarkdown()",
    })
      .argument(
        "<plan>",
        "the plan file, the id of the plan, or the folder of a rollout; - for standard input",
      )
      .option("--why", "explain the spend estimate")
      .addOption(queueOption()),
  (file, options, context) => runPlanShow({ file, ...options }, context),
);

export async function runPlanShow(
  options: { readonly file: string; readonly store?: string; readonly why?: true },
  context: CliContext,
): Promise<number> {
  const { file } = options;
  const { io, globals } = context;
  if (await isRollout(file)) return await showRollout(options, context);
  const plan = await readPlan(file, context);
  const store = file === "-" ? undefined : (await findPlan(file, context)).store;
  const applied = store && await appliedIn(store, plan.id);
  const { shown, unchecked } = await checkedPlan(plan, { store, context });
  const isRows = globals.fields !== undefined || /^(csv|tsv|table)$/.test(globals.format ?? "");
  if (/^jsonl?$/.test(globals.format ?? "")) {
    const checked = unchecked === undefined;
    await printJson({
      ...planView(shown),
      checked,
      file,
      applied: applied === undefined ? null : appliedData(applied),
    }, context);
    return EXIT.done;
  }
  if (isRows) {
    const columns = ["kind", "id", "label", "field", "before", "after"];
    await printRows(changeRows(shown.changes).map((row) => ({ ...row })), { columns }, context);
  } else await writeText(planText(planView(shown), { why: options.why === true }, context), context);
  if (applied !== undefined) {
    if (!isRows) await writeText(await appliedText(plan, applied, context), context);
  } else if (unchecked !== undefined) {
    await say(`Unchecked: names, findings and money are as the plan file says. ${unchecked}`, {
      io,
      globals,
    });
  }
  return EXIT.done;
}

/** The record of a plan, undone as lists show it. */
async function appliedIn(store: PlanStore, id: string): Promise<AppliedRecord | undefined> {
  const applied = await store.applied(id);
  if (applied === undefined) return undefined;
  const { listedStatus } = await import("../../../../plans/store/undone_plans.ts");
  const status = await listedStatus(id, [store]);
  const { at, isPart } = (status.state === "applied" ? status.undone : undefined) ?? {};
  return { ...applied, undoneAt: at, isUndoneInPart: isPart };
}

function appliedData(
  { appliedAt, ok, summary, approvedBy, override, undoneAt, isUndoneInPart }: AppliedRecord,
): Record<string, unknown> {
  return {
    applied_at: appliedAt,
    ok,
    summary,
    approved_by: approvedBy ?? null,
    override: override ?? null,
    undone_at: undoneAt ?? null,
    ...(isUndoneInPart ? { undone_in_part: true } : {}),
  };
}

async function appliedText(
  plan: ChangePlan,
  { appliedAt, summary, approvedBy, override, undoneAt, isUndoneInPart }: AppliedRecord,
  context: CliContext,
): Promise<string> {
  const by = approvedBy === undefined ? "" : `, approved by ${visibleText(approvedBy)}`;
  const lines = [`Applied ${appliedAt}${by}: ${visibleText(summary.replaceAll("\n", "; "))}`];
  if (undoneAt !== undefined) lines.push(`Undone ${isUndoneInPart ? "in part " : ""}${undoneAt}`);
  if (override !== undefined) {
    const signature = await signatureText(plan, override, context);
    lines.push(`Overridden by ${visibleText(override.by)}, ${signature}:`);
    lines.push(...override.findings.map((finding) => `  ${findingText(finding)}`));
  }
  return lines.join("\n") + "\n";
}

async function signatureText(plan: ChangePlan, { approval }: Override, { io }: CliContext): Promise<string> {
  if (approval === null) return "not signed";
  const publicKey = io.env["PLATFORM_ADS_MCP_APPROVAL_KEY"] || approvalKeyFiles(configFolder(io.env)).public;
  try {
    // That it has expired since takes nothing from what was signed.
    await checkApproval(plan, approval, { publicKey, now: () => Date.parse(approval.approved_at) });
    return `signed ${approval.approved_at}`;
  } catch {
    return `with a signature of ${visibleText(approval.approved_at)} that is NOT VALID here`;
  }
}

/** Larger plans are not compared with the account for display. */
const MAX_CHECKED = 20_000;

interface CheckedPlan {
  /** Current data of the account; data of the plan file if it was not read. */
  readonly shown: PlanData;
  readonly unchecked: string | undefined;
}

/** Trusts only the changes of the plan file; everything else is read from the account. */
async function checkedPlan(
  plan: ChangePlan,
  { store, context }: { store: PlanStore | undefined; context: CliContext },
): Promise<CheckedPlan> {
  const unchecked = (why: string): CheckedPlan => ({ shown: plan, unchecked: why });
  const status = await store?.status(plan.id);
  if (status !== undefined && status.state !== "open") return unchecked(`The plan is ${status.state}`);
  if (plan.changes.length > MAX_CHECKED) return unchecked("The plan is too large to compare here");
  try {
    const ads = await connectAds(context);
    const client = ads.profileFrom(plan.profileId, plan.countryCode);
    const sent = await store?.sentBefore(plan) ?? [];
    const putBack = await store?.putBackCalls(plan) ?? [];
    const { shown } = await judge(plan, client, { sent, putBack, signal: context.interruption.signal });
    return { shown, unchecked: undefined };
  } catch (error) {
    context.interruption.signal.throwIfAborted();
    if (error instanceof ConfigurationError) return unchecked("There is no connection to the account");
    if (error instanceof PlatformAdsError) {
      return unchecked(`The account could not be read: ${error.message}`);
    }
    throw error;
  }
}
