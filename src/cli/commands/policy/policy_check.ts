import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { highestLevel } from "../../../plans/finding.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { printRows } from "../../output/print_rows.ts";
import { judgePlan, namedPolicy } from "./judge_plan.ts";

/** Options of {@linkcode runPolicyCheck}. */
export interface PolicyCheckOptions {
  /** The plan file, or the id of the plan; without one only the policy itself is checked. */
  readonly plan?: string;
  /** Judge by the values in the plan alone. */
  readonly offline?: true;
}

/** `adsctl policy check`. */
export function policyCheckCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("check", {
    summary: "Check a policy, or judge a plan by it",
    details:
      "The account is read as it is now, and nothing is sent. Ends with 4 when the policy denies the plan or " +
      "asks for a person's approval. Without a plan, only the policy file is read and every mistake is reported.",
    examples: [
      ["adsctl policy check --policy policy.yaml", "every mistake of the file, with its line"],
      ["adsctl policy check plan.json --policy policy.yaml", "what it says of a plan"],
    ],
    library: "policy.check(plan)",
  })
    .argument("[plan]", "the plan file, or the id of the plan")
    .option("--offline", "judge by the values in the plan alone, without reading the account")
    .action((plan, options, self) =>
      kit.run(
        (context) => runPolicyCheck({ ...(plan === undefined ? {} : { plan }), ...options }, context),
        self,
      )
    );
}

/** Checks a policy or a plan. */
export async function runPolicyCheck(options: PolicyCheckOptions, context: CliContext): Promise<number> {
  const { io, globals } = context;
  const policy = await namedPolicy(context);
  if (options.plan === undefined) {
    await printRows(
      policy.rules.map((rule) => ({ ...rule })),
      { columns: ["name", "level", "message"] },
      context,
    );
    return EXIT.done;
  }
  const { findings } = await judgePlan(
    { file: options.plan, offline: options.offline === true, policy },
    context,
  );
  const columns = ["level", "rule", "change", "message", "allowed"];
  await printRows(findings.map((finding) => ({ ...finding })), {
    columns,
    fields: [...columns, "code", "hint"],
  }, context);
  const level = highestLevel(findings);
  if (!globals.quiet) {
    await io.stderr.write(
      level === "deny"
        ? "The policy denies this plan\n"
        : level === "approve"
        ? "The policy asks for a person's approval of this plan\n"
        : "The policy allows this plan\n",
    );
  }
  return level === "deny" || level === "approve" ? EXIT.refused : EXIT.done;
}
