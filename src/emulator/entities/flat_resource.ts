import type { JsonObject } from "../core/json.ts";
import type { Draft, RuleContext } from "./entity_resource.ts";
import type { ItemError } from "./item_error.ts";
import type { Fields } from "./shape.ts";

export interface FlatParent {
  readonly field: string;
  readonly kind: string;
}

interface FlatOperations {
  readonly list?: string;
  readonly listExtended?: string;
  readonly get?: string;
  readonly getExtended?: string;
  readonly create?: string;
  readonly update?: string;
  readonly archive?: string;
}

/** Older API style: bare arrays, integer ids, lower-case states, and verdicts in request order. */
export interface FlatResource {
  readonly kind: string;
  readonly path: string;
  readonly idParam: string;
  readonly idField: string;
  readonly idFields: readonly string[];
  readonly noun: string;
  readonly operations: FlatOperations;
  readonly createFields: Fields;
  readonly updateFields: Fields;
  /** Fields that an update clears with `null`; otherwise `null` is ignored. */
  readonly clearable?: readonly string[];
  readonly immutable?: readonly string[];
  readonly parents: readonly FlatParent[];
  readonly idFilters: Readonly<Record<string, string>>;
  readonly nameField?: string;
  readonly maxItems: number;
  readonly states?: readonly string[];
  readonly createStatus?: number;
  readonly complete?: (item: JsonObject, context: RuleContext) => JsonObject;
  readonly rules?: (draft: Draft, context: RuleContext) => readonly ItemError[];
  readonly notPlain?: readonly string[];
  readonly notExtended?: readonly string[];
  readonly live: string;
  readonly statusWord: string;
}
