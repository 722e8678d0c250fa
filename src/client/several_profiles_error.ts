import { ConfigurationError } from "../errors.ts";
import type { Profile } from "./profile.ts";

/** More than one profile fits what was asked for. */
export class SeveralProfilesError extends ConfigurationError {
  /** The profiles that fit. */
  readonly candidates: readonly Profile[];

  /** @param message What was asked for, and how to narrow it. */
  constructor(message: string, candidates: readonly Profile[]) {
    super(message);
    this.candidates = candidates;
  }
}
