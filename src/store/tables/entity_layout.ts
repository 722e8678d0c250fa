import { KINDS, PROFILE_KINDS, type ResourceKind } from "../../client/entities/kinds.ts";
import { spellKind } from "../../client/entities/model/kind_names.ts";
import { REPORT_PRESET_NAMES } from "../../client/reports/requests/presets.ts";
import type { ResourceSpec } from "../../client/entities/model/resource_spec.ts";
import type { JsonType } from "./sql_dialect.ts";

/** A column of the view of a kind. */
interface EntityColumn {
  /** Name: the last part of the path. */
  readonly name: string;
  /** Path in the entity, with dots between its parts. */
  readonly path: string;
  /** Type of the value; lists and objects are JSON as text. */
  readonly type: JsonType;
}

/** How the entities of a kind are shown. */
export interface EntityLayout {
  /** Kind as plans write it, for example `sp.ad_groups`. */
  readonly kind: ResourceKind;
  /** Noun in the plural. */
  readonly plural: string;
  /** Name of the view; `_entities` is added where a report has the name of the kind. */
  readonly view: string;
  /** Field of the id, which is the first column. */
  readonly idField: string;
  /** Further columns. */
  readonly columns: readonly EntityColumn[];
  /** True where `keyword_text` has the text in lower case. */
  readonly hasKeywordText: boolean;
}

/** Amounts that a kind does not name as numbers, for an update gives them in other ways. */
const NUMBERS: ReadonlySet<string> = new Set(["budget.budget", "budget.effectiveBudget", "budget.amount"]);
const BOOLEANS: ReadonlySet<string> = new Set(["inBudget", "isMultiAdGroupsEnabled"]);

/** How each kind of entity is shown, in the order of the kinds. */
export const ENTITY_LAYOUTS: readonly EntityLayout[] = PROFILE_KINDS.map((kind) => layoutOf(kind));

function layoutOf(kind: ResourceKind): EntityLayout {
  const spec: ResourceSpec = KINDS[kind];
  const { idField, plural } = spec;
  const name = spellKind(kind, "tool");
  const computed = new Set(
    Object.entries(spec.computed ?? {}).flatMap(([field, parts]) => parts.map((part) => `${field}.${part}`)),
  );
  const paths = [...spec.columns, ...spec.moreFields ?? []].filter((path) =>
    path !== idField && !computed.has(path)
  );
  return {
    kind,
    plural,
    view: REPORT_PRESET_NAMES.some((report) => report === name) ? `${name}_entities` : name,
    idField,
    columns: paths.map((path) => ({
      name: path.slice(path.lastIndexOf(".") + 1),
      path,
      type: NUMBERS.has(path) || spec.numeric.includes(path)
        ? "number"
        : BOOLEANS.has(path)
        ? "boolean"
        : "text",
    })),
    hasKeywordText: paths.includes("keywordText"),
  };
}
