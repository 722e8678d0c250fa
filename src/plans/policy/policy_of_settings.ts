import { stateFolder } from "../../base/runtime/user_folders.ts";
import { loadPolicy, type LoadPolicyOptions } from "./load_policy.ts";
import type { Policy } from "./policy.ts";

/**
 * The policy that `PLATFORM_ADS_POLICY` names, for `PlatformAds.fromEnv()`: it remembers the day where adsctl does.
 *
 * @param options.env Variables that say where the user's folders are.
 */
export async function policyOfSettings(
  path: string,
  { env, ...options }: LoadPolicyOptions & { readonly env: Readonly<Record<string, string | undefined>> },
): Promise<Policy> {
  return await loadPolicy(path, { ...options, ledger: `${stateFolder(env)}/policy-days` });
}
