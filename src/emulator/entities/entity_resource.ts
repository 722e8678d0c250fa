import type { Clock } from "../core/clock.ts";
import type { JsonObject } from "../core/json.ts";
import type { EmulatorState } from "../state/emulator_state.ts";
import type { ProfileState } from "../state/profile_state.ts";
import type { Filter } from "./filter.ts";
import type { ItemError } from "./item_error.ts";
import type { Fields } from "./shape.ts";

export interface RuleContext {
  readonly profile: ProfileState;
  readonly today: string;
  readonly clock: Clock;
  readonly state: EmulatorState;
}

export interface Draft {
  readonly after: JsonObject;
  readonly before?: JsonObject;
  readonly item: JsonObject;
}

export interface TrackedValue {
  readonly changeType: string;
  readonly read: (entity: JsonObject) => string | undefined;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface HistorySpec {
  readonly entityType: string;
  /** True for changes that the history does not return but reports of past days need. @default false */
  readonly unpublished?: boolean;
  readonly tracked: readonly TrackedValue[];
  readonly metadata?: (entity: JsonObject) => Readonly<Record<string, string>>;
}

export interface EntityRules {
  readonly kind: string;
  readonly entityType: string;
  readonly moments?: "text" | "number";
  readonly parents: readonly ("campaign" | "adGroup")[];
  readonly createFields: Fields;
  readonly updateFields: Fields;
  /** Fields that `null` clears in an update; otherwise `null` is ignored. */
  readonly clearable?: readonly string[];
  readonly complete?: (item: JsonObject, context: RuleContext) => JsonObject;
  readonly derive?: (item: JsonObject, before?: JsonObject) => JsonObject;
  readonly rules?: (draft: Draft, context: RuleContext) => ItemError[];
  readonly archiveRules?: (entity: JsonObject) => ItemError[];
  readonly created?: (entity: JsonObject, context: RuleContext) => void;
  readonly notUnique?: readonly [errorType: string, reason: string];
  readonly history?: HistorySpec;
}

export interface EntityResource extends EntityRules {
  readonly path: string;
  readonly mediaType: string;
  readonly collection: string;
  readonly resultIdField: string;
  readonly echoField: string;
  readonly operations: {
    readonly list: string;
    readonly create?: string;
    readonly update: string;
    readonly archive?: string;
  };
  readonly idFilter: { readonly name: string; readonly max: number };
  readonly filters: Readonly<Record<string, Filter>>;
  readonly largestPage?: number;
  /** Field with the number of matches. @default "totalResults" */
  readonly totalField?: string;
  readonly maxItems: number;
}
