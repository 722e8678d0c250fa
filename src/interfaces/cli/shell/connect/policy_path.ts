import type { CliContext } from "../context/context.ts";

export function policyPath(
  { globals }: Pick<CliContext, "globals">,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return globals.policy ?? (variables["PLATFORM_ADS_POLICY"] || undefined);
}
