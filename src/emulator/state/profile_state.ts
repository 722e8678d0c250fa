import type { Region } from "../../base/markets/markets.ts";
import type { JsonObject } from "../core/json.ts";
import { Collection } from "./collection.ts";
import type { HistoryEvent } from "./history_event.ts";
import type { PlacedProfile, ProfileRecord } from "./profile_record.ts";
import type { TrafficLevels } from "./traffic_levels.ts";

/** Contents of a profile: entities by the name of their collection, and the history of their changes. */
export interface ProfileContents {
  /** Entities by collection, in the order of their creation. */
  readonly collections: Readonly<Record<string, readonly JsonObject[]>>;
  /** Changes, oldest first. */
  readonly history: readonly HistoryEvent[];
}

const REQUESTS: ReadonlySet<string> = new Set([
  "reports",
  "free_reports",
  "exports",
  "asset_uploads",
  "creative_assets",
  "creative_asset_batches",
  "stream.subscriptions",
  "clean_room.workflows",
  "clean_room.executions",
  "clean_room.schedules",
]);

/** A profile, as stored in the state file. */
export interface ProfileSnapshot extends ProfileContents {
  /** The profile itself. */
  readonly record: ProfileRecord;
}

/**
 * State of one profile. Its contents are generated on the first request.
 *
 * @example
 * ```ts
 * import type { Emulator } from "@platform/ads/emulator";
 *
 * function sizes(emulator: Emulator): number[] {
 *   return emulator.state.profiles("NA").map((profile) => profile.collection("sp.campaigns").size);
 * }
 * ```
 */
export class ProfileState {
  /** The region whose host serves the profile. */
  readonly region: Region;
  /** Id of the first profile of its advertiser account. */
  readonly account: string;
  /** Traffic levels from which the profile's traffic continues; `undefined` if traffic is made up. */
  readonly levels: TrafficLevels | undefined;
  #record: ProfileRecord;
  #collections: Map<string, Collection> | undefined;
  #history: HistoryEvent[] = [];
  readonly #fill: () => ProfileContents;
  #unchanged: ProfileContents | undefined;
  #unsaved = false;
  #restored = false;
  #saved: string | undefined;

  /**
   * Creates a profile whose contents are generated later.
   *
   * @param placed The profile and its region.
   * @param fill Makes the contents the profile starts with.
   */
  constructor(placed: PlacedProfile, fill: () => ProfileContents) {
    this.region = placed.region;
    this.account = placed.account ?? placed.record.profileId;
    this.levels = placed.levels;
    this.#record = placed.record;
    this.#fill = fill;
  }

  /** Restores the contents from a snapshot instead of generating them with `fill`. */
  restore(snapshot: ProfileSnapshot): void {
    this.#record = snapshot.record;
    this.#load(snapshot);
    this.#unchanged = undefined;
    this.#restored = true;
  }

  /** The profile itself. */
  get record(): ProfileRecord {
    return this.#record;
  }

  /** The profile's id. */
  get id(): string {
    return this.#record.profileId;
  }

  /** True if its contents are loaded; they are generated or read when first needed. */
  get isLoaded(): boolean {
    return this.#collections !== undefined;
  }

  /** Changes the profile itself. */
  updateRecord(changes: Partial<ProfileRecord>): void {
    this.#contents();
    this.#record = { ...this.#record, ...changes };
    this.#changed();
  }

  /** The initial contents; `undefined` once the account has changed. */
  get unchanged(): ProfileContents | undefined {
    this.#contents();
    return this.#unchanged;
  }

  /** The entities of one kind, for example `sp.keywords`; an unknown kind is an empty collection. */
  collection(name: string): Collection {
    const collections = this.#contents();
    let collection = collections.get(name);
    if (collection === undefined) {
      collection = new Collection(name, { changed: () => this.#changed(name) });
      collections.set(name, collection);
    }
    return collection;
  }

  /** Names of all collections that hold or once held entities. */
  collectionNames(): string[] {
    return [...this.#contents().keys()];
  }

  /** Every recorded change, oldest first. */
  history(): readonly HistoryEvent[] {
    this.#contents();
    return this.#history;
  }

  /** Adds a change to the history. */
  recordEvent(event: HistoryEvent): void {
    this.#contents();
    this.#history.push(event);
    this.#changed();
  }

  /** True if something changed since {@linkcode ProfileState.toJsonText} was last called. */
  get unsaved(): boolean {
    return this.#unsaved;
  }

  /** The profile's snapshot as JSON; `undefined` while it is unchanged from `fill`. */
  toJsonText(): string | undefined {
    if (this.#unsaved || (this.#restored && this.#saved === undefined)) {
      const collections: Record<string, readonly JsonObject[]> = {};
      for (const [name, collection] of this.#contents()) collections[name] = collection.all();
      const snapshot: ProfileSnapshot = { record: this.#record, collections, history: this.#history };
      this.#saved = JSON.stringify(snapshot);
      this.#unsaved = false;
    }
    return this.#saved;
  }

  #contents(): Map<string, Collection> {
    return this.#collections ?? this.#load(this.#unchanged = this.#fill());
  }

  #changed(collection?: string): void {
    this.#unsaved = true;
    if (collection === undefined || !REQUESTS.has(collection)) this.#unchanged = undefined;
  }

  #load(contents: ProfileContents): Map<string, Collection> {
    const collections = new Map<string, Collection>();
    for (const [name, entities] of Object.entries(contents.collections)) {
      collections.set(name, new Collection(name, { entities, changed: () => this.#changed(name) }));
    }
    this.#collections = collections;
    this.#history = [...contents.history];
    return collections;
  }
}
