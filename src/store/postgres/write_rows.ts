import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Cell } from "../encode_row.ts";
import type { PullRecord } from "../store_driver.ts";
import { copyText } from "./copy_text.ts";
import type { Session } from "./database.ts";
import type { Sql } from "./sql.ts";

type Batches = AsyncIterable<readonly (readonly Cell[])[]>;

/**
 * When the rows of a pull become known, in milliseconds since the epoch: after everything that is known of its days, also
 * where the clock was set back.
 */
export async function knownFrom(
  sql: Sql,
  { layout, profileId, start, end, pulledAt }: PullRecord,
): Promise<number> {
  const [row] = await sql.text(
    "SELECT max(pulled_at) AS newest FROM days WHERE profile_id = $1 AND report = $2 AND date BETWEEN $3 AND $4",
    [profileId, layout.report, start, end],
  );
  const now = Date.parse(pulledAt);
  return typeof row?.["newest"] === "string" ? Math.max(now, Date.parse(row["newest"]) + 1) : now;
}

/**
 * Brings the rows of a pull's days to what the pull has. A row that is stored as it comes is not touched; the versions of
 * changed and vanished rows are closed and kept in the history.
 *
 * @returns how many rows each day has.
 */
export async function writeRows(
  session: Session,
  pull: PullRecord,
  { batches, known }: { batches: Batches; known: number },
): Promise<Map<string, number>> {
  const { layout: { table }, profileId, start, end } = pull;
  const stored = await session.text(
    `SELECT 1 FROM ${table} WHERE profile_id = $1 AND date BETWEEN $2::date AND $3::date LIMIT 1`,
    [profileId, start, end],
  );
  if (stored.length === 0) return await copyRows(session, pull, { batches, known, table });
  await session.text(`CREATE TEMPORARY TABLE fresh (LIKE ${table}) ON COMMIT DROP`);
  const perDay = await copyRows(session, pull, { batches, known, table: "fresh" });
  await session.text("ANALYZE fresh");
  await applyChanges(session, pull, known);
  return perDay;
}

/**
 * Compares the rows in `fresh` with the stored ones: rows of one key on one day are paired in their order. What differs
 * is closed and written anew.
 */
async function applyChanges(session: Session, pull: PullRecord, known: number): Promise<void> {
  const { layout: { table, columns }, profileId, start, end } = pull;
  const key = columns.filter((column) => column.key).map(({ name }) => `"${name}"`);
  const others = columns.filter((column) => !column.key).map(({ name }) => `"${name}"`);
  const names = ["profile_id", ...key, ...others, "extra", "repeat"].join(", ");
  const days = [profileId, start, end];
  const range = "profile_id = $1 AND date BETWEEN $2::date AND $3::date";
  const numbered = (from: string, where: string): string =>
    `(SELECT *, row_number() OVER (PARTITION BY ${
      key.join(", ")
    } ORDER BY repeat) AS nth FROM ${from} ${where})`;
  const row = (of: string): string =>
    `(${[...others.map((name) => `${of}.${name}`), `${of}.extra::text`].join(", ")})`;
  const pairs = [...key, "nth"].map((name) => `stored.${name} = fresh.${name}`).join(" AND ");
  await session.text(
    `CREATE TEMPORARY TABLE changes ON COMMIT DROP AS
     SELECT ${key.map((name) => `stored.${name}`).join(", ")}, stored.repeat, fresh.repeat AS fresh_repeat
     FROM ${numbered(table, `WHERE ${literal(range, days)}`)} AS stored
     FULL JOIN ${numbered("fresh", "")} AS fresh ON ${pairs}
     WHERE stored.repeat IS NULL OR fresh.repeat IS NULL OR ${row("stored")} IS DISTINCT FROM ${
      row("fresh")
    }`,
  );
  const isClosed = [...key, "repeat"].map((name) => `${table}.${name} = changes.${name}`).join(" AND ");
  await session.text(
    `INSERT INTO ${table}_history (${names}, known_from, known_to)
     SELECT ${names.split(", ").map((name) => `${table}.${name}`).join(", ")}, ${table}.known_from, ${known}
     FROM ${table} JOIN changes ON ${isClosed}
     WHERE ${table}.profile_id = $1 AND ${table}.date BETWEEN $2::date AND $3::date`,
    days,
  );
  await session.text(
    `DELETE FROM ${table} USING changes
     WHERE ${table}.profile_id = $1 AND ${table}.date BETWEEN $2::date AND $3::date AND ${isClosed}`,
    days,
  );
  await session.text(
    `INSERT INTO ${table} (${names}, known_from)
     SELECT ${names.replace(/, repeat$/, "")}, repeat + offset_of.first, ${known}
     FROM fresh, (SELECT coalesce(max(repeat) + 1, 0) AS first FROM ${table} WHERE ${range}) AS offset_of
     WHERE repeat IN (SELECT fresh_repeat FROM changes)`,
    days,
  );
  await session.text("DROP TABLE fresh, changes");
}

/** A statement that makes a table takes no values: days and digits are written into it. */
function literal(text: string, values: readonly string[]): string {
  return text.replace(
    /\$(\d)/g,
    (_place, number) => `'${values[Number(number) - 1]?.replaceAll("'", "''")}'`,
  );
}

async function copyRows(
  session: Session,
  { layout, profileId }: PullRecord,
  { batches, known, table }: { batches: Batches; known: number; table: string },
): Promise<Map<string, number>> {
  const perDay = new Map<string, number>();
  const names = layout.columns.map(({ name }) => `"${name}"`);
  const copy = session.copyIn(
    `COPY ${table} (profile_id, ${names.join(", ")}, extra, repeat, known_from) FROM STDIN`,
  );
  const count = (day: string): void => void perDay.set(day, (perDay.get(day) ?? 0) + 1);
  const text = copyText({ profileId, knownFrom: known }, batches, count);
  await pipeline(Readable.from(text, { objectMode: true }), copy);
  return perDay;
}
