import type { JsonObject } from "../core/json.ts";
import type { Draft, RuleContext } from "./entity_resource.ts";
import type { ItemError } from "./item_error.ts";
import type { Fields } from "./shape.ts";

/** An entity that another one lies in. */
export interface FlatParent {
  readonly field: string;
  /** Its collection. */
  readonly kind: string;
}

/** Operation ids of a resource; what is absent is not served. */
interface FlatOperations {
  readonly list?: string;
  /** Lists with dates and serving status. */
  readonly listExtended?: string;
  readonly get?: string;
  /** Reads one with dates and serving status. */
  readonly getExtended?: string;
  readonly create?: string;
  readonly update?: string;
  readonly archive?: string;
}

/**
 * A resource of the older kind, as data: bare arrays, ids as integers, states in lower case, lists by query, and a
 * verdict for each item in the order of the request.
 */
export interface FlatResource {
  /** Collection, for example `sd.campaigns`. */
  readonly kind: string;
  readonly path: string;
  /** Placeholder of the path of one. */
  readonly idParam: string;
  /** Field that holds the id, in entities and verdicts. */
  readonly idField: string;
  /** Fields that are bare integers on the wire. */
  readonly idFields: readonly string[];
  /** Singular noun for messages. */
  readonly noun: string;
  readonly operations: FlatOperations;
  readonly createFields: Fields;
  /** Fields of an update, besides the id. */
  readonly updateFields: Fields;
  /** Fields that an update empties with `null`; elsewhere `null` counts as left out. */
  readonly clearable?: readonly string[];
  /** Fields of an update whose value must be that which the entity has. */
  readonly immutable?: readonly string[];
  /** Its ancestors, the nearest first. */
  readonly parents: readonly FlatParent[];
  /** Id filters of a list: name in the query, field of the entity. */
  readonly idFilters: Readonly<Record<string, string>>;
  /** Field that the filter `name` compares; absent: no such filter. */
  readonly nameField?: string;
  readonly maxItems: number;
  /** States that a list may ask for. @default enabled, paused, archived */
  readonly states?: readonly string[];
  /** Status of a create. @default 207 */
  readonly createStatus?: number;
  /** Completes a new entity. */
  readonly complete?: (item: JsonObject, context: RuleContext) => JsonObject;
  /** Errors that shape alone does not show. */
  readonly rules?: (draft: Draft, context: RuleContext) => readonly ItemError[];
  /** Fields that the plain views leave out. */
  readonly notPlain?: readonly string[];
  /** Fields that the extended views leave out. */
  readonly notExtended?: readonly string[];
  /** Serving status of one that is on and whose parents are. */
  readonly live: string;
  /** First words of the serving status of one that is paused or archived, such as `CAMPAIGN`. */
  readonly statusWord: string;
}
