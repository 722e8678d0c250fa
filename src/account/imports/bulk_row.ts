import { KINDS, type ResourceKind } from "../../client/entities/kinds/kinds.ts";
import type { ResourceSpec } from "../../client/entities/model/resource_spec.ts";
import { requiredAnywhere } from "../../client/entities/wire/wire_of.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import { type FileForm, OpenValue } from "../sheets/bulk_table.ts";
import { SHEET_PRODUCTS } from "../sheets/products.ts";
import type { SheetEntity } from "../sheets/sheet_entity.ts";
import { nested } from "../sheets/sheet_row.ts";
import { foreignCurrency } from "../tables/currency_marks.ts";
import type { SheetLine } from "../tables/sheet_lines.ts";
import { type BulkCells, UnknownWord } from "./bulk_cells.ts";

/** An entity in a row of a bulk sheet, in a form that can be stored as JSON. */
export interface BulkRow {
  readonly number: number;
  /** Position in the list of all entities of bulk sheets. */
  readonly entity: number;
  readonly id: string;
  readonly fields: readonly (readonly [path: string, value: unknown])[];
  /** Amounts and days whose format is decided by the whole file, with their index in the fields. */
  readonly open?: readonly (readonly [at: number, value: WrittenValue])[];
}

type WrittenValue = Pick<OpenValue, "kind" | "text" | "currency">;

/** Reads an amount or day in the formats of the file. */
export type Settle = ReturnType<FileForm["settled"]>;

const ENTITIES: readonly SheetEntity[] = SHEET_PRODUCTS.flatMap(({ entities }) => entities);

export function kindOf({ entity }: BulkRow): ResourceKind {
  return ENTITIES[entity]?.kind as ResourceKind;
}

export function idHeaderOf({ entity }: BulkRow): string {
  return ENTITIES[entity]?.idHeader ?? "";
}

/** Reads an entity from a line; `isLeftOut` is true if the line has an unknown word. */
export function readBulkRow(
  cells: BulkCells,
  line: SheetLine,
  entity: SheetEntity,
): { readonly row: BulkRow; readonly isLeftOut: boolean } | undefined {
  const { table } = cells;
  const spec: ResourceSpec = KINDS[entity.kind as ResourceKind];
  const required = requiredAnywhere(spec);
  const id = cells.id(line, entity.idHeader);
  if (id === undefined) return undefined;
  const fields: (readonly [string, unknown])[] = [[spec.idField, id]];
  let isLeftOut = false;
  for (const { header, path, value, parent } of entity.columns) {
    if (parent !== undefined) {
      // Programs that merge equal cells leave all but the first of them empty.
      const isBlank = table.raw(line, header).trim() === "" && !required.includes(path);
      const owner = isBlank ? undefined : cells.id(line, header);
      if (owner !== undefined) fields.push([path, owner]);
      continue;
    }
    try {
      const found = table.value(line, { header, value });
      if (found !== undefined) fields.push([path, found]);
    } catch (error) {
      if (!(error instanceof RangeError) || value.use !== "word" || isChanged(cells, line, header)) {
        cells.keepOut(line, error, header);
        continue;
      }
      cells.keepOut(line, new UnknownWord(`${header} "${table.raw(line, header).trim()}"`));
      isLeftOut = true;
    }
  }
  const open = fields.flatMap(([, value], at) => {
    if (!(value instanceof OpenValue)) return [];
    const { kind, text, currency } = value;
    return [[at, { kind, text, currency }] as const];
  });
  const row = {
    number: line.number,
    entity: ENTITIES.indexOf(entity),
    id,
    fields: fields.map(([path, value]) => [path, value instanceof OpenValue ? null : value] as const),
    ...(open.length === 0 ? {} : { open }),
  };
  return { row, isLeftOut };
}

/** True if a program converted the cell. */
function isChanged({ table }: BulkCells, line: SheetLine, header: string): boolean {
  try {
    table.text(line, header, "word");
    return false;
  } catch {
    return true;
  }
}

/**
 * Returns the entity of a row.
 *
 * @param options.onError Receives the error of each amount and day that cannot be read, with its header.
 */
export function entityOf(
  row: BulkRow,
  { settle, countryCode, onError = () => {} }: {
    readonly settle: Settle;
    readonly countryCode: string;
    readonly onError?: ((error: unknown, header: string) => void) | undefined;
  },
): EntityFields {
  const entity = ENTITIES[row.entity];
  const open = new Map(row.open);
  const fields = row.fields.map(([path, value], at): readonly [string, unknown] => {
    const written = open.get(at);
    if (written === undefined) return [path, value];
    try {
      const found = settle(new OpenValue(written.kind, written.text, written.currency));
      if (foreignCurrency(found.currency ?? "", countryCode) === undefined) return [path, found.value];
      throw new RangeError(`"${written.text}" is not in the currency of ${countryCode}`);
    } catch (error) {
      onError(error, entity?.columns.find((one) => one.path === path)?.header ?? "");
      return [path, undefined];
    }
  });
  const whole = nested(fields);
  return entity?.onCreate?.(whole) ?? whole;
}
