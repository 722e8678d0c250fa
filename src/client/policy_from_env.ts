import { stateFolder } from "../base/runtime/user_folders.ts";
import { ConfigurationError } from "../errors.ts";
import type { WritePolicy } from "../plans/model/write_policy.ts";
import type { ReviewOptions } from "../plans/review/review_plan.ts";
import type { ConnectionSources } from "../platform/connection/connection_from_env.ts";

/** Function that reads a policy file, such as `loadPolicy` of `@platform/ads/policy`. */
export type PolicyLoader = (
  path: string,
  options: {
    readonly ledger: string;
    readonly figures?: ReviewOptions["figures"];
    readonly now?: (() => number) | undefined;
  },
) => Promise<WritePolicy>;

interface PolicyOptions {
  readonly loadPolicy?: PolicyLoader | undefined;
  readonly figures?: ReviewOptions["figures"];
  readonly now?: (() => number) | undefined;
}

/**
 * Loads the policy named by `PLATFORM_ADS_POLICY`. Daily totals are stored in adsctl's folder.
 *
 * @throws {ConfigurationError} when the policy is invalid; nothing may be sent then.
 */
export async function policyFromEnv(
  path: string,
  sources: ConnectionSources,
  { loadPolicy, figures, now }: PolicyOptions,
): Promise<WritePolicy> {
  if (loadPolicy === undefined) {
    throw new ConfigurationError(
      `Cannot use the policy "${path}" of PLATFORM_ADS_POLICY: PlatformAds.fromEnv() was given no loader. Pass ` +
        '{ loadPolicy }, with loadPolicy of "@platform/ads/policy"',
    );
  }
  const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } };
  const ledger = `${
    stateFolder(sources.env ?? process?.env ?? {}, { of: "what the policy counts" })
  }/policy-days`;
  return await loadPolicy(path, { ledger, figures, now });
}
