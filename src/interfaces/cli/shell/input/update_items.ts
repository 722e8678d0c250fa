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

export interface UpdateItems {
  readonly items: readonly Fields[];
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
  const items: Fields[] = [];
  let read = 0;
  const bad = new BadRows();
  const unchanged = { count: 0, places: [] as string[] };
  const known = new Map<string, Fields>();
  const fieldsOf = (id: string, { values, where }: InputRecord): Fields => {
    const key = columns.map(({ name }) => cellKey(values[name])).join("\u0000");
    const before = known.get(key);
    if (before !== undefined) return before;
    const fields: Fields = {};
    let hasRelative = false;
    for (const column of columns) {
      const given = values[column.name];
      if (given === undefined || given === "") continue;
      const value = given === null
        ? clearedValue(spec, column.path, where)
        : changedValue(given, column, where);
      setField(fields, column.parts, { value, where });
      hasRelative ||= isRelative(column.path, value);
    }
    if (!isEmpty(fields) && !hasRelative) {
      prepareUpdate(spec, { [spec.idField]: id, ...fields }, { index: items.length });
    }
    if (known.size < MAX_KNOWN) known.set(key, fields);
    return fields;
  };
  const add = (record: InputRecord): void => {
    const { values, where } = record;
    const id = idValue(values[idName], { name: idName, where });
    if (seen.has(id)) {
      throw new UsageError(`${spec.noun} ${id} is in ${firstWith(id, idName, input)} and again in ${where}`);
    }
    seen.add(id);
    // Refuses it in its own words.
    if (!isId(spec, id)) prepareUpdate(spec, { [spec.idField]: id }, { index: items.length });
    read += 1;
    if (read % REPORT_EVERY === 0) onProgress?.(read);
    const fields = fieldsOf(id, record);
    if (isEmpty(fields)) {
      unchanged.count++;
      if (unchanged.places.length < MAX_NAMED) unchanged.places.push(where);
      return;
    }
    items.push({ [spec.idField]: id, ...fields });
  };
  for (const record of input.records) bad.attempt(record, () => add(record));
  bad.refuse();
  if (items.length === 0) throw new UsageError("Cannot plan updates: no row changes anything");
  return { items, ignored, unchanged };
}

function isEmpty(fields: Fields): boolean {
  for (const _ in fields) return false;
  return true;
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
