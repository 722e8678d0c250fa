import type { JsonObject } from "../../core/json.ts";
import type { Fields } from "../../entities/shape.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import type { Noun } from "./common.ts";
import type { UnifiedLimits } from "./limits.ts";
import type { UnifiedKind, UnifiedSource } from "./unified_kind.ts";

export interface Copy {
  readonly marketplace: string;
  readonly profile: ProfileState;
  readonly entity: JsonObject;
}

export interface GlobalKind {
  readonly unified: UnifiedKind;
  readonly noun: Noun;
  /** Global entities are stored in the first profile of their account. */
  readonly collection: string;
  readonly limits: UnifiedLimits;
  readonly globalId: (source: UnifiedSource) => string;
  readonly sourceOf: (item: JsonObject) => UnifiedSource;
  readonly createFields: Fields;
  readonly updateFields: Fields;
  /** Also copied when the global entity changes. */
  readonly copied: readonly string[];
  readonly kept: readonly string[];
  readonly nullable?: readonly string[];
  readonly countriesOf?: (item: JsonObject) => string[];
  /** `undefined` if the item has nothing for this marketplace. */
  readonly valueIn: (item: JsonObject, marketplace: string) => JsonObject | undefined;
  readonly valued: (item: JsonObject) => string[];
  readonly needs?: { readonly field: string; readonly what: string };
  readonly shownValues: (copies: readonly Copy[], whole: JsonObject) => JsonObject;
  readonly differences?: (
    whole: JsonObject,
    copy: Copy & { readonly shown: JsonObject; readonly own: JsonObject },
  ) => JsonObject;
}
