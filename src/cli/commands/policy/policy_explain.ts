import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { UsageError } from "../../core/errors/cli_error.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { positiveInteger } from "../../options/parse_values.ts";
import { printRows } from "../../output/print_rows.ts";
import { judgePlan, namedPolicy } from "./judge_plan.ts";

/** Options of {@linkcode runPolicyExplain}. */
export interface PolicyExplainOptions {
  /** The plan file, or the id of the plan. */
  readonly plan: string;
  /** Which change, counted from 1. */
  readonly change?: number;
  /** Judge by the values in the plan alone. */
  readonly offline?: true;
}

/** `adsctl policy explain`. */
export function policyExplainCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("explain", {
    summary: "Show what each rule says of one change of a plan",
    details: "Every rule of the policy with its verdict on the change, those that pass included. Only reads.",
    examples: [["adsctl policy explain plan.json --change 3 --policy policy.yaml", "the third change"]],
    library: "policy.rules; policy.check(plan)",
  })
    .argument("<plan>", "the plan file, or the id of the plan")
    .option("--change <n>", "which change, counted from 1 (default: 1)", positiveInteger)
    .option("--offline", "judge by the values in the plan alone, without reading the account")
    .action((plan, options, self) =>
      kit.run((context) => runPolicyExplain({ plan, ...options }, context), self)
    );
}

/** Explains the verdict on one change. */
export async function runPolicyExplain(options: PolicyExplainOptions, context: CliContext): Promise<number> {
  const policy = await namedPolicy(context);
  const { plan, findings } = await judgePlan(
    { file: options.plan, offline: options.offline === true, policy },
    context,
  );
  const index = (options.change ?? 1) - 1;
  const change = plan.changes[index];
  if (change === undefined) {
    throw new UsageError(`Cannot explain change ${index + 1}: the plan has ${plan.changes.length}`);
  }
  const rows = policy.rules.flatMap(({ name, level }) => {
    const found = findings.filter((one) =>
      one.rule === name && (one.change === undefined || one.change === index)
    );
    if (found.length === 0) return [{ rule: name, verdict: "pass", level, message: "" }];
    return found.map((one) => ({ rule: name, verdict: one.level, level, message: one.message }));
  });
  await printRows(rows, {
    columns: ["rule", "verdict", "message"],
    fields: ["rule", "verdict", "level", "message"],
  }, context);
  return EXIT.done;
}
