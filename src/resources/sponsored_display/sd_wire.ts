import { flatWire, type FlatWireOptions } from "../wire/flat_wire.ts";
import type { ResourceWire } from "../wire/resource_wire.ts";

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
