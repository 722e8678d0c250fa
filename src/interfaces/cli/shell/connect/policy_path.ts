import type { CliContext } from "../context/context.ts";

/**
 * Path of the policy that the options or the settings name; `undefined` without one.
 *
 * @param variables The variables of the environment and the dotenv file.
 */
export function policyPath(
  { globals }: Pick<CliContext, "globals">,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return globals.policy ?? (variables["PLATFORM_ADS_POLICY"] || undefined);
}
