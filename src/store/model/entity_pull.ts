import type { ResourceKind } from "../../client/entities/kinds.ts";
import { StoreError } from "./store_error.ts";

/** A reading of the entities of a kind in a profile. */
export interface EntityPull {
  /** Profile they belong to. */
  readonly profileId: string;
  /** Country of the profile. */
  readonly countryCode: string;
  /** Kind, for example `sp.keywords`. */
  readonly kind: ResourceKind;
  /** When, ISO 8601. */
  readonly pulledAt: string;
  /** How they were read: from the platform, or from a file that a person downloaded. */
  readonly source: EntitySource | "file";
  /**
   * When the kind was stored last before the reading began, milliseconds since the epoch; 0 for never.
   * @default what is stored is replaced whenever it was
   */
  readonly since?: number | undefined;
}

/** Another program stored newer entities meanwhile. */
export class OvertakenError extends StoreError {}

/**
 * Refuses entities read before others were stored.
 *
 * @param last When the kind was stored last, as text.
 * @throws {OvertakenError} where that was after the reading began.
 */
export function refuseOvertaken({ kind, since }: EntityPull, last: string | undefined): void {
  if (since === undefined || since === (last === undefined ? 0 : Date.parse(last))) return;
  throw new OvertakenError(
    `Cannot store entities of ${kind}: another program stored them while they were read`,
  );
}

/** How entities are read: page by page, or as one file. */
export type EntitySource = "list" | "export";

/** An entity laid out for a store: its id, its fields as JSON, and what is searched by. */
export interface StoredEntity {
  /** The platform's id, digits as text. */
  readonly id: string;
  /** All its fields as JSON, their keys in order. */
  readonly data: string;
  /** The text of a keyword in lower case; `null` for other kinds. */
  readonly keywordText: string | null;
}

/** Changes of a pull. */
export interface EntityChanges {
  /** Entities that there are now. */
  readonly entities: number;
  /** Entities that were not stored. */
  readonly added: number;
  /** Entities with other fields than before. */
  readonly changed: number;
  /** Entities that are stored and did not come. */
  readonly removed: number;
}

/** Outcome of storing the entities of one kind in one profile by a sync. */
export interface EntityOutcome extends Pick<EntityPull, "profileId" | "countryCode" | "kind"> {
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
