import type { Cell } from "../model/encode_rows.ts";
import type { ReportLayout } from "../model/report_layout.ts";
import { RowComparison } from "../model/row_comparison.ts";
import type { PullRecord } from "../model/store_driver.ts";
import {
  changesTable,
  emptiedMark,
  holdsSql,
  keptVersions,
  versionColumns,
} from "../tables/kept_versions.ts";
import { sqlDialect } from "../tables/sql_dialect.ts";
import type { Session } from "./database.ts";
import { keepHashes, rememberStored, storedRows } from "./day_hashes.ts";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

type Batches = AsyncIterable<readonly (readonly Cell[])[]>;

/**
 * Unchanged rows are not touched; versions of changed and vanished rows move to the history.
 *
 * @returns Row counts by day.
 */
export async function writeRows(
  session: Session,
  pull: PullRecord,
  { batches, known }: { batches: Batches; known: number },
): Promise<RowComparison> {
  const comparison = new RowComparison(pull.layout);
  if (await rememberStored(session, pull, comparison)) {
    for await (const batch of batches) for (const cells of batch) comparison.add(cells);
    await applyChanges(session, pull, { comparison, known });
  } else {
    const note = (cells: readonly Cell[]): void => void comparison.note(String(cells[0]), cells);
    await copyRows(session, pull, { batches, known, table: pull.layout.table, onRow: note });
  }
  await keepHashes(session, pull, comparison);
  return comparison;
}

interface Place {
  readonly n: number;
  readonly repeat: number;
  readonly kind: "added" | "changed" | "vanished";
  readonly ref: number | null;
}

/** A changed row replaces a stored row with its key; stored rows left over have vanished. */
async function applyChanges(
  session: Session,
  pull: PullRecord,
  { comparison, known }: { comparison: RowComparison; known: number },
): Promise<void> {
  const { table, columns } = pull.layout;
  const { changed } = comparison;
  await session.text(`CREATE TEMPORARY TABLE fresh (LIKE ${table}) ON COMMIT DROP`);
  await copyRows(session, pull, { batches: once(changed), known, table: "fresh" });
  await session.text("ANALYZE fresh");
  const replaced = new Set<string>();
  const places = changed.length === 0 ? [] : await placesOf(session, pull, { comparison, replaced });
  const vanished: Place[] = [];
  const gone: Cell[][] = [];
  for (const { cells, repeat } of await storedRows(session, pull, (day) => comparison.hasLeft(day))) {
    if (replaced.has(nameOf(pull, cells, repeat)) || !comparison.takeLeft(String(cells[0]), cells)) continue;
    vanished.push({ n: changed.length + gone.length, repeat, kind: "vanished", ref: null });
    gone.push(cells);
  }
  await copyRows(session, pull, { batches: once(gone), known, table: "fresh", from: changed.length });
  await session.text(
    "CREATE TEMPORARY TABLE places (n bigint PRIMARY KEY, repeat bigint, kind text, ref bigint) ON COMMIT DROP",
  );
  await session.text(
    `INSERT INTO places
     SELECT n, repeat, kind, CASE kind WHEN 'changed' THEN coalesce(ref, nextval('row_numbers')) END
     FROM json_to_recordset($1::json) AS place (n bigint, repeat bigint, kind text, ref bigint)`,
    [JSON.stringify([...places, ...vanished])],
  );
  await session.text("ANALYZE fresh, places");
  await keepVersions(session, pull, { known, vanished: vanished.length > 0 });
  const names = ["profile_id", ...columns.map(({ name }) => `"${name}"`), "extra"];
  await session.text(
    `INSERT INTO ${table} (${names.join(", ")}, repeat, known_from)
     SELECT ${names.map((name) => `fresh.${name}`).join(", ")}, places.repeat, ${known}
     FROM fresh JOIN places ON fresh.repeat = places.n WHERE places.kind = 'added'`,
  );
}

async function placesOf(
  session: Session,
  pull: PullRecord,
  { comparison, replaced }: { comparison: RowComparison; replaced: Set<string> },
): Promise<Place[]> {
  const { layout: { columns, table }, profileId, start, end } = pull;
  const key = columns.filter((column) => column.key).map(({ name }) => `"${name}"`);
  const cells = [...columns.map(({ name }) => `stored."${name}"`), "stored.extra"];
  const { rows } = await session.lists({
    text: `SELECT ${
      cells.join(", ")
    }, stored.ref, stored.repeat, fresh.repeat AS n FROM fresh JOIN ${table} AS stored
       ON ${key.map((name) => `stored.${name} = fresh.${name}`).join(" AND ")}
     WHERE stored.profile_id = $1 AND stored.date BETWEEN $2::date AND $3::date ORDER BY stored.repeat`,
    values: [profileId, start, end],
  });
  const stored = new Map<number, (readonly unknown[])[]>();
  for (const row of rows) {
    const n = Number(row.at(-1));
    const others = stored.get(n);
    if (others === undefined) stored.set(n, [row]);
    else others.push(row);
  }
  const next = new Map<string, number>();
  return comparison.changed.map((row, n) => {
    const same = stored.get(n) ?? [];
    const before = same.find((each) =>
      !replaced.has(nameOf(pull, each, Number(each.at(-2)))) && comparison.takeLeft(String(row[0]), each)
    );
    if (before !== undefined) {
      replaced.add(nameOf(pull, before, Number(before.at(-2))));
      const ref = before.at(-3) === null ? null : Number(before.at(-3));
      return { n, repeat: Number(before.at(-2)), kind: "changed", ref };
    }
    const name = keyOf(pull, row);
    const repeat = next.get(name) ?? Math.max(-1, ...same.map((each) => Number(each.at(-2)))) + 1;
    next.set(name, repeat + 1);
    return { n, repeat, kind: "added", ref: null };
  });
}

function nameOf(pull: PullRecord, cells: readonly unknown[], repeat: number): string {
  return `${keyOf(pull, cells)}\x1f${repeat}`;
}

function keyOf({ layout }: PullRecord, cells: readonly unknown[]): string {
  return cells.slice(0, layout.columns.filter(({ key }) => key).length).join("\x1f");
}

async function* once(rows: readonly (readonly Cell[])[]): AsyncGenerator<readonly (readonly Cell[])[]> {
  yield rows;
}

async function copyRows(
  session: Session,
  { layout, profileId }: PullRecord,
  { batches, known, table, from = 0, onRow }: {
    batches: Batches;
    known: number;
    table: string;
    from?: number;
    onRow?: (cells: readonly Cell[]) => void;
  },
): Promise<void> {
  const names = layout.columns.map(({ name }) => `"${name}"`);
  const copy = session.copyIn(
    `COPY ${table} (profile_id, ${names.join(", ")}, extra, repeat, known_from) FROM STDIN`,
  );
  const text = copyText({ profileId, knownFrom: known, from }, batches, onRow);
  await pipeline(Readable.from(text), copy);
}

const PIECE = 128 * 1024;

const SPECIAL = /[\\\t\n\r]/;

/**
 * Text for `COPY ... FROM STDIN`, one line per row: `profile_id`, the cells, the row number starting at `from`, and
 * the time the row became known.
 */
export async function* copyText(
  { profileId, knownFrom, from }: { profileId: string; knownFrom: number; from: number },
  batches: AsyncIterable<readonly (readonly Cell[])[]>,
  onRow?: (cells: readonly Cell[]) => void,
): AsyncGenerator<string> {
  const start = `${escaped(profileId)}\t`;
  let number = from;
  let piece = "";
  for await (const batch of batches) {
    for (const cells of batch) {
      piece += start;
      for (const cell of cells) piece += copyCell(cell) + "\t";
      piece += `${number++}\t${knownFrom}\n`;
      onRow?.(cells);
      if (piece.length >= PIECE) {
        yield piece;
        piece = "";
      }
    }
  }
  if (piece !== "") yield piece;
}

function copyCell(cell: Cell): string {
  if (cell === null) return "\\N";
  return typeof cell === "number" ? String(cell) : escaped(cell);
}

function escaped(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n").replaceAll(
    "\r",
    "\\r",
  );
}

const DIALECT = sqlDialect("PostgreSQL");

/**
 * Archives the versions that a pull ends, then changes and removes the rows. Versions of a remaining row store only
 * differences; a vanished row stores whole versions. The temporary tables map row `n` of `fresh` to the stored row
 * with its key and `repeat`, later found by `ref`.
 *
 * @param options `known`: time at which the pull became known. `vanished`: false if no stored row vanished.
 */
export async function keepVersions(
  session: Session,
  { layout, profileId, start, end }: PullRecord,
  { known, vanished }: { known: number; vanished: boolean },
): Promise<void> {
  const values = [profileId, start, end];
  for (const statement of changeStatements(layout, known)) await session.text(statement, values);
  if (!vanished) return;
  for (const statement of vanishStatements(layout, known)) await session.text(statement, values);
}

function placed({ columns }: ReportLayout, kind: "changed" | "vanished"): string {
  const key = columns.filter((column) => column.key).map(({ name }) => `rows."${name}" = fresh."${name}"`);
  return `rows.profile_id = $1 AND rows.date BETWEEN $2::date AND $3::date AND places.kind = '${kind}'
    AND fresh.repeat = places.n AND rows.repeat = places.repeat AND ${key.join(" AND ")}`;
}

/** Restricts differences to the pull's days, which the planner cannot infer. */
const OF_DAYS = "d.date BETWEEN $2::date AND $3::date";

function changeStatements(layout: ReportLayout, known: number): string[] {
  const { table } = layout;
  const changes = changesTable(layout);
  const names = versionColumns(layout).map(({ name }) => name);
  const columns = names.map((name) => `"${name}"`).join(", ");
  // JSON cannot be compared as such.
  const text = (name: string): string => name === "extra" ? "::text" : "";
  const differs = (name: string): string =>
    `rows."${name}"${text(name)} IS DISTINCT FROM fresh."${name}"${text(name)}`;
  const lacks = (name: string): string => `${differs(name)} AND NOT ${holdsSql(name, DIALECT)}`;
  const marks = (condition: (name: string) => string): string =>
    names.map((name) =>
      `CASE WHEN rows."${name}" IS NULL AND ${condition(name)} THEN '${emptiedMark(name)}' END`
    )
      .join(", ");
  const changed = placed(layout, "changed");
  return [
    `UPDATE ${changes} AS d SET ${
      names.map((name) => `"${name}" = CASE WHEN ${lacks(name)} THEN rows."${name}" ELSE d."${name}" END`)
        .join(", ")
    }, emptied = nullif(concat(d.emptied, ${marks(lacks)}), '')
     FROM ${table} AS rows, fresh, places
     WHERE ${changed} AND ${DIALECT.changeOf("d", "rows")} AND ${OF_DAYS} AND (${
      names.map((name) => `(${lacks(name)})`).join(" OR ")
    })`,
    `INSERT INTO ${changes} (ref, known_from, known_to, date, profile_id, ${columns}, emptied)
     SELECT places.ref, rows.known_from, ${known}, rows.date, rows.profile_id, ${
      names.map((name) => `CASE WHEN ${differs(name)} THEN rows."${name}" END`).join(", ")
    }, nullif(concat(${marks(differs)}), '')
     FROM ${table} AS rows, fresh, places WHERE ${changed}`,
    `UPDATE ${table} AS rows SET ref = places.ref, known_from = ${known}, ${
      names.map((name) => `"${name}" = fresh."${name}"`).join(", ")
    }
     FROM fresh, places WHERE ${changed}`,
  ];
}

function vanishStatements(layout: ReportLayout, known: number): string[] {
  const { table, columns } = layout;
  const names = [...columns.map(({ name }) => name), "extra"];
  const { from, where, column } = keptVersions(layout, DIALECT);
  const quoted = names.map((name) => `"${name}"`).join(", ");
  const into = `INSERT INTO ${table}_history (profile_id, ${quoted}, repeat, known_from, known_to)`;
  const gone = placed(layout, "vanished");
  return [
    `${into} SELECT rows.profile_id, ${names.map(column).join(", ")}, rows.repeat, d.known_from, d.known_to
     FROM ${from}, fresh, places WHERE ${where} AND ${OF_DAYS} AND ${gone}`,
    `DELETE FROM ${changesTable(layout)} AS d USING ${table} AS rows, fresh, places
     WHERE ${DIALECT.changeOf("d", "rows")} AND ${OF_DAYS} AND ${gone}`,
    `${into} SELECT rows.profile_id, ${
      names.map((name) => `rows."${name}"`).join(", ")
    }, rows.repeat, rows.known_from, ${known}
     FROM ${table} AS rows, fresh, places WHERE ${gone}`,
    `DELETE FROM ${table} AS rows USING fresh, places WHERE ${gone}`,
  ];
}
