import type { JsonObject } from "../core/json.ts";
import type { Draft, RuleContext } from "./entity_resource.ts";
import type { ItemError } from "./item_error.ts";
import type { Fields } from "./shape.ts";

export interface FlatParent {
  readonly field: string;
  /** Its collection. */
  readonly kind: string;
}

/** Operation ids; absent ones are not served. */
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
  /** Path placeholder of one entity. */
  readonly idParam: string;
  /** Id field in entities and verdicts. */
  readonly idField: string;
  /** Fields with bare integers on the wire. */
  readonly idFields: readonly string[];
  readonly noun: string;
  readonly operations: FlatOperations;
  readonly createFields: Fields;
  /** Fields of an update, without the id. */
  readonly updateFields: Fields;
  /** Fields that an update clears with `null`; otherwise `null` is ignored. */
  readonly clearable?: readonly string[];
  /** Fields that an update may only repeat. */
  readonly immutable?: readonly string[];
  /** Parents, nearest first. */
  readonly parents: readonly FlatParent[];
  /** Id filters of a list: entity field by query name. */
  readonly idFilters: Readonly<Record<string, string>>;
  /** Field of the filter `name`; absent for none. */
  readonly nameField?: string;
  readonly maxItems: number;
  /** States for lists. @default enabled, paused, archived */
  readonly states?: readonly string[];
  /** Status of a create. @default 207 */
  readonly createStatus?: number;
  /** Adds defaults to a new entity. */
  readonly complete?: (item: JsonObject, context: RuleContext) => JsonObject;
  /** Errors beyond the shape. */
  readonly rules?: (draft: Draft, context: RuleContext) => readonly ItemError[];
  /** Fields that the plain views leave out. */
  readonly notPlain?: readonly string[];
  /** Fields that the extended views leave out. */
  readonly notExtended?: readonly string[];
  /** Serving status of an enabled entity with enabled parents. */
  readonly live: string;
  /** Prefix of the serving status of a paused or archived one, such as `CAMPAIGN`. */
  readonly statusWord: string;
}
