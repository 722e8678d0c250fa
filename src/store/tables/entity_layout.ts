import { KINDS, PROFILE_KINDS, type ResourceKind } from "../../client/entities/kinds/kinds.ts";
import { kindWord } from "../../platform/catalog/kind_names.ts";
import { REPORT_PRESET_NAMES } from "../../client/reports/requests/presets.ts";
import type { ResourceSpec } from "../../client/entities/model/resource_spec.ts";
import type { JsonType } from "./sql_dialect.ts";

interface EntityColumn {
  readonly name: string;
  readonly path: string;
  readonly type: JsonType;
}

export interface EntityLayout {
  readonly kind: ResourceKind;
  readonly plural: string;
  readonly view: string;
  readonly idField: string;
  readonly columns: readonly EntityColumn[];
  /** True where `keyword_text` is in lower case. */
  readonly hasKeywordText: boolean;
}

const NUMBERS: ReadonlySet<string> = new Set(["budget.budget", "budget.effectiveBudget", "budget.amount"]);
const BOOLEANS: ReadonlySet<string> = new Set(["inBudget", "isMultiAdGroupsEnabled"]);

export const ENTITY_LAYOUTS: readonly EntityLayout[] = PROFILE_KINDS.map((kind) => layoutOf(kind));

function layoutOf(kind: ResourceKind): EntityLayout {
  const spec: ResourceSpec = KINDS[kind];
  const { idField, plural } = spec;
  const name = kindWord(kind);
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
