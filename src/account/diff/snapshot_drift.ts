import { requiredId } from "../../base/json/id_of.ts";
import { canonicalJson } from "../../base/json/canonical_json.ts";
import { withoutFields } from "../../base/json/fields_of.ts";
import { parseJson } from "../../base/json/json.ts";
import { cellText } from "../../base/json/field_path.ts";
import { KINDS } from "../../client/entities/kinds/kinds.ts";
import type { ResourceSpec } from "../../client/entities/model/resource_spec.ts";
import { lostOnEither } from "../../client/entities/wire/late_wire.ts";
import { ENTITY_LAYOUTS, type EntityLayout } from "../../store/tables/entity_layout.ts";
import { viewColumn } from "../../store/views/view_columns.ts";
import type { QueryOptions, Warehouse } from "../../store/warehouse/warehouse.ts";
import type { DriftEntry } from "./drift_entry.ts";
import type { NamedEvent } from "./named_events.ts";
import { fieldsOfEvent } from "./plan_record.ts";

type Row = Readonly<Record<string, unknown>>;

const MAX_ROWS = 1_000_000;

/** Finds fields that changed without a history event. Needs syncs before and after the range. */
export async function snapshotDrift(
  store: Warehouse,
  profileId: string,
  { since, known }: { since: number; known: readonly NamedEvent[] },
): Promise<DriftEntry[]> {
  const reported = new Set(
    known.flatMap(({ event }) =>
      fieldsOfEvent(event).map((field) => `${event.entityId} ${field.split(".")[0]}`)
    ),
  );
  const found: DriftEntry[] = [];
  for (const layout of ENTITY_LAYOUTS) {
    const sql = `SELECT * FROM ${layout.view} WHERE profile_id = ?`;
    const asOf = new Date(since).toISOString();
    const read = async (options: QueryOptions): Promise<Row[]> =>
      (await store.query(sql, [profileId], { ...options, maxRows: MAX_ROWS })).rows.map((row) =>
        fieldsIn(layout, row)
      );
    const before = await read({ asOf });
    if (before.length === 0) continue;
    const now = new Map((await read({})).map((row) => [requiredId(row, layout.idField), row]));
    for (const row of before) {
      const id = requiredId(row, layout.idField);
      const next = now.get(id);
      if (next !== undefined) found.push(...differences(layout, { id, row, next, reported }));
    }
  }
  return found;
}

function differences(
  { kind, columns }: EntityLayout,
  { id, row, next, reported }: { id: string; row: Row; next: Row; reported: ReadonlySet<string> },
): DriftEntry[] {
  const spec: ResourceSpec = KINDS[kind];
  // A field that one wire does not read has not changed where the two reads went by different ones.
  const lost = lostOnEither(spec, { ...next });
  const isLost = ({ name, path }: EntityLayout["columns"][number]): boolean =>
    lost.includes(path) && (row[name] ?? null) === null !== ((next[name] ?? null) === null);
  const text = (value: unknown, path: string): string => cellText(readPart(value, path, lost));
  return columns.filter((column) =>
    text(row[column.name], column.path) !== text(next[column.name], column.path) && !isLost(column) &&
    !reported.has(`${id} ${column.path.split(".")[0]}`)
  ).map(({ name, path }): DriftEntry => ({
    at: null,
    kind,
    id,
    label: KINDS[kind].label({ ...next }),
    change: path,
    before: row[name] ?? null,
    after: next[name] ?? null,
    by: "other",
    plan: null,
  }));
}

function readPart(value: unknown, path: string, lost: readonly string[]): unknown {
  if (typeof value !== "string" || !lost.some((part) => part.startsWith(`${path}.`))) return value;
  return canonicalJson(withoutFields({ [path]: parseJson(value) }, lost)[path]);
}

function fieldsIn({ idField, columns }: EntityLayout, row: Row): Row {
  return Object.fromEntries(
    [idField, ...columns.map(({ name }) => name)].map((name) => [name, row[viewColumn(name)]]),
  );
}
