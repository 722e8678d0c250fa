import { Option } from "@commander-js/extra-typings";
import { moneyText, roundMoney } from "../../../../base/text/money_text.ts";
import { decimalsOf } from "../../../../base/markets/markets.ts";
import { EFFECT_FIGURES } from "../../../../store/figures/experiment_outcome.ts";
import { type PlanOutcome, planOutcome } from "../../../../store/figures/plan_outcome.ts";
import { RefusedError, UsageError } from "../../shell/errors/cli_error.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import { findPlan } from "../../shell/plans/find_plan.ts";
import { knownStores } from "../../shell/plans/plan_folders.ts";
import { openStore } from "../../shell/store/open_store.ts";
import { isRollout } from "../../../../account/rollout/rollout_file.ts";
import { changesSince } from "../../../../account/drift/changes_since.ts";
import { showRolloutOutcome, sideOf } from "./rollout/rollout_outcome.ts";
import { share } from "../../shell/arguments/parse_values.ts";
import { comparisonLines } from "../../shell/output/comparison_lines.ts";
import { storeOption } from "../../shell/store/store_option.ts";
import { positiveInteger } from "../../shell/arguments/parse_values.ts";
import { printJson, printRows, wantsData } from "../../shell/output/print_rows.ts";

export const planOutcomeCommand = command(
  (kit) =>
    kit.leaf("outcome", {
      summary: "Tell what a plan did, by comparison with what it held back",
      details:
        "The last lines begin with the answer: more, less, no difference found, too small to tell, too early, or not known. It rests on " +
        "what the plan held back (--hold-back when it was made): the two groups are compared over as many days before and " +
        "after whose orders are all in, with an interval of 95 %. Without a part held back it is not known, and before and " +
        "after stand beside those that no plan changed. Below: spend, clicks, orders and ACOS of everything that the plan changed, from the store: as many complete days after " +
        "the day of the application as before it. The change in spend is compared with the plan's estimate. Days whose " +
        "orders may still grow are marked. Sync the store first; nothing is read from the platform. Of the folder of a " +
        "rollout, a row for each account: sums in which nothing is counted twice, and the profiles that it changed against those that it held " +
        "back. --expect looks ahead instead: what its bids let " +
        "expect by how clicks and their cost answered to the bids that own plans changed, or unknown with fewer than 30 of these.",
      examples: [
        ["adsctl plan outcome plan-20261120-101500-1a2b3c4d.json", "up to 14 days on each side"],
        ["adsctl plan outcome plan.json --days 7 --json", "one week on each side, as data"],
        ["adsctl plan outcome ./rollout", "every account of a rollout"],
        [
          "adsctl plan outcome plan.json --margin 30%",
          "with the profit, at 30 % of sales before advertising",
        ],
        ["adsctl plan outcome plan.json --expect", "before it is applied: clicks and spend to expect"],
      ],
      library: "await planOutcome(store, { plan, applied: await plans.applied(plan.id) })",
    })
      .argument("<plan>", "the plan file, the id of the plan, or the folder of a rollout")
      .addOption(storeOption())
      .option("--days <n>", "days on each side at most (default: 14)", positiveInteger)
      .addOption(
        new Option("--figure <figure>", "figure that the first word is about (default: sales)").choices(
          EFFECT_FIGURES,
        ),
      )
      .option("--margin <share>", "share of sales that is left before advertising: 30%", share)
      .addOption(
        new Option("--expect", "tell what its bids let expect, applied or not").conflicts([
          "days",
          "figure",
          "margin",
        ]),
      ),
  async (file, options, context) => {
    if (options.expect) {
      if (await isRollout(file)) {
        throw new UsageError("Cannot use --expect for a rollout: name one of its plans");
      }
      const { runPlanExpect } = await import("./plan_expect.ts");
      return await runPlanExpect({ file, ...options }, context);
    }
    if (await isRollout(file)) return await showRolloutOutcome({ file, ...options }, context);
    const { io, globals } = context;
    const { plan, store: plans } = await findPlan(file, context);
    const applied = await plans.applied(plan.id);
    if (applied === undefined) {
      throw new RefusedError(`Cannot tell the outcome of plan ${plan.id}: it was not applied to its end`);
    }
    const store = await openStore(options, context);
    const { days, figure, margin } = options;
    const since = await changesSince(store, plan, {
      appliedAt: applied.appliedAt,
      days,
      plans: [plans, ...await knownStores(context)],
    });
    const asked = { days, figure, margin, ...since };
    const outcome = await planOutcome(store, { plan, applied, ...asked, now: io.now() });
    if (wantsData(context) && globals.fields === undefined) await printJson(outcome, context);
    else await printChanges(outcome, context);
    if (!globals.quiet && !wantsData(context)) {
      await io.stderr.write(
        [...summaryLines(outcome), ...comparisonLines(outcome.comparison, outcome)].map((line) => line + "\n")
          .join(""),
      );
    }
    return EXIT.done;
  },
);

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
