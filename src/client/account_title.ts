import type { Profile } from "./profile.ts";
import type { ProfileClient } from "./profile_client.ts";

export function accountTitle(
  { accountInfo: { name, type } }: Pick<Profile, "accountInfo">,
): string | undefined {
  if (name === undefined) return undefined;
  return type === undefined ? name : `${name} (${type})`;
}

export async function readAccountTitle(
  { profile, loginProfiles }: Pick<ProfileClient, "profile" | "loginProfiles">,
): Promise<string | undefined> {
  const known = accountTitle(profile);
  if (known !== undefined) return known;
  const listed = await loginProfiles().catch(() => []);
  const own = listed.find(({ profileId }) => profileId === profile.profileId);
  return own && accountTitle(own);
}
