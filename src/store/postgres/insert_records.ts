import { chunks } from "../../base/lists/chunks.ts";
import type { Cell } from "../model/encode_rows.ts";
import { COMMON_COLUMNS } from "../model/stream_columns.ts";
import type { DatasetRows } from "../model/stream_tables.ts";
import type { StoreSql } from "../tables/store_sql.ts";
import { STREAM_TYPES } from "./stream_schema.ts";

const AT_ONCE = 5000;

export async function insertRecords({ run }: StoreSql, { layout, rows }: DatasetRows): Promise<number> {
  const columns = [
    ...COMMON_COLUMNS.map(([name, type]) => [name, STREAM_TYPES[type]] as const),
    ...layout.columns.map(({ name, type }) => [name, STREAM_TYPES[type]] as const),
    ["extra", "json"] as const,
  ];
  const names = columns.map(([name]) => `"${name}"`).join(", ");
  // Values come as lists: their names need not be sent with every row.
  const values = columns.map(([, type], index) =>
    `CAST(line.cells ->> ${index} AS ${type.replace(/ COLLATE.*/, "")})`
  );
  let stored = 0;
  for (const part of chunks(rows.toSorted(byId), AT_ONCE)) {
    const [row] = await run(
      `WITH fresh AS (
         INSERT INTO ${layout.table} (${names})
         SELECT ${
        values.join(", ")
      } FROM json_array_elements(CAST(? AS json)) WITH ORDINALITY AS line (cells, place)
         ORDER BY place ON CONFLICT (id) DO NOTHING RETURNING 1
       ) SELECT count(*) AS n FROM fresh`,
      [JSON.stringify(part)],
    );
    stored += Number(row?.["n"]);
  }
  return stored;
}

function byId([a]: readonly Cell[], [b]: readonly Cell[]): number {
  return String(a) < String(b) ? -1 : 1;
}
