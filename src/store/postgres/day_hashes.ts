import { Buffer } from "node:buffer";
import { eachDay } from "../../base/time/calendar.ts";
import { layoutFingerprint } from "../model/row_hash.ts";
import type { RowComparison } from "../model/row_comparison.ts";
import type { Cell } from "../model/encode_rows.ts";
import type { PullRecord } from "../model/store_driver.ts";
import type { Session } from "./database.ts";

export const DAY_HASHES_MIGRATION = `
  CREATE TABLE day_hashes (
    profile_id text COLLATE "C" NOT NULL,
    report text COLLATE "C" NOT NULL,
    date date NOT NULL,
    layout text NOT NULL,
    hashes bytea NOT NULL,
    PRIMARY KEY (profile_id, report, date)
  );
  ALTER TABLE day_hashes ALTER COLUMN hashes SET STORAGE EXTERNAL;
  `;

export async function rememberStored(
  session: Session,
  pull: PullRecord,
  comparison: RowComparison,
): Promise<boolean> {
  const { layout, profileId, start, end } = pull;
  const counts = await session.text(
    `SELECT date, rows AS n FROM days
     WHERE profile_id = $1 AND report = $2 AND date BETWEEN $3::date AND $4::date AND rows > 0`,
    [profileId, layout.report, start, end],
  );
  if (counts.length === 0) return false;
  const kept = await session.text(
    `SELECT date, encode(hashes, 'base64') AS hashes FROM day_hashes
     WHERE profile_id = $1 AND report = $2 AND date BETWEEN $3::date AND $4::date AND layout = $5`,
    [profileId, layout.report, start, end, layoutFingerprint(layout)],
  );
  const hashes = new Map(kept.map((row) => [String(row["date"]), hashesOf(String(row["hashes"]))]));
  const unknown = new Map<string, Cell[][]>();
  for (const { date, n } of counts) {
    const day = String(date);
    const found = hashes.get(day);
    if (found?.length === Number(n)) comparison.remember(day, found);
    else unknown.set(day, []);
  }
  for (const { cells } of await storedRows(session, pull, (day) => unknown.has(day))) {
    unknown.get(String(cells[0]))?.push(cells);
  }
  for (const [day, rows] of unknown) comparison.remember(day, comparison.hashesOfRows(rows));
  return true;
}

export async function storedRows(
  session: Session,
  { layout: { table, columns }, profileId, start, end }: PullRecord,
  isWanted: (day: string) => boolean,
): Promise<{ cells: Cell[]; repeat: number }[]> {
  const days = [...eachDay({ start, end })].filter(isWanted);
  if (days.length === 0) return [];
  const { rows } = await session.lists({
    text: `SELECT ${columns.map(({ name }) => `"${name}"`).join(", ")}, extra, repeat FROM ${table}
     WHERE profile_id = $1 AND date IN (SELECT value::date FROM json_array_elements_text($2::json))
       AND date BETWEEN $3::date AND $4::date ORDER BY repeat`,
    values: [profileId, JSON.stringify(days), days[0], days.at(-1)],
  });
  return rows.map((row) => ({ cells: row.slice(0, -1).map(cellOf), repeat: Number(row.at(-1)) }));
}

export async function keepHashes(
  session: Session,
  { layout, profileId, start, end }: PullRecord,
  comparison: RowComparison,
): Promise<void> {
  const days = [...eachDay({ start, end })].map((date) => ({
    date,
    // What is left fits no stored row: another program changed the day, which is read as a whole next time.
    hashes: comparison.hasLeft(date) ? "" : Buffer.from(comparison.hashesOf(date).buffer).toString("base64"),
  }));
  await session.text(
    `INSERT INTO day_hashes (profile_id, report, date, layout, hashes)
     SELECT $1, $2, day.date, $3, decode(day.hashes, 'base64') FROM json_to_recordset($4::json) AS day (date date, hashes text)
     ON CONFLICT (profile_id, report, date) DO UPDATE SET layout = excluded.layout, hashes = excluded.hashes`,
    [profileId, layout.report, layoutFingerprint(layout), JSON.stringify(days)],
  );
}

function hashesOf(base64: string): Float64Array {
  const bytes = new Uint8Array(Buffer.from(base64, "base64"));
  return new Float64Array(bytes.buffer);
}

function cellOf(value: unknown): Cell {
  return value === null || typeof value === "number" ? value : String(value);
}
