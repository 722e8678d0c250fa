import type { JsonObject } from "../core/json.ts";
import type { PlacedProfile } from "./profile_record.ts";

/** The entities of a profile, and levels of its traffic, at the time of the copy. */
export interface ProfileCopy extends PlacedProfile {
  /** Entities by collection, such as `sp.keywords`, as the platform's newest API writes them. */
  readonly collections: Readonly<Record<string, readonly JsonObject[]>>;
}

/** A copy of an account that an emulator plays in place of its demo account. */
export interface AccountCopy {
  /** When it was taken, ISO 8601. */
  readonly takenAt: string;
  /** The only profiles that the emulator has then. */
  readonly profiles: readonly ProfileCopy[];
}
