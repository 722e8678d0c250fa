import type { ResourceSpec } from "../../resources/resource_spec.ts";
import { UsageError } from "../core/errors/cli_error.ts";
import { prepareCreate } from "../../resources/fields/check_items.ts";
import { knownFields } from "../../resources/fields/known_fields.ts";
import { BadRows } from "./bad_rows.ts";
import { changedValue, isRelative } from "./cell_values.ts";
import { fieldNames } from "./field_names.ts";
import { nestFields } from "./nest_fields.ts";
import type { InputRecord, InputRecords } from "../text/read_input.ts";

/** Fields that the platform fills itself. */
const OF_THE_PLATFORM = new Set(["extendedData", "inBudget", "resolvedExpression", "resolvedExpressions"]);

/** The entities that a file asks for. */
interface CreateItems {
  /** The entities, as the library takes them, in the order of the file. */
  readonly items: readonly Record<string, unknown>[];
  /** Columns that were left out because the platform fills them itself. */
  readonly ignored: readonly string[];
}

/**
 * Turns the records of a file into new entities. Empty cells give no field.
 *
 * @throws {BadRowsError} that names every record with a value that cannot be.
 * @throws {UsageError} for an unknown column.
 */
export function createItems(input: InputRecords, spec: ResourceSpec): CreateItems {
  const fields = [...knownFields(spec), ...spec.updatable, ...spec.idFields];
  const roots = new Set(fields.map((field) => field.split(".")[0]!));
  if (spec.kind === "sb.ads") roots.add("adFormat");
  const changeable = [...roots].filter((root) => root !== spec.idField && !OF_THE_PLATFORM.has(root));
  const { paths, ignored } = fieldNames(input.names, { spec, changeable });
  const { isText, decimalComma } = input;
  const columns = Array.from(paths, ([name, path]) => ({ name, path, isText, decimalComma }));
  const items: Record<string, unknown>[] = [];
  const bad = new BadRows();
  const itemOf = ({ values, where }: InputRecord): Record<string, unknown> | undefined => {
    const item = new Map<string, unknown>();
    for (const column of columns) {
      const { name, path } = column;
      const value = values[name];
      if (value === undefined || value === null || value === "") continue;
      const given = changedValue(value, column, where);
      if (isRelative(given)) {
        throw new UsageError(
          `Cannot use ${where}: "${name}" is ${given.text}, and a new ${spec.noun} has nothing to change`,
        );
      }
      item.set(path, given);
    }
    if (item.size === 0) return undefined;
    const nested = nestFields(item, where);
    prepareCreate(spec, nested, items.length);
    return nested;
  };
  for (const record of input.records) {
    const item = bad.attempt(record, () => itemOf(record));
    if (item !== undefined) items.push(item);
  }
  bad.refuse();
  if (items.length === 0) throw new UsageError("Cannot plan creates: no row holds anything");
  return { items, ignored };
}
