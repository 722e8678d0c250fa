import type { ProfileClient } from "./profile_client.ts";
import { ApiError } from "../errors.ts";

/** Statuses by which the platform refuses the lists of a product that a profile does not have. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 422]);

/**
 * True when a profile has Sponsored Display, which some accounts and markets do not: the platform refuses its lists
 * then. Any other failure is thrown.
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
