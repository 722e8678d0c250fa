import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { planCounts } from "../../../plans/view/plan_lines.ts";
import { PlanStore, type StoredPlan } from "../../../plans/store/plan_store.ts";
import { shownPlans } from "../../../plans/store/shown_plans.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { planStores } from "../../core/find_plan.ts";
import { printRows } from "../../output/print_rows.ts";

const COLUMNS = ["id", "state", "country", "counts", "note", "file"];
const FIELDS = [
  ...COLUMNS,
  "created_at",
  "profile_id",
  "state_since",
  "result",
  "reverses",
  "rollback_plan_id",
];

/** `adsctl plan list`. */
export function planListCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("list", {
    summary: "List plans and how far each one got",
    details:
      "The plans of this folder and of the tool server's folder, newest first: open, on a queue, applied, refused by a person, or " +
      "unfinished. Nothing is read from the platform. Open plans that undo an applied one are left out: plan undo " +
      "applies them.",
    examples: [
      ["adsctl plan list", "the plans here, and those that agents made"],
      ["adsctl plan list --folder ./plans --json", "the plans of one folder, as data"],
    ],
    library: 'await PlanStore.open("plans").list()',
  })
    .option("--folder <path>", "only the plans of this folder")
    .option("--all", "also the open plans that undo others")
    .action((options, self) => kit.run((context) => runPlanList(options, context), self));
}

export async function runPlanList(
  options: { folder?: string; all?: true },
  context: CliContext,
): Promise<number> {
  const stores = options.folder === undefined
    ? planStores(context)
    : [PlanStore.open(options.folder, { now: context.io.now })];
  const plans = (await Promise.all(stores.map((store) => store.list()))).flat();
  const shown = options.all ? plans : shownPlans(plans);
  await printRows(shown.map(planRow), { columns: COLUMNS, fields: FIELDS }, context);
  return EXIT.done;
}

function planRow(stored: StoredPlan): Record<string, unknown> {
  if ("problem" in stored) return { id: stored.id, state: "unusable", note: stored.problem.message };
  const { path, plan, status } = stored;
  return {
    id: plan.id,
    state: status.state,
    country: plan.countryCode,
    counts: planCounts(plan.changes),
    note: plan.note,
    file: path,
    created_at: plan.createdAt,
    profile_id: plan.profileId,
    state_since: status.state === "open" ? null : status.at,
    result: status.state === "applied" ? status.summary : null,
    reverses: plan.reverses,
    rollback_plan_id: status.state === "applied" ? status.rollbackPlanId ?? null : null,
  };
}
