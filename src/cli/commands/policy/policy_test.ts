import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { testPolicy } from "../../../policy/test_policy.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { printRows } from "../../output/print_rows.ts";
import { readInput } from "../../text/read_input.ts";
import { namedPolicy } from "./judge_plan.ts";

/** `adsctl policy test`. */
export function policyTestCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("test", {
    summary: "Run the test cases of a policy",
    details:
      'A case stands under "tests": a change, and the level that the policy must give it. Ends with 1 when a ' +
      "case is judged otherwise. Nothing is read from the platform.",
    examples: [
      ["adsctl policy test --policy policy.yaml", "the cases in the policy itself"],
      ["adsctl policy test cases.yaml --policy policy.yaml", "the cases of another file"],
    ],
    library: "testPolicy(policy, text)",
  })
    .argument("[cases]", "file with the cases; otherwise the policy itself")
    .action((file, _, self) => kit.run((context) => runPolicyTest(file, context), self));
}

/** Runs the cases. */
export async function runPolicyTest(file: string | undefined, context: CliContext): Promise<number> {
  const policy = await namedPolicy(context);
  const { text, name } = await readInput(file ?? policy.source, context.io);
  const results = testPolicy(policy, text, { source: name });
  await printRows(
    results.map(({ messages, ...result }) => ({ ...result, messages: messages.join("; ") })),
    {
      columns: ["ok", "name", "expected", "actual"],
      fields: ["ok", "name", "expected", "actual", "messages"],
    },
    context,
  );
  const failed = results.filter(({ ok }) => !ok).length;
  await context.io.stderr.write(`${results.length - failed} passed, ${failed} failed\n`);
  return failed === 0 ? EXIT.done : EXIT.failed;
}
