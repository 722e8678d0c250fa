import type { Mutant } from "./mutant.ts";

/** A mutant that no test needs to notice. */
export interface AcceptedMutant extends Pick<Mutant, "path" | "before" | "after"> {
  /** Part of the line that it is on, where the same change elsewhere in the file is to be noticed. */
  readonly within?: string;
  /** Why not. */
  readonly why: string;
}
