import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import { policyCheckCommand } from "./policy_check.ts";
import { policyExplainCommand } from "./policy_explain.ts";
import { policyInitCommand } from "./policy_init.ts";
import { policyTestCommand } from "./policy_test.ts";

/** `adsctl policy`. */
export function policyCommand(kit: CommandKit): CommandUnknownOpts {
  const group = kit.group("policy", {
    summary: "Check, test and explain the rules that judge every write",
    details:
      "The policy is the file of --policy or PLATFORM_ADS_POLICY. Every write of adsctl is judged by it before " +
      "it is sent; a policy that cannot be read lets nothing through.",
    examples: [
      ["adsctl policy init -m CA --out policy.yaml", "a commented policy from the account's own figures"],
      ["adsctl policy check plan.json --policy policy.yaml", "what the policy says of a plan"],
    ],
    library: 'const policy = await loadPolicy("policy.yaml")',
  });
  for (const make of [policyInitCommand, policyCheckCommand, policyTestCommand, policyExplainCommand]) {
    group.addCommand(make(kit));
  }
  return group;
}
