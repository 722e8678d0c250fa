import type { ResourceSpec } from "../../resources/resource_spec.ts";
import { UsageError } from "../core/cli_error.ts";
import { changedValue, idValue } from "./cell_values.ts";
import { fieldNames } from "./field_names.ts";
import type { InputRecords } from "../text/parse_records.ts";

/** One entity to update: its id and the values of the fields to change, by their paths. */
export interface UpdateItem {
  /** Id. */
  readonly id: string;
  /** Values by path; a {@linkcode RelativeValue} where it is to be worked out. */
  readonly changes: ReadonlyMap<string, unknown>;
  /** Where the file says so. */
  readonly where: string;
}

/** The updates that a file asks for. */
export interface UpdateItems {
  /** The updates, in the order of the file. */
  readonly items: readonly UpdateItem[];
  /** Columns that were left out because their fields cannot be changed. */
  readonly ignored: readonly string[];
}

/**
 * Turns the records of a file into updates. Empty cells change nothing.
 *
 * @throws {UsageError} for a missing id column, an unknown column, a repeated id, or a value that cannot be.
 */
export function updateItems(input: InputRecords, spec: ResourceSpec): UpdateItems {
  const changeable = [spec.idField, ...spec.updatable];
  const { paths, ignored } = fieldNames(input.names, { spec, changeable });
  const idName = [...paths].find(([, path]) => path === spec.idField)?.[0];
  if (idName === undefined) {
    throw new UsageError(
      `Cannot plan updates: there is no column "${spec.idField}" (or "id") to know each ${spec.noun} by`,
    );
  }
  const columns = [...paths].filter(([, path]) => path !== spec.idField);
  if (columns.length === 0) {
    throw new UsageError(
      `Cannot plan updates: no column holds anything to change. Changeable are ${spec.updatable.join(", ")}`,
    );
  }

  const seen = new Map<string, string>();
  const items = input.records.flatMap(({ values, where }): UpdateItem[] => {
    const id = idValue(values[idName], { name: idName, where });
    const before = seen.get(id);
    if (before !== undefined) {
      throw new UsageError(`Cannot plan updates: ${spec.noun} ${id} is in ${before} and again in ${where}`);
    }
    seen.set(id, where);
    const changes = new Map<string, unknown>();
    for (const [name, path] of columns) {
      const value = values[name];
      if (value === undefined || value === null || value === "") continue;
      changes.set(path, changedValue(value, { ...input, path, name, where }));
    }
    return changes.size === 0 ? [] : [{ id, changes, where }];
  });
  if (items.length === 0) throw new UsageError("Cannot plan updates: no row changes anything");
  return { items, ignored };
}
