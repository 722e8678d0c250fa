import type { PlatformAds } from "../../../../client/platform_ads.ts";
import { ConfigurationError } from "../../../../errors.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import type { CliContext } from "../../shell/context/context.ts";

/**
 * Connects if a login exists, otherwise returns `undefined`: data already received can be stored and shown without
 * one. The demo account listens, because its queue is read over HTTP.
 *
 * @param options `shareDemo` lets other processes use the demo account at the same time.
 */
export async function connectIfPossible(
  context: CliContext,
  options: { readonly shareDemo?: boolean } = {},
): Promise<PlatformAds | undefined> {
  try {
    return await connectAds(context, { ...options, listenDemo: true });
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}
