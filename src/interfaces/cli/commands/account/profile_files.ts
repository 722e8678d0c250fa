import { AccountFiles } from "../../../../account/files/account_files.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { fileSystem } from "../../../../base/runtime/file_system.ts";

export function profileName({ countryCode, profileId }: ProfilePlace): string {
  return `${countryCode}-${profileId}`;
}

export function profileFolder(folder: string, profile: ProfilePlace): string {
  return fileSystem().join(folder, profileName(profile));
}

export interface NoFiles {
  readonly leftOut: string;
  readonly isMissing: boolean;
}

/**
 * Prefers a profile's own folder, then the folder's common files.
 *
 * @returns The files of a profile, or the reason why there are none; `isMissing` unless they are for other markets.
 * @throws {ConfigurationError} when the folder contains neither.
 * @throws {AccountFilesError} when the common files are invalid.
 */
export async function filesOfMany(
  folder: string,
): Promise<(profile: ProfileClient) => Promise<AccountFiles | NoFiles>> {
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
    if (files === undefined) {
      return { leftOut: `There is no folder ${profileName(profile)}`, isMissing: true };
    }
    const { markets } = files.settings;
    return markets === undefined || markets.includes(profile.countryCode)
      ? files
      : { leftOut: `The files are for ${markets.join(", ")}`, isMissing: false };
  };
}

type ProfilePlace = Pick<ProfileClient, "countryCode" | "profileId">;
