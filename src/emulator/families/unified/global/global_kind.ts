import type { JsonObject } from "../../../core/json.ts";
import type { Fields } from "../../../entities/shape.ts";
import type { ProfileState } from "../../../state/profile_state.ts";
import type { Noun } from "../common.ts";
import type { UnifiedLimits } from "../limits.ts";
import type { UnifiedKind, UnifiedSource } from "../unified_kind.ts";

/** A copy of a global entity, and the profile that has it. */
export interface Copy {
  readonly marketplace: string;
  readonly profile: ProfileState;
  /** As its profile keeps it. */
  readonly entity: JsonObject;
}

/** A kind of a global account: each of its entities has a copy in the profile of every marketplace. */
export interface GlobalKind {
  /** The kind of a single marketplace, with the filters of the global one. */
  readonly unified: UnifiedKind;
  readonly noun: Noun;
  /** Collection of what its entities are as a whole, kept beside the first profile of their account. */
  readonly collection: string;
  readonly limits: UnifiedLimits;
  /** Field by which a copy names the whole. */
  readonly globalId: (source: UnifiedSource) => string;
  /** Collection that copies of an item or of a whole are kept in. */
  readonly sourceOf: (item: JsonObject) => UnifiedSource;
  readonly createFields: Fields;
  readonly updateFields: Fields;
  /** Fields of the whole that copies take over, on a change too. */
  readonly copied: readonly string[];
  /** Further fields of a new whole that stay with it. */
  readonly kept: readonly string[];
  /** Fields that `null` empties. @default none */
  readonly nullable?: readonly string[];
  /** Countries that a create is for, where it names none. */
  readonly countriesOf?: (item: JsonObject) => string[];
  /** Part of an item that is about one marketplace, beside overrides, as fields of an entity there; `undefined` for nothing. */
  readonly valueIn: (item: JsonObject, marketplace: string) => JsonObject | undefined;
  /** Marketplaces that the values of an item name. */
  readonly valued: (item: JsonObject) => string[];
  /** Place of the values, where a new entity needs one in every marketplace. */
  readonly needs?: { readonly field: string; readonly what: string };
  /** Fields of the whole that are read from its copies. */
  readonly shownValues: (copies: readonly Copy[], whole: JsonObject) => JsonObject;
  /** Further fields in which a copy is otherwise than the whole. */
  readonly differences?: (
    whole: JsonObject,
    copy: Copy & { readonly shown: JsonObject; readonly own: JsonObject },
  ) => JsonObject;
}
