import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { moneyText, roundMoney } from "../../../internal/money_text.ts";
import { decimalsOf } from "../../../markets.ts";
import { type PlanOutcome, planOutcome } from "../../../store/figures/plan_outcome.ts";
import { RefusedError } from "../../core/errors/cli_error.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { findPlan } from "../../core/find_plan.ts";
import { withStore } from "../../core/with_store.ts";
import { isRollout } from "../../../account/rollout/rollout_file.ts";
import { type PlanOutcomeOptions, showRolloutOutcome, sideOf } from "./rollout/rollout_outcome.ts";
import { storeOption } from "../../options/store_option.ts";
import { positiveInteger } from "../../options/parse_values.ts";
import { printJson, printRows, wantsData } from "../../output/print_rows.ts";

/** `adsctl plan outcome`. */
export function planOutcomeCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("outcome", {
    summary: "Compare the days after a plan was applied with those before it",
    details:
      "Spend, clicks, orders and ACOS of everything that the plan changed, from the store: as many complete days after " +
      "the day of the application as before it. The change in spend is compared with the plan's estimate. Days whose " +
      "orders may still grow are marked. Sync the store first; nothing is read from the platform. Of the folder of a " +
      "rollout, a row for each account: sums in which nothing is counted twice.",
    examples: [
      ["adsctl plan outcome plan-20261120-101500-1a2b3c4d.json", "up to 14 days on each side"],
      ["adsctl plan outcome plan.json --days 7 --json", "one week on each side, as data"],
      ["adsctl plan outcome ./rollout", "every account of a rollout"],
    ],
    library: "await planOutcome(store, { plan, applied: await plans.applied(plan.id) })",
  })
    .argument("<plan>", "the plan file, the id of the plan, or the folder of a rollout")
    .addOption(storeOption())
    .option("--days <n>", "days on each side at most (default: 14)", positiveInteger)
    .action((file, options, self) =>
      kit.run((context) => runPlanOutcome({ file, ...options }, context), self)
    );
}

/** Shows what happened after a plan. */
export async function runPlanOutcome(options: PlanOutcomeOptions, context: CliContext): Promise<number> {
  if (await isRollout(options.file)) return await showRolloutOutcome(options, context);
  const { io, globals } = context;
  const { plan, store: plans } = await findPlan(options.file, context);
  const applied = await plans.applied(plan.id);
  if (applied === undefined) {
    throw new RefusedError(`Cannot tell the outcome of plan ${plan.id}: it was not applied to its end`);
  }
  return await withStore(options, context, async (store) => {
    const { days } = options;
    const outcome = await planOutcome(store, { plan, applied, days, now: io.now() });
    if (wantsData(context) && globals.fields === undefined) await printJson(outcome, context);
    else await printChanges(outcome, context);
    if (!globals.quiet && !wantsData(context)) {
      await io.stderr.write(summaryLines(outcome).map((line) => line + "\n").join(""));
    }
    return EXIT.done;
  });
}

const COLUMNS = [
  "label",
  "cost_before",
  "cost_after",
  "clicks_before",
  "clicks_after",
  "orders_before",
  "orders_after",
  "acos_before",
  "acos_after",
];

async function printChanges(outcome: PlanOutcome, context: CliContext): Promise<void> {
  const decimals = decimalsOf(outcome.country_code);
  const rows = outcome.changes.map(({ change, kind, id, label, outcome: done, before, after }) => ({
    change,
    kind,
    id: id ?? "",
    label: label === "" ? id ?? "" : label,
    outcome: done,
    ...sideOf("before", before, decimals),
    ...sideOf("after", after, decimals),
  }));
  const fields = ["change", "kind", "id", "outcome", ...COLUMNS, "sales_before", "sales_after"];
  await printRows(rows, { columns: COLUMNS, fields }, context);
}

function summaryLines(
  { before, after, days, immature, changes, estimate, currency, country_code: country, ...outcome }:
    PlanOutcome,
): string[] {
  const lines = [
    `Plan ${outcome.plan_id}, applied ${outcome.applied_at}: ${before.start} to ${before.end} against ` +
    `${after.start} to ${after.end} (${days} ${days === 1 ? "day" : "days"} each)`,
  ];
  const unknown = changes.filter((one) => one.before === null || one.after === null).length;
  if (unknown > 0) {
    lines.push(
      `${unknown} of ${changes.length} changes have no figures: their days are not all stored ("adsctl sync"), or no ` +
        "report is about their kind",
    );
  }
  if (immature.from !== null) {
    lines.push(
      `From ${immature.from} on, ${immature.days} of the days after are immature: orders and sales may still grow`,
    );
  }
  if (estimate === null) return [...lines, "The plan has no estimate"];
  const decimals = decimalsOf(country);
  const amount = (value: number): string =>
    `${value < 0 ? "-" : "+"}${moneyText(roundMoney(Math.abs(value), decimals), decimals)}`;
  const range = `${amount(estimate.low)} to ${amount(estimate.high)} ${currency ?? ""}`.trimEnd();
  const actual = estimate.actual === null ? "unknown" : amount(estimate.actual);
  return [
    ...lines,
    `Spend a day: ${actual}, estimated ${range}: ${VERDICTS[estimate.verdict]}. ` +
    "The difference holds everything that happened in these days",
  ];
}

const VERDICTS = {
  within: "within the range",
  above: "above the range",
  below: "below the range",
  unknown: "cannot be compared, because figures are missing",
} as const;
