import { flatWire, type FlatWireOptions } from "../wire/flat_wire.ts";
import type { Fields, ResourceWire } from "../model/resource_wire.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";

/** Fields that lists of Sponsored Display hold only where extended data is asked for. */
export const SD_EXTENDED_FIELDS: readonly string[] = ["creationDate", "lastUpdatedDate", "servingStatus"];

/** The wire of a kind of Sponsored Display: JSON without a version, extended data at a path of its own. */
export function sdWire(
  options:
    & Pick<FlatWireOptions, "path" | "idField" | "idFields">
    & Partial<Pick<FlatWireOptions, "listPath" | "toCreate">>,
): ResourceWire {
  return flatWire({
    extendedPath: `${options.path}/extended`,
    listType: "application/json",
    writeType: "application/json",
    pageSize: 0,
    extendedFields: SD_EXTENDED_FIELDS,
    ...options,
  });
}

/** States of everything in Sponsored Display. */
export const SD_STATES: Pick<ResourceSpec, "defaultStates" | "stateCase" | "settableStates"> = {
  defaultStates: ["enabled", "paused"],
  stateCase: "lower",
  settableStates: ["ENABLED", "PAUSED"],
};

/** Words that the platform writes in lower case here, and in capitals elsewhere. */
const LOWER = ["budgetType", "costType", "bidOptimization", "expressionType"];
const DAYS = ["startDate", "endDate"];

/** An item as Sponsored Display writes it: words in lower case, days without hyphens. Either spelling may be given. */
export function withSdWords(item: Fields): Fields {
  const written: Fields = {};
  for (const [field, value] of Object.entries(item)) {
    const isWord = typeof value === "string" && LOWER.includes(field);
    const isDay = typeof value === "string" && DAYS.includes(field);
    written[field] = isWord ? value.toLowerCase() : isDay ? sdDay(value) : value;
  }
  return written;
}

/** A day as Sponsored Display writes it: `20261001` for `2026-10-01`. */
function sdDay(day: string): string {
  return day.replace(/^(\d{4})-(\d{2})-(\d{2})$/, "$1$2$3");
}
