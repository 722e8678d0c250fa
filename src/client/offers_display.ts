import type { ProfileClient } from "./profile_client.ts";
import { ApiError } from "../errors.ts";

const REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 422]);

/**
 * True if the profile has Sponsored Display. Without Display the platform rejects its lists; other failures are
 * thrown.
 */
export async function offersDisplay(
  profile: ProfileClient,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<boolean> {
  try {
    for await (const _ of profile.sd.campaigns.iter({ ...options, pageSize: 1, states: null })) break;
    return true;
  } catch (error) {
    if (error instanceof ApiError && REFUSALS.has(error.statusCode)) return false;
    throw error;
  }
}
