import type { Fields } from "../wire/resource_wire.ts";
import { adGroupKind } from "./account_now.ts";
import type { CheckedChange, PreflightContext } from "./problem.ts";

/** The campaign that an entity is in, by the word of its ad group or its own; `undefined` where it was not read. */
export function campaignOf(
  { spec, next }: Pick<CheckedChange, "spec" | "next">,
  { account }: Pick<PreflightContext, "account">,
): Fields | undefined {
  const id = account.entity(adGroupKind(spec.kind), next["adGroupId"])?.["campaignId"] ?? next["campaignId"];
  return account.entity(`${spec.kind.split(".")[0]}.campaigns`, id);
}
