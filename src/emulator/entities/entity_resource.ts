import type { Clock } from "../core/clock.ts";
import type { JsonObject } from "../core/json.ts";
import type { EmulatorState } from "../state/emulator_state.ts";
import type { ProfileState } from "../state/profile_state.ts";
import type { Filter } from "./filter.ts";
import type { ItemError } from "./item_error.ts";
import type { Fields } from "./shape.ts";

/** Facts for rules beside the entity itself. */
export interface RuleContext {
  readonly profile: ProfileState;
  /** Today in the profile's time zone, `YYYY-MM-DD`. */
  readonly today: string;
  readonly clock: Clock;
  readonly state: EmulatorState;
}

/** A change about to be made. */
export interface Draft {
  /** The entity as it would be. */
  readonly after: JsonObject;
  /** The entity as it is; absent for a create. */
  readonly before?: JsonObject;
  /** The item that was sent. */
  readonly item: JsonObject;
}

/** A value of an entity whose changes go into the change history. */
export interface TrackedValue {
  /** STATUS, BID_AMOUNT and kin. */
  readonly changeType: string;
  /** The value as text; `undefined` when there is none. */
  readonly read: (entity: JsonObject) => string | undefined;
  /** Further fields of its events. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The part of the change history that a resource writes. */
export interface HistorySpec {
  readonly entityType: string;
  /** True for kinds whose changes the history does not return: reports of past days need them. @default false */
  readonly unpublished?: boolean;
  /** The values that are followed. */
  readonly tracked: readonly TrackedValue[];
  /** Further fields of every event of the entity, beside its campaign and ad group. */
  readonly metadata?: (entity: JsonObject) => Readonly<Record<string, string>>;
}

/** How entities of a collection are created and changed, as data. */
export interface EntityRules {
  /** Name of the collection, for example `sp.keywords`. */
  readonly kind: string;
  /** Name of the entity in errors, for example `KEYWORD`. */
  readonly entityType: string;
  /** Format of moments in `extendedData`: text, or milliseconds since the epoch. @default "text" */
  readonly moments?: "text" | "number";
  /** Required ancestors: a campaign, or an ad group of one. */
  readonly parents: readonly ("campaign" | "adGroup")[];
  /** Fields of an item of a create. */
  readonly createFields: Fields;
  /** Fields of an item of an update, the id among them. */
  readonly updateFields: Fields;
  /** Fields that `null` empties in an update; in other fields it counts as left out. */
  readonly clearable?: readonly string[];
  /** Completes a new entity with what the platform fills in. */
  readonly complete?: (item: JsonObject, context: RuleContext) => JsonObject;
  /** Fields that follow from what was sent, in creates and (with the entity as it is) updates alike. */
  readonly derive?: (item: JsonObject, before?: JsonObject) => JsonObject;
  /** Errors that shape alone does not show. */
  readonly rules?: (draft: Draft, context: RuleContext) => ItemError[];
  /** Why an entity may not be archived. */
  readonly archiveRules?: (entity: JsonObject) => ItemError[];
  /** Further effects of creating an entity. */
  readonly created?: (entity: JsonObject, context: RuleContext) => void;
  /** Error family and reason when another entity holds what must be unique. */
  readonly notUnique?: readonly [errorType: string, reason: string];
  /** Entries in the change history; absent: none. */
  readonly history?: HistorySpec;
}

/** One resource with a list and batch writes, as data. */
export interface EntityResource extends EntityRules {
  /** Path of the writes, for example `/sp/keywords`. */
  readonly path: string;
  /** The one media type of requests and responses. */
  readonly mediaType: string;
  /** Name of the list in bodies, for example `keywords`. */
  readonly collection: string;
  /** The id in a success of a batch. */
  readonly resultIdField: string;
  /** The entity in a success of a batch, when the caller asks for it. */
  readonly echoField: string;
  /** Operation ids; without `archive` there is no such operation. */
  readonly operations: {
    readonly list: string;
    /** Creates; absent where creates have paths of their own. */
    readonly create?: string;
    readonly update: string;
    readonly archive?: string;
  };
  readonly idFilter: { readonly name: string; readonly max: number };
  readonly filters: Readonly<Record<string, Filter>>;
  /** Most entities on a page of a list. @default 1000 */
  readonly largestPage?: number;
  /** Field of a list with the number of matches. @default "totalResults" */
  readonly totalField?: string;
  readonly maxItems: number;
}
