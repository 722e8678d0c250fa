import type { PlatformAds } from "../../../../client/platform_ads.ts";
import { ConfigurationError } from "../../../../errors.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import type { CliContext } from "../../shell/context/context.ts";

/**
 * Connects where there is a login; `undefined` without one: what was received already can be stored and shown without it.
 *
 * @param options `shareDemo` lets other processes use the demo account meanwhile.
 */
export async function connectIfPossible(
  context: CliContext,
  options: { readonly shareDemo?: boolean } = {},
): Promise<PlatformAds | undefined> {
  try {
    return await connectAds(context, options);
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}
