import type { JsonObject } from "../core/json.ts";
import type { PlacedProfile } from "./profile_record.ts";

/** The entities of a profile and its traffic levels, at the time of the copy. */
export interface ProfileCopy extends PlacedProfile {
  /** Entities by collection, such as `sp.keywords`, in the format of the platform's newest API. */
  readonly collections: Readonly<Record<string, readonly JsonObject[]>>;
}

/** A copy of an account that an emulator runs instead of its demo account. */
export interface AccountCopy {
  /** When the copy was taken, ISO 8601. */
  readonly takenAt: string;
  /** Profiles of the copy; the emulator has no others. */
  readonly profiles: readonly ProfileCopy[];
}
