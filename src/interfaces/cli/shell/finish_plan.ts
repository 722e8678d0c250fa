import { leftOutData } from "../../../account/jobs/left_out_data.ts";
import type { AllowedPlan } from "../../../operations/plans/write_operation.ts";
import { fileSystem } from "../../../base/runtime/file_system.ts";
import { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import { PlanStore } from "../../../plans/store/plan_store.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import { EXIT, UsageError } from "./io/cli_error.ts";
import type { CliContext } from "./context/context.ts";
import { rememberPlans } from "./connect/plan_folders.ts";
import { planView } from "../../../plans/view/plan_view.ts";
import { printJson, wantsData } from "./output/print_rows.ts";
import { planText } from "./output/plan_text.ts";
import { say, writeText } from "./output/write_text.ts";
import { nextCommand } from "./context/shell_words.ts";

const SHOWN = 40;

export const ALLOW_MISSING = [
  "--allow-missing",
  "exit code 0 even if ids were not found; otherwise 3",
] as const;

interface FinishPlanOptions {
  readonly out: string | undefined;
  readonly allowMissing?: boolean;
  readonly canSkip?: boolean;
  readonly context: CliContext;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Finishes a plan of a command that has --skip-denied. */
export async function finishAllowed(allowed: AllowedPlan, options: FinishPlanOptions): Promise<number> {
  await sayDenied(allowed, options.context);
  const { plan, denied } = allowed;
  const left = denied && leftOutData(denied);
  return await finishPlan(plan, {
    ...options,
    canSkip: denied === undefined,
    data: { ...options.data, ...left },
  });
}

export async function sayDenied({ denied = [] }: AllowedPlan, context: CliContext): Promise<void> {
  if (denied.length === 0) return;
  const names = denied.slice(0, 3).map(({ label, message }) =>
    `${visibleText(label)}: ${visibleText(message)}`
  );
  await say(`Left out ${denied.length}, for example ${names.join("; ")}`, context);
}

/**
 * An empty plan is saved only to an explicitly named file; otherwise applying that file would send the changes of an
 * earlier plan.
 *
 * @throws {UsageError} when the file holds an applied plan or something else.
 */
export async function finishPlan(plan: ChangePlan, options: FinishPlanOptions): Promise<number> {
  const { out, context } = options;
  const { io, globals } = context;
  const isNamed = out !== undefined && !await fileSystem().isDirectory(out);
  if (isNamed) await refuseBegunFile(out);
  const asData = wantsData(context);
  const view = planView(plan, asData ? {} : { limit: SHOWN });
  const isEmpty = plan.changes.length === 0;
  const saving = context.progress.work({ noun: "change" });
  saving.count({ done: 0, total: plan.changes.length, name: "saving the plan" });
  const file = isEmpty && !isNamed ? null : await plan.save(out ?? `plan-${plan.id}.json`);
  await saving.end();
  // Whoever plans next must find what it holds back, from whatever folder.
  if (file !== null && plan.experiment !== null) await rememberPlans(fileSystem().dirname(file), context);
  if (asData) await printJson({ ...view, ...options.data, file }, context);
  else await writeText(planText(view, { limit: SHOWN, why: context.why === true }, context), context);
  const code = plan.missing.length === 0 || (options.allowMissing ?? true) ? EXIT.done : EXIT.someFailed;
  if (globals.quiet) return code;
  if (file === null) {
    await io.stderr.write("Nothing to change, so no plan was saved\n");
  } else if (isEmpty) {
    await io.stderr.write(`Nothing to change. Saved the empty plan to ${file}\n`);
  } else {
    await io.stderr.write(`\nSaved to ${file}. Nothing was sent. ${nextStep(plan, file, options)}\n`);
  }
  if (code === EXIT.someFailed) {
    const ids = plan.missing.length === 1 ? "1 id was" : `${plan.missing.length} ids were`;
    await io.stderr.write(`${ids} not found, so this ends with ${code}; --allow-missing ends with 0\n`);
  }
  return code;
}

function nextStep(
  { findings }: ChangePlan,
  file: string,
  { context: { globals }, canSkip = false }: FinishPlanOptions,
): string {
  const denied = findings.filter(({ level }) => level === "deny");
  if (denied.length === 0) return `To apply it:\n  ${nextCommand(["plan", "apply", file], globals)}`;
  const changes = new Set(denied.flatMap(({ change }) => change ?? [])).size;
  const what = changes === 0 ? "it" : `${changes} of its changes`;
  const next = canSkip && changes > 0 ? "--skip-denied leaves these out; why:" : "Why:";
  return `The policy denies ${what}. ${next}\n  ${nextCommand(["policy", "explain", file], globals)}`;
}

/** A begun plan is needed for resume and undo, so its file must not be overwritten. */
async function refuseBegunFile(path: string): Promise<void> {
  const old = await ChangePlan.load(path).catch(() => undefined);
  if (old === undefined) return await refuseOtherFile(path);
  const status = old && await PlanStore.around(path).status(old.id);
  if (status === undefined || status.state === "open") return;
  throw new UsageError(
    `Cannot save the plan to "${path}": it holds plan ${old?.id}, which is ${status.state}. Choose another --out, or ` +
      "leave it out",
  );
}

/** Protects a policy, sheet or notes with the same name; a damaged plan may be overwritten. */
async function refuseOtherFile(path: string): Promise<void> {
  const text = await fileSystem().readText(path).catch(() => "");
  if (text.trim() === "" || text.trimStart().startsWith("{")) return;
  throw new UsageError(
    `Cannot save the plan to "${path}": that file holds something else. Choose another --out, for example plan.json`,
  );
}

export async function tellIgnored(columns: readonly string[], { io, globals }: CliContext): Promise<void> {
  if (columns.length === 0 || globals.quiet) return;
  await io.stderr.write(`Ignored, because they cannot be set: ${columns.join(", ")}\n`);
}
