import type { ResourceKind } from "../../client/entities/kinds/kinds.ts";
import { StoreError } from "./store_error.ts";

/** A pull of the entities of one kind in a profile. */
export interface EntityPull {
  /** Profile that the entities belong to. */
  readonly profileId: string;
  /** Country of the profile. */
  readonly countryCode: string;
  /** Kind, for example `sp.keywords`. */
  readonly kind: ResourceKind;
  /** Time of the pull, ISO 8601. */
  readonly pulledAt: string;
  /** Source of the entities: the platform, or a downloaded file. */
  readonly source: EntitySource | "file";
  /**
   * Time when the kind was last stored before this pull began, milliseconds since the epoch; 0 for never.
   * @default stored entities are replaced without a check
   */
  readonly since?: number | undefined;
}

export class OvertakenError extends StoreError {}

/**
 * `last` is the time at which the kind was last stored.
 *
 * @throws {OvertakenError} when that is after reading started.
 */
export function refuseOvertaken({ kind, since }: EntityPull, last: string | undefined): void {
  if (since === undefined || since === (last === undefined ? 0 : Date.parse(last))) return;
  throw new OvertakenError(
    `Cannot store entities of ${kind}: another program stored them while they were read`,
  );
}

/** Source of entities: a paged list, or an exported file. */
export type EntitySource = "list" | "export";

/** An entity prepared for the store: its id, its fields as JSON, and its search text. */
export interface StoredEntity {
  /** The platform's id, digits as text. */
  readonly id: string;
  /** All its fields as JSON, with sorted keys. */
  readonly data: string;
  /** The text of a keyword in lower case; `null` for other kinds. */
  readonly keywordText: string | null;
}

/** Changes made by a pull. */
export interface EntityChanges {
  /** Current number of entities. */
  readonly entities: number;
  /** Number of new entities. */
  readonly added: number;
  /** Number of entities whose fields changed. */
  readonly changed: number;
  /** Number of stored entities missing from the pull. */
  readonly removed: number;
}

/** Outcome of a sync for the entities of one kind in one profile. */
export interface EntityOutcome extends Pick<EntityPull, "profileId" | "countryCode" | "kind"> {
  /**
   * `unavailable` if the platform does not offer this kind to the profile, `held` if it lists far fewer entities than
   * are stored, `left` if the sync was stopped first. Stored entities then stay unchanged.
   */
  readonly state: "stored" | "held" | "unavailable" | "failed" | "left";
  /** Source of the entities; after an export, new and changed entities were read by id. */
  readonly source: EntitySource;
  /** Reason for this source, for readers. */
  readonly why: string;
  /** Current number of entities. */
  readonly entities: number;
  /** Number of entities that were not stored before. */
  readonly added: number;
  /** Number of entities whose fields changed. */
  readonly changed: number;
  /** Number of entities that no longer exist. */
  readonly removed: number;
  /** Error, if the entities are not stored. */
  readonly error?: Error;
}
