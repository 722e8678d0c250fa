import type { PlatformAds } from "../../../client/platform_ads.ts";
import { ConfigurationError } from "../../../errors.ts";
import { withAds } from "../../core/connect.ts";
import type { CliContext } from "../../core/context.ts";

/**
 * Connects where there is a login, and passes the client to `step`; without a login, `undefined`: what was received
 * already can be stored and shown without one.
 *
 * @param options `shareDemo` lets other processes use the demo account meanwhile.
 */
export async function withPlatform(
  context: CliContext,
  step: (ads: PlatformAds | undefined) => Promise<number>,
  options: { readonly shareDemo?: boolean } = {},
): Promise<number> {
  let hasBegun = false;
  try {
    return await withAds(context, (ads) => {
      hasBegun = true;
      return step(ads);
    }, options);
  } catch (error) {
    if (hasBegun || !(error instanceof ConfigurationError)) throw error;
    return await step(undefined);
  }
}
