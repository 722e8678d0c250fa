import type { ResourceKind } from "../../resources/kinds.ts";
import type { EntitySource } from "./entity_pull.ts";

/** Outcome of storing the entities of one kind in one profile by a sync. */
export interface EntityOutcome {
  /** The platform's id of the profile, digits as text. */
  readonly profileId: string;
  /** Country of the profile. */
  readonly countryCode: string;
  /** Kind, for example `sp.keywords`. */
  readonly kind: ResourceKind;
  /**
   * `unavailable` where the platform does not let the profile have this kind, `held` where it has far fewer entities
   * than are stored, `left` where the sync was stopped before; what is stored stays as it is.
   */
  readonly state: "stored" | "held" | "unavailable" | "failed" | "left";
  /** How they were read: by an export, what is new or changed was read by its ids. */
  readonly source: EntitySource;
  /** Why they were read so, in words for a person. */
  readonly why: string;
  /** Entities that there are. */
  readonly entities: number;
  /** Entities that were not stored before. */
  readonly added: number;
  /** Entities whose fields changed. */
  readonly changed: number;
  /** Entities that are gone. */
  readonly removed: number;
  /** Why they are not stored. */
  readonly error?: Error;
}
