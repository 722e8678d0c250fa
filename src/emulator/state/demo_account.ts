import type { PlacedProfile, ProfileRecord } from "./profile_record.ts";
import type { ProfileContents } from "./profile_state.ts";

/** Deterministic ids by number. */
export interface IdSource {
  /** The id with this number, as decimal text. */
  at(number: number): string;
}

/** Sources of a demo profile's contents. */
export interface DemoSource {
  /** The emulator's seed. */
  readonly seed: string;
  /** Source of ids. */
  readonly ids: IdSource;
  /** Position of the profile among the demo profiles, from 0. */
  readonly number: number;
  /** The moment of the first request to the profile, milliseconds since the epoch. */
  readonly now: number;
}

/** Builds the account that an emulator starts with. Equal ids and sources give equal accounts. */
export interface DemoAccount {
  /** The profiles of the account. */
  profiles(ids: IdSource): PlacedProfile[];
  /** Contents of a profile before any changes. */
  contents(record: ProfileRecord, source: DemoSource): ProfileContents;
  /** True for an id that the account already uses; absent if new ids cannot collide with it. */
  isTaken?(id: string): boolean;
}
