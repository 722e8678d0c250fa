import type { Clock } from "../core/clock.ts";
import type { JsonObject } from "../core/json.ts";
import type { EmulatorState } from "../state/emulator_state.ts";
import type { ProfileState } from "../state/profile_state.ts";
import type { Filter } from "./filter.ts";
import type { ItemError } from "./item_error.ts";
import type { Fields } from "./shape.ts";

export interface RuleContext {
  readonly profile: ProfileState;
  /** Current day in the profile's time zone. */
  readonly today: string;
  readonly clock: Clock;
  readonly state: EmulatorState;
}

export interface Draft {
  /** The entity after the change. */
  readonly after: JsonObject;
  /** The entity before; absent for a create. */
  readonly before?: JsonObject;
  /** The sent item. */
  readonly item: JsonObject;
}

/** A value recorded in the change history. */
export interface TrackedValue {
  /** STATUS, BID_AMOUNT and kin. */
  readonly changeType: string;
  /** The value as text, if any. */
  readonly read: (entity: JsonObject) => string | undefined;
  /** Further fields of its events. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A resource's part in the change history. */
export interface HistorySpec {
  readonly entityType: string;
  /** True for changes that the history does not return but reports of past days need. @default false */
  readonly unpublished?: boolean;
  /** Recorded values. */
  readonly tracked: readonly TrackedValue[];
  /** Further fields of each event, beside campaign and ad group. */
  readonly metadata?: (entity: JsonObject) => Readonly<Record<string, string>>;
}

/** Rules of creating and changing entities, as data. */
export interface EntityRules {
  readonly kind: string;
  /** Name in errors, for example `KEYWORD`. */
  readonly entityType: string;
  /** Format of moments in `extendedData`. @default "text" */
  readonly moments?: "text" | "number";
  readonly parents: readonly ("campaign" | "adGroup")[];
  readonly createFields: Fields;
  /** Fields of an update, including the id. */
  readonly updateFields: Fields;
  /** Fields that `null` clears in an update; otherwise `null` is ignored. */
  readonly clearable?: readonly string[];
  /** Adds the platform's defaults to a new entity. */
  readonly complete?: (item: JsonObject, context: RuleContext) => JsonObject;
  /** Derives fields from the sent ones. */
  readonly derive?: (item: JsonObject, before?: JsonObject) => JsonObject;
  /** Errors beyond the shape. */
  readonly rules?: (draft: Draft, context: RuleContext) => ItemError[];
  /** Errors of archiving. */
  readonly archiveRules?: (entity: JsonObject) => ItemError[];
  /** Side effects of a create. */
  readonly created?: (entity: JsonObject, context: RuleContext) => void;
  /** Error family and reason of a duplicate. */
  readonly notUnique?: readonly [errorType: string, reason: string];
  /** Change history; absent for none. */
  readonly history?: HistorySpec;
}

/** A resource with a list and batch writes, as data. */
export interface EntityResource extends EntityRules {
  readonly path: string;
  readonly mediaType: string;
  /** List in bodies, for example `keywords`. */
  readonly collection: string;
  /** Id in a success. */
  readonly resultIdField: string;
  /** Entity in a success, on request. */
  readonly echoField: string;
  /** Operation ids; absent ones do not exist. */
  readonly operations: {
    readonly list: string;
    /** Absent where creates have their own paths. */
    readonly create?: string;
    readonly update: string;
    readonly archive?: string;
  };
  readonly idFilter: { readonly name: string; readonly max: number };
  readonly filters: Readonly<Record<string, Filter>>;
  /** Maximum page size. @default 1000 */
  readonly largestPage?: number;
  /** Field with the number of matches. @default "totalResults" */
  readonly totalField?: string;
  readonly maxItems: number;
}
