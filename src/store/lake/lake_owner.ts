/** Columns that are folders of a file: a profile with its country, a clean room, or a DSP advertiser. */
export interface LakeOwner {
  readonly country_code?: string;
  readonly profile_id?: string;
  readonly instance_id?: string;
  readonly advertiser_id?: string;
}

export function ownerId({ profile_id, instance_id, advertiser_id }: LakeOwner): string {
  return profile_id ?? instance_id ?? advertiser_id ?? "";
}

/** Folder that readers take for an empty value. */
const NONE = "__HIVE_DEFAULT_PARTITION__";

export function ownerFolders({ country_code, profile_id, instance_id, advertiser_id }: LakeOwner): string[] {
  return Object.entries({ country_code, profile_id, instance_id, advertiser_id }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value === "" ? NONE : encodeURIComponent(value)}`]
  );
}
