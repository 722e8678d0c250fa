import type { ResourceSpec } from "../../resources/resource_spec.ts";
import { UsageError } from "../core/errors/cli_error.ts";
import { prepareUpdate } from "../../resources/fields/check_items.ts";
import type { InputRecord, InputRecords } from "../text/input_records.ts";
import { BadRows } from "./bad_rows.ts";
import { changedValue, idValue, isRelative } from "./cell_values.ts";
import { fieldNames } from "./field_names.ts";
import { type Fields, setField } from "./nest_fields.ts";

/** Records between two reports of progress. */
const REPORT_EVERY = 50_000;
/** Records that are named where their number is reported. */
const MAX_NAMED = 10;

/** An update with values that are to be worked out from the present ones. */
export interface RelativeUpdate {
  /** Id of the entity. */
  readonly id: string;
  /** Values by path; a {@linkcode RelativeValue} where it is to be worked out. */
  readonly changes: readonly (readonly [path: string, value: unknown])[];
  /** Where the file says so. */
  readonly where: string;
}

/** The updates that a file asks for. */
export interface UpdateItems {
  /** The updates, as the library takes them once no value is to be worked out, in the order of the file. */
  readonly items: readonly Fields[];
  /** Those of them that have values to be worked out. */
  readonly relative: ReadonlyMap<Fields, RelativeUpdate>;
  /** Columns that were left out because their fields cannot be changed. */
  readonly ignored: readonly string[];
  /** Records that give an id and nothing to change: how many, and where the first of them stand. */
  readonly unchanged: { readonly count: number; readonly places: readonly string[] };
}

/**
 * Turns the records of a file into updates. Empty cells change nothing.
 *
 * @param options.onProgress Gets from time to time how many records were read.
 * @throws {BadRowsError} that names every record with a repeated id or a value that cannot be.
 * @throws {UsageError} for a missing id column or an unknown column.
 */
export function updateItems(
  input: InputRecords,
  spec: ResourceSpec,
  { onProgress }: { onProgress?: (count: number) => void } = {},
): UpdateItems {
  const { isText, decimalComma } = input;
  const changeable = [spec.idField, ...spec.updatable];
  const { paths, ignored } = fieldNames(input.names, { spec, changeable });
  const idName = [...paths].find(([, path]) => path === spec.idField)?.[0];
  if (idName === undefined) {
    throw new UsageError(
      `Cannot plan updates: there is no column "${spec.idField}" (or "id") to know each ${spec.noun} by`,
    );
  }
  const columns = [...paths].filter(([, path]) => path !== spec.idField)
    .map(([name, path]) => ({ name, path, parts: path.split("."), isText, decimalComma }));
  if (columns.length === 0) {
    throw new UsageError(
      `Cannot plan updates: no column holds anything to change. Changeable are ${spec.updatable.join(", ")}`,
    );
  }

  const seen = new Set<string>();
  const items: Fields[] = [];
  const relative = new Map<Fields, RelativeUpdate>();
  const bad = new BadRows();
  const unchanged = { count: 0, places: [] as string[] };
  const add = ({ values, where }: InputRecord): void => {
    const id = idValue(values[idName], { name: idName, where });
    if (seen.has(id)) {
      throw new UsageError(`${spec.noun} ${id} is in ${firstWith(id, idName, input)} and again in ${where}`);
    }
    seen.add(id);
    if (seen.size % REPORT_EVERY === 0) onProgress?.(seen.size);
    const item: Fields = { [spec.idField]: id };
    const changes: [string, unknown][] = [];
    for (const column of columns) {
      const given = values[column.name];
      if (given === undefined || given === null || given === "") continue;
      const value = changedValue(given, column, where);
      setField(item, column.parts, { value, where });
      changes.push([column.path, value]);
    }
    if (changes.length === 0) {
      unchanged.count++;
      if (unchanged.places.length < MAX_NAMED) unchanged.places.push(where);
      return;
    }
    const isToBeWorkedOut = changes.some(([, value]) => isRelative(value));
    if (isToBeWorkedOut) relative.set(item, { id, changes, where });
    else prepareUpdate(spec, item, { index: items.length });
    items.push(item);
  };
  for (const record of input.records) bad.attempt(record, () => add(record));
  bad.refuse();
  if (items.length === 0) throw new UsageError("Cannot plan updates: no row changes anything");
  return { items, relative, ignored, unchanged };
}

function firstWith(id: string, idName: string, { records }: InputRecords): string {
  for (const { values, where } of records) {
    if (String(values[idName]) === id) return where;
  }
  return "an earlier record";
}
