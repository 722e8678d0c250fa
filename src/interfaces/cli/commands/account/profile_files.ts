import { AccountFiles } from "../../../../account/files/account_files.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { fileSystem } from "../../../../base/runtime/file_system.ts";

/** Name of what belongs to one profile in a folder of many, for example `CA-192654822749401`. */
export function profileName({ countryCode, profileId }: ProfilePlace): string {
  return `${countryCode}-${profileId}`;
}

/** Folder of the account files of one profile, in a folder of many. */
export function profileFolder(folder: string, profile: ProfilePlace): string {
  return fileSystem().join(folder, profileName(profile));
}

/**
 * The account files of many profiles: those of a profile's own folder, as a pull of many writes them, otherwise those that
 * the folder itself holds for all of them.
 *
 * @returns the files of a profile, or why there are none for it.
 * @throws {ConfigurationError} when the folder holds neither.
 * @throws {AccountFilesError} when the common files cannot be used.
 */
export async function filesOfMany(
  folder: string,
): Promise<(profile: ProfileClient) => Promise<AccountFiles | { readonly leftOut: string }>> {
  const names = await fileSystem().list(folder);
  const hasOwn = names.some((name) => /^[A-Z]{2}-\d{1,20}$/.test(name));
  const common = await (hasOwn ? AccountFiles.loadIfThere(folder) : AccountFiles.load(folder));
  common?.checkEdited();
  return async (profile) => {
    const own = names.includes(profileName(profile))
      ? await AccountFiles.loadIfThere(profileFolder(folder, profile))
      : undefined;
    own?.checkEdited();
    const files = own ?? common;
    if (files === undefined) return { leftOut: `There is no folder ${profileName(profile)}` };
    const { markets } = files.settings;
    return markets === undefined || markets.includes(profile.countryCode)
      ? files
      : { leftOut: `The files are for ${markets.join(", ")}` };
  };
}

type ProfilePlace = Pick<ProfileClient, "countryCode" | "profileId">;
