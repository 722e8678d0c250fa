import type { ProfileClient } from "../../client/profile_client.ts";
import { ConfigurationError } from "../../errors.ts";
import type { AccountFiles } from "./account_files.ts";
import { LOCK_FILE } from "./account_lock.ts";
import { SETTINGS_FILE } from "./account_settings.ts";

export function ensureForProfile(
  { lock, settings: { markets } }: AccountFiles,
  { profileId, countryCode }: Pick<ProfileClient, "profileId" | "countryCode">,
  { anyProfile = false }: { anyProfile?: boolean } = {},
): void {
  const shown = `profile ${profileId} (${countryCode})`;
  if (markets !== undefined && !markets.includes(countryCode)) {
    throw new ConfigurationError(
      `Cannot use the account files for ${shown}: ${SETTINGS_FILE} says that they are for ${
        markets.join(", ")
      }. ` +
        `Add ${countryCode} to markets there to use them anyway`,
    );
  }
  const known = Object.entries(lock?.profiles ?? {});
  if (anyProfile || known.length === 0 || known.some(([id]) => id === profileId)) return;
  const others = known.map(([id, { country_code: country }]) => `${id} (${country})`).join(", ");
  // A market that is named, and of which no other profile is known, is one more market for the same files.
  if (markets !== undefined && known.every(([, other]) => other.country_code !== countryCode)) return;
  throw new ConfigurationError(
    `Cannot use the account files for ${shown}: ${LOCK_FILE} belongs to profile ${others}. Use another folder, or ` +
      "copyCampaigns()",
  );
}
