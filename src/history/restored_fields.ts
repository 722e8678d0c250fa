import type { ResourceSpec } from "../resources/resource_spec.ts";
import type { Fields } from "../resources/wire/resource_wire.ts";
import type { HistoryEvent } from "./history_event.ts";

/** Placements as updates name them, by the position that the history gives. */
const PLACEMENTS: Readonly<Record<string, string>> = {
  TOP_OF_SEARCH: "PLACEMENT_TOP",
  DETAIL_PAGE: "PLACEMENT_PRODUCT_PAGE",
  REST_OF_SEARCH: "PLACEMENT_REST_OF_SEARCH",
};

const FIELDS: Readonly<Record<string, string>> = {
  STATUS: "state",
  BID_AMOUNT: "bid",
  DEFAULT_BID_AMOUNT: "defaultBid",
  BUDGET_AMOUNT: "budget",
  NAME: "name",
  START_DATE: "startDate",
  END_DATE: "endDate",
  PORTFOLIO_ID: "portfolioId",
  PORTFOLIO: "portfolioId",
  SMART_BIDDING_STRATEGY: "dynamicBidding",
  PLACEMENT_GROUP: "dynamicBidding",
};

/** The value that a change was made to: changes of one value have one key. */
export function valueKey({ entityType, entityId, changeType, metadata }: HistoryEvent): string {
  const position = metadata["placementGroupPosition"] ?? "";
  return [entityType, entityId, fieldOf(entityType, changeType) ?? changeType, changeType, position].join(
    " ",
  );
}

/**
 * The part of an update that puts a value back to what it was before a change; a text that says why there is none.
 *
 * @param entity The entity as it is now.
 */
export function restoredFields(
  event: HistoryEvent,
  { spec, entity }: { spec: ResourceSpec; entity: Fields },
): Fields | string {
  const { entityType, changeType, previousValue: value } = event;
  const field = fieldOf(entityType, changeType);
  if (field === undefined || !spec.updatable.includes(field)) {
    return `a change of ${changeType} cannot be undone by an update`;
  }
  if (changeType === "PLACEMENT_GROUP") return placement(event);
  if (value === undefined) {
    return spec.clearable?.includes(field)
      ? { [field]: null }
      : `"${field}" had no value before and cannot be emptied again`;
  }
  const restored = readValue(changeType, value.trim(), { spec, entity, field });
  return restored ?? `"${field}" cannot be set to "${value}"`;
}

function readValue(
  changeType: string,
  value: string,
  { spec, entity, field }: { spec: ResourceSpec; entity: Fields; field: string },
): Fields | undefined {
  switch (changeType) {
    case "STATUS":
      return spec.settableStates.includes(value.toUpperCase()) ? { state: value } : undefined;
    case "NAME":
      return value === "" ? undefined : { name: value };
    case "START_DATE":
    case "END_DATE": {
      const [day] = /^\d{4}-\d{2}-\d{2}(?=$|T)/.exec(value) ?? [];
      return day === undefined ? undefined : { [field]: day };
    }
    case "PORTFOLIO":
    case "PORTFOLIO_ID":
      return /^\d+$/.test(value) ? { portfolioId: value } : undefined;
    case "SMART_BIDDING_STRATEGY":
      return /^[A-Z_]+$/.test(value) ? { dynamicBidding: { strategy: value } } : undefined;
    default: {
      const amount = Number(value);
      if (value === "" || !Number.isFinite(amount)) return undefined;
      // Products campaigns have the amount inside of the budget, Brands campaigns beside its type.
      const isInside = changeType === "BUDGET_AMOUNT" && typeof entity["budget"] === "object";
      return { [field]: isInside ? { budget: amount } : amount };
    }
  }
}

function placement({ previousValue = "0", metadata }: HistoryEvent): Fields | string {
  const position = String(metadata["placementGroupPosition"] ?? "an unnamed placement");
  const placement = PLACEMENTS[position];
  const percentage = Number(previousValue);
  if (placement === undefined || !Number.isFinite(percentage)) {
    return `the adjustment of ${position} cannot be set to "${previousValue}"`;
  }
  return { dynamicBidding: { placementBidding: [{ placement, percentage }] } };
}

function fieldOf(entityType: string, changeType: string): string | undefined {
  return entityType === "AD_GROUP" && changeType === "BID_AMOUNT" ? "defaultBid" : FIELDS[changeType];
}
