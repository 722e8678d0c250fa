import type { FlatWireOptions } from "../wire/flat_wire.ts";
import { lateFlat } from "../wire/late_wire.ts";
import type { Fields, LateWire } from "../model/resource_wire.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";

export const SD_EXTENDED_FIELDS: readonly string[] = ["creationDate", "lastUpdatedDate", "servingStatus"];

export function sdWire(
  options:
    & Pick<FlatWireOptions, "path" | "idField" | "idFields">
    & Partial<Pick<FlatWireOptions, "listPath" | "toCreate">>
    & { readonly hasTags?: boolean },
): LateWire {
  return lateFlat({
    extendedPath: `${options.path}/extended`,
    listType: "application/json",
    writeType: "application/json",
    pageSize: 0,
    extendedFields: SD_EXTENDED_FIELDS,
    ...options,
  });
}

export const SD_STATES: Pick<ResourceSpec, "defaultStates" | "stateCase" | "settableStates"> = {
  defaultStates: ["enabled", "paused"],
  stateCase: "lower",
  settableStates: ["ENABLED", "PAUSED"],
};

/** Fields whose values the platform writes in lower case for Display and in upper case elsewhere. */
const LOWER = ["budgetType", "costType", "bidOptimization", "expressionType"];
const DAYS = ["startDate", "endDate"];

/** Converts an item to the words of Display: lower case, and dates without hyphens. Accepts both spellings. */
export function withSdWords(item: Fields): Fields {
  const written: Fields = {};
  for (const [field, value] of Object.entries(item)) {
    const isWord = typeof value === "string" && LOWER.includes(field);
    const isDay = typeof value === "string" && DAYS.includes(field);
    written[field] = isWord ? value.toLowerCase() : isDay ? sdDay(value) : value;
  }
  return written;
}

function sdDay(day: string): string {
  return day.replace(/^(\d{4})-(\d{2})-(\d{2})$/, "$1$2$3");
}
