import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { RowComparison } from "../model/row_comparison.ts";
import type { Cell } from "../model/encode_rows.ts";
import type { PullRecord } from "../model/store_driver.ts";
import type { Session } from "./database.ts";
import { keepVersions } from "./keep_versions.ts";
import { keepHashes, rememberStored, storedRows } from "./day_hashes.ts";

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
