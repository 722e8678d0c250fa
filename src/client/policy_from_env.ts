import { type ConnectionSources, readVariables } from "../platform/connection/connection_from_env.ts";
import { ConfigurationError } from "../errors.ts";
import type { ReviewOptions } from "../plans/review/review_plan.ts";
import type { WritePolicy } from "../plans/model/write_policy.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Inputs of a policy. */
interface PolicyOptions {
  readonly figures?: ReviewOptions["figures"] | undefined;
  readonly now?: (() => number) | undefined;
}

/**
 * Loads the policy that the settings name, if they name one. Its module is not part of the graph of `mod.ts`, which needs no packages: it is
 * found beside this one when a policy is named.
 *
 * @throws {ConfigurationError} when it cannot be used. Nothing may be sent then.
 */
export async function policyFromEnv(
  sources: ConnectionSources,
  { figures, now }: PolicyOptions,
): Promise<WritePolicy | undefined> {
  const path = (await readVariables(sources))["PLATFORM_ADS_POLICY"];
  if (path === undefined) return undefined;
  const { policyOfSettings } = await load(path);
  const { process } = globalThis as { process?: { env?: Variables } };
  return await policyOfSettings(path, { env: sources.env ?? process?.env ?? {}, figures, now });
}

interface PolicyModule {
  readonly policyOfSettings: (
    path: string,
    options: PolicyOptions & { readonly env: Variables },
  ) => Promise<WritePolicy>;
}

async function load(path: string): Promise<PolicyModule> {
  // `.ts` in the sources, `.js` in the npm package.
  const extension = /\.[a-z]+$/.exec(import.meta.url)?.[0] ?? "";
  try {
    const module: PolicyModule = await import(
      new URL(`../plans/policy/policy_of_settings${extension}`, import.meta.url).href
    );
    return module;
  } catch (cause) {
    throw new ConfigurationError(
      `Cannot use the policy "${path}" of PLATFORM_ADS_POLICY: this program was built without it. Pass the option ` +
        'policy, with loadPolicy of "@platform/ads/policy"',
      { cause },
    );
  }
}
