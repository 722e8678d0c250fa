import { idOf } from "../../../base/json/id_of.ts";
import { KINDS, type ResourceKind } from "../../../client/entities/kinds/kinds.ts";
import { isEditable } from "../../../operations/plans/draft_items.ts";
import { editedValue } from "../../../operations/plans/edit_fields.ts";

export const GRID_TABLES = {
  campaigns: ["sp.campaigns", "sb.campaigns", "sd.campaigns"],
  ad_groups: ["sp.ad_groups", "sb.ad_groups", "sd.ad_groups"],
  keywords: ["sp.keywords", "sb.keywords"],
  targets: ["sp.targets", "sb.targets", "sd.targets"],
  negatives: [
    "sp.negative_keywords",
    "sp.campaign_negative_keywords",
    "sp.negative_targets",
    "sp.campaign_negative_targets",
    "sb.negative_keywords",
    "sb.negative_targets",
    "sd.negative_targets",
  ],
  ads: ["sp.product_ads", "sb.ads", "sd.product_ads"],
  portfolios: ["portfolios"],
} as const satisfies Readonly<Record<string, readonly ResourceKind[]>>;

export type GridTable = keyof typeof GRID_TABLES;

export function isGridTable(name: string): name is GridTable {
  return Object.hasOwn(GRID_TABLES, name);
}

/** States that can be set in the grid; archiving is irreversible and not an edit. */
const STATES = ["ENABLED", "PAUSED"];

export const SETTINGS = [
  "name",
  "state",
  "budget",
  "bid",
  "start",
  "end",
  "portfolio",
  "top",
  "rest",
  "product",
] as const;

const PLACEMENTS = {
  top: "PLACEMENT_TOP",
  rest: "PLACEMENT_REST_OF_SEARCH",
  product: "PLACEMENT_PRODUCT_PAGE",
} as const;

type Setting = typeof SETTINGS[number];

export interface GridRow {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly [setting: string]: unknown;
}

export function editableFields(kind: ResourceKind): Partial<Record<Setting, string>> {
  const canPause = STATES.every((state) => KINDS[kind].settableStates.some((one) => one === state));
  return Object.fromEntries(
    SETTINGS.flatMap((column) => {
      const field = fieldOf(kind, column);
      if (column in PLACEMENTS && kind !== "sp.campaigns") return [];
      return isEditable(kind, field) && (column !== "state" || canPause) ? [[column, field]] : [];
    }),
  );
}

export function fieldOf(kind: ResourceKind, column: Setting): string {
  switch (column) {
    case "bid":
      return kind.endsWith("ad_groups") ? "defaultBid" : "bid";
    case "budget":
      return kind === "sp.campaigns" ? "budget.budget" : kind === "portfolios" ? "budget.amount" : "budget";
    case "start":
    case "end":
      return `${column}Date`;
    case "portfolio":
      return "portfolioId";
    case "top":
    case "rest":
    case "product":
      return `dynamicBidding.placementBidding.${PLACEMENTS[column]}`;
    default:
      return column;
  }
}

/** Makes a row of the grid; `undefined` for an entity without an id, which cannot be updated. */
export function gridRow(kind: ResourceKind, entity: Readonly<Record<string, unknown>>): GridRow | undefined {
  const spec = KINDS[kind];
  const id = idOf(entity, spec.idField);
  if (id === undefined) return undefined;
  const { keywordText, matchType, campaignId, adGroupId, portfolioId, targetingType } = entity;
  const settings = SETTINGS.flatMap((column) => {
    const value = editedValue(entity, fieldOf(kind, column));
    return value === undefined || value === null ? [] : [[column, value] as const];
  });
  const own = { campaignId, adGroupId, portfolioId };
  const parents = Object.entries(own).filter(([field, value]) =>
    field !== spec.idField && value !== undefined
  );
  const { state, ...others } = Object.fromEntries(settings);
  return {
    ...others,
    kind,
    id,
    name: String(entity["name"] ?? keywordText ?? spec.label(entity)),
    ...(state === undefined ? {} : { state: String(state).toUpperCase() }),
    ...(matchType === undefined && targetingType === undefined ? {} : { match: matchType ?? targetingType }),
    ...Object.fromEntries(parents.map(([field, value]) => [PARENT_COLUMNS[field] ?? field, value])),
  };
}

const PARENT_COLUMNS: Readonly<Record<string, string>> = {
  campaignId: "campaign_id",
  adGroupId: "ad_group_id",
  portfolioId: "portfolio_id",
};
