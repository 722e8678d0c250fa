import { idOf } from "../../../../base/json/id_of.ts";
import { withArticle } from "../../../../platform/catalog/kind_names.ts";
import type { ResourceSpec } from "../../../../client/entities/model/resource_spec.ts";
import { UsageError } from "../io/cli_error.ts";
import { isId, prepareUpdate } from "../../../../client/entities/model/check_items.ts";
import type { InputRecord, InputRecords } from "./read_input.ts";
import { BadRows } from "./bad_rows.ts";
import { changedValue, idValue, isRelative } from "./cell_values.ts";
import { fieldNames } from "./field_names.ts";
import { type Fields, setField } from "./nest_fields.ts";

const REPORT_EVERY = 50_000;
const MAX_KNOWN = 100_000;
const MAX_NAMED = 10;

/** Shared between records with the same values. */
export interface UpdateValues {
  readonly changes: readonly (readonly [path: string, value: unknown])[];
  readonly fields: Fields;
  readonly isWorkedOut: boolean;
}

export interface UpdateRow {
  readonly id: string;
  readonly values: UpdateValues;
}

export interface UpdateItems {
  readonly rows: readonly UpdateRow[];
  readonly relative: number;
  readonly ignored: readonly string[];
  readonly unchanged: { readonly count: number; readonly places: readonly string[] };
}

/**
 * Reads updates from records; empty cells change nothing.
 *
 * @throws {BadRowsError} with every repeated id and invalid value.
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
      `Cannot plan updates: there is no column "${spec.idField}" (or "id") to identify each ${spec.noun}`,
    );
  }
  const columns = [...paths].filter(([, path]) => path !== spec.idField)
    .map(([name, path]) => ({ name, path, parts: path.split("."), isText, decimalComma }));
  if (columns.length === 0) {
    throw new UsageError(
      `Cannot plan updates: no column holds anything to change. Fields to change: ${
        spec.updatable.join(", ")
      }`,
    );
  }

  const seen = new Set<string>();
  const rows: UpdateRow[] = [];
  let read = 0;
  let relative = 0;
  const bad = new BadRows();
  const unchanged = { count: 0, places: [] as string[] };
  const known = new Map<string, UpdateValues>();
  const valuesOf = (id: string, { values, where }: InputRecord): UpdateValues => {
    const key = columns.map(({ name }) => cellKey(values[name])).join("\u0000");
    const before = known.get(key);
    if (before !== undefined) return before;
    const fields: Fields = {};
    const changes: [string, unknown][] = [];
    for (const column of columns) {
      const given = values[column.name];
      if (given === undefined || given === "") continue;
      const value = given === null
        ? clearedValue(spec, column.path, where)
        : changedValue(given, column, where);
      setField(fields, column.parts, { value, where });
      changes.push([column.path, value]);
    }
    const isWorkedOut = changes.some(([, value]) => isRelative(value));
    if (changes.length > 0 && !isWorkedOut) {
      prepareUpdate(spec, { [spec.idField]: id, ...fields }, { index: rows.length });
    }
    const made = { changes, fields, isWorkedOut };
    if (known.size < MAX_KNOWN) known.set(key, made);
    return made;
  };
  const add = (record: InputRecord): void => {
    const { values, where } = record;
    const id = idValue(values[idName], { name: idName, where });
    if (seen.has(id)) {
      throw new UsageError(`${spec.noun} ${id} is in ${firstWith(id, idName, input)} and again in ${where}`);
    }
    seen.add(id);
    // Refuses it in its own words.
    if (!isId(spec, id)) prepareUpdate(spec, { [spec.idField]: id }, { index: rows.length });
    read += 1;
    if (read % REPORT_EVERY === 0) onProgress?.(read);
    const wanted = valuesOf(id, record);
    if (wanted.changes.length === 0) {
      unchanged.count++;
      if (unchanged.places.length < MAX_NAMED) unchanged.places.push(where);
      return;
    }
    if (wanted.isWorkedOut) relative += 1;
    rows.push({ id, values: wanted });
  };
  for (const record of input.records) bad.attempt(record, () => add(record));
  bad.refuse();
  if (rows.length === 0) throw new UsageError("Cannot plan updates: no row changes anything");
  return { rows, relative, ignored, unchanged };
}

function clearedValue({ noun, clearable = [] }: ResourceSpec, path: string, where: string): null {
  if (clearable.includes(path)) return null;
  throw new UsageError(
    `${where}: "${path}" of ${
      withArticle(noun)
    } cannot be emptied with null. Give a value, or leave it out. ` +
      (clearable.length === 0
        ? "None of its fields can be emptied"
        : `Can be emptied: ${clearable.join(", ")}`),
  );
}

/** Distinguishes the number 1 from the text "1". */
function cellKey(cell: unknown): string {
  return typeof cell === "string" ? cell : `\u0001${JSON.stringify(cell) ?? ""}`;
}

function firstWith(id: string, idName: string, { records }: InputRecords): string {
  for (const { values, where } of records) {
    if (idOf(values, idName) === id) return where;
  }
  return "an earlier record";
}
