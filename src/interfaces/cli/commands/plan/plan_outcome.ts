import { type Command, Option } from "@commander-js/extra-typings";
import { decimalsOf } from "../../../../base/markets/markets.ts";
import { planOutcome } from "../../../../operations/reads/plan_outcome.ts";
import type { PlanOutcome } from "../../../../store/figures/plan_outcome.ts";
import { EXIT, RefusedError, UsageError } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { findPlan } from "../../shell/find_plan.ts";
import { knownStores } from "../../shell/connect/plan_folders.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { isRollout } from "../../../../account/rollout/rollout_file.ts";
import { showRolloutOutcome, sideOf } from "./rollout/rollout_outcome.ts";
import { storeOption, type StoreOptions } from "../../shell/options/store_option.ts";
import { sayNotes, whyOption } from "../../shell/output/write_text.ts";
import { printJson, printRows, wantsData } from "../../shell/output/print_rows.ts";

type OutcomeOptions = Pick<StoreOptions, keyof StoreOptions> & { readonly expect?: true };

export const planOutcomeCommand = command(
  (kit) =>
    // The types of commander cannot know arguments and options that are declared elsewhere.
    addFields(
      kit.leaf("outcome", {
        printsRows: true,
        ...operationDoc(planOutcome),
        examples: [
          ["adsctl plan outcome plan-20261120-101500-1a2b3c4d.json", "compare up to 14 days on each side"],
          ["adsctl plan outcome plan.json --days 7 --json", "compare one week on each side, as JSON"],
          ["adsctl plan outcome ./rollout", "measure every account of a rollout"],
          [
            "adsctl plan outcome plan.json --margin 30%",
            "add profit, with a margin of 30 % before advertising",
          ],
          ["adsctl plan outcome plan.json --expect", "predict clicks and spend before applying"],
        ],
      }),
      planOutcome.input,
    ).addOption(storeOption()).addOption(whyOption()).addOption(
      new Option("--expect", "predict the effect of its bids, applied or not").conflicts([
        "days",
        "figure",
        "margin",
      ]),
    ) as unknown as Command<[plan: string], OutcomeOptions>,
  async (file, options, context) => {
    const input = await operationInput(planOutcome, options, { plan_id: file });
    if (options.expect) {
      if (await isRollout(file)) {
        throw new UsageError("Cannot use --expect for a rollout: name one of its plans");
      }
      const { runPlanExpect } = await import("./plan_expect.ts");
      return await runPlanExpect({ file, ...options }, context);
    }
    if (await isRollout(file)) return await showRolloutOutcome({ file, ...options, ...input }, context);
    const { io, globals } = context;
    const { plan, store: own } = await findPlan(file, context);
    const applied = await own.applied(plan.id);
    if (applied === undefined) {
      throw new RefusedError(`Cannot tell the outcome of plan ${plan.id}: it was not fully applied`);
    }
    const store = await openStore(options, context);
    const plans = [own, ...await knownStores(context)];
    const outcome = await planOutcome.run({ store, plan, applied, plans, now: io.now() }, input);
    if (wantsData(context) && globals.fields === undefined) await printJson(outcome, context);
    else await printChanges(outcome, context);
    if (!globals.quiet && !wantsData(context)) {
      await sayNotes(planOutcome.lines?.(outcome) ?? [], context);
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
