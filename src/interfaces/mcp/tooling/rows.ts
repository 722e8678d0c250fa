import * as z from "zod";
import { ConfigurationError } from "../../../errors.ts";
import type { ToolAnswer, ToolCall } from "./tool.ts";
import { type Row, textTable } from "../calls/text_table.ts";

export const MAX_ROWS = 200;
const MAX_READ = 5000;
const MAX_KEPT = 50_000;
const MAX_SAVED = 200_000;

export const ROW_ARGS = {
  limit: z.int().min(1).max(MAX_ROWS).default(50),
  offset: z.int().min(0).default(0),
};

export const ROWS = z.object({
  rows: z.array(z.record(z.string(), z.unknown())),
  total: z.int().optional(),
  next_offset: z.int().optional(),
  result_uri: z.string().optional(),
  notes: z.array(z.string()).optional(),
});

type Rows = z.input<typeof ROWS>;

interface RowsTold {
  readonly noun: string;
  readonly offset: number;
  readonly total: number | undefined;
  readonly uri?: string | undefined;
  readonly notes?: readonly string[] | undefined;
}

export function rowsAnswer(rows: readonly Row[], told: RowsTold): ToolAnswer<Rows> {
  const { offset, total, uri, notes = [] } = told;
  const end = offset + rows.length;
  const hasRest = rows.length > 0 && (total === undefined || total > end);
  const lines = [shownOf(rows.length, told)];
  if (hasRest) lines[0] += `. More: offset ${end}${uri === undefined ? "" : `, or resource ${uri}`}`;
  lines.push(...notes);
  const table = textTable(rows);
  return {
    data: {
      rows: rows.map((row) => ({ ...row })),
      ...(total === undefined ? {} : { total }),
      ...(hasRest ? { next_offset: end } : {}),
      ...(uri === undefined ? {} : { result_uri: uri }),
      ...(notes.length === 0 ? {} : { notes: [...notes] }),
    },
    text: lines.join("\n"),
    table,
  };
}

function shownOf(shown: number, { noun, offset, total }: RowsTold): string {
  if (shown > 0) return `${offset + 1} to ${offset + shown} of ${total ?? "more"} ${noun}`;
  return total ? `None from offset ${offset} on: there are ${total} ${noun}` : `No ${noun}`;
}

interface TakeOptions {
  readonly noun: string;
  readonly limit: number;
  readonly offset: number;
  readonly maxRead?: number;
  readonly uri?: string | undefined;
  /** Key for reusing the rows in the next equal request; they are then kept even if they fit. */
  readonly key?: string | undefined;
  readonly keptNotes?: readonly string[] | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly notes?: () => readonly string[];
}

export async function takeRows(
  source: Iterable<Row> | AsyncIterable<Row>,
  options: TakeOptions,
  call: ToolCall,
): Promise<ToolAnswer<Rows>> {
  const { noun, limit, offset, fields } = options;
  const { results, settings } = call.context;
  const canSave = settings.saveFolder !== undefined && !settings.readOnly;
  const maxRead = Math.max(options.maxRead ?? (canSave ? MAX_SAVED : MAX_READ), offset + limit);
  const maxKept = canSave ? MAX_SAVED : MAX_KEPT;
  const kept: Row[] = [];
  const known = new Set<string>();
  let read = 0;
  let complete = true;
  for await (const row of source) {
    call.signal.throwIfAborted();
    if (read >= maxRead) {
      complete = false;
      break;
    }
    if (fields !== undefined) { for (const name of Object.keys(row)) known.add(name); }
    if (read < Math.max(maxKept, offset + limit)) kept.push(picked(row, fields));
    read++;
    if (read % 1000 === 0) await call.progress(read, `${read} ${noun} read`);
  }

  const unknown = fields?.filter((name) => !known.has(name)) ?? [];
  const has = [...known].join(", ");
  if (read > 0 && fields !== undefined && unknown.length === fields.length) {
    throw new ConfigurationError(`Cannot show ${unknown.join(", ")}: the ${noun} have ${has}`);
  }
  const { rows, hasCutValues } = fittingRows(kept.slice(offset, offset + limit));
  const isWhole = complete && rows.length === read && !hasCutValues;
  const keeps = complete && kept.length === read && read > 0 &&
    (!isWhole || canSave || options.key !== undefined);
  const address = options.uri ??
    (keeps
      ? results.keep(`${read} ${noun}`, kept, { key: options.key, notes: options.keptNotes })
      : undefined);
  const uri = address !== undefined && (canSave || results.canBeRead(address)) ? address : undefined;
  const notes = [...options.notes?.() ?? []];
  if (!complete) notes.push(`More than ${read}: narrow the request to learn how many there are`);
  if (read > 0 && unknown.length > 0) notes.push(`No row has ${unknown.join(", ")}. They have ${has}`);
  if (hasCutValues) notes.push("Long values are cut here");
  if (!isWhole && complete && uri === undefined) {
    notes.push("All of them are too much for one resource: narrow the request, or go on by offset");
  }
  return rowsAnswer(rows, { noun, offset, total: complete ? read : undefined, uri, notes });
}

function picked(row: Row, fields: readonly string[] | undefined): Row {
  if (fields === undefined) return row;
  return Object.fromEntries(
    fields.filter((field) => row[field] !== undefined).map((field) => [field, row[field]]),
  );
}

const MAX_CHARACTERS = 100_000;
const MAX_TEXT = 400;
const MAX_VALUE = 2_000;

interface FittingRows {
  readonly rows: readonly Row[];
  readonly hasCutValues: boolean;
}

export function fittingRows(rows: readonly Row[]): FittingRows {
  const fitting: Row[] = [];
  let left = MAX_CHARACTERS;
  let hasCutValues = false;
  for (const row of rows) {
    const short = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cut(value)]));
    left -= JSON.stringify(short).length;
    if (left < 0 && fitting.length > 0) break;
    hasCutValues ||= Object.keys(row).some((name) => short[name] !== row[name]);
    fitting.push(short);
  }
  return { rows: fitting, hasCutValues };
}

function cut(value: unknown): unknown {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  const most = typeof value === "string" ? MAX_TEXT : MAX_VALUE;
  return text.length <= most ? value : `${text.slice(0, most)}… (${text.length} characters)`;
}

export function sortedRows(rows: readonly Row[], column: string): Row[] {
  return [...rows].sort((a, b) => compare(b[column], a[column]));
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (a === undefined || a === null) return b === undefined || b === null ? 0 : -1;
  if (b === undefined || b === null) return 1;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

const SHOWN = 50;

export function firstWarnings(warnings: readonly string[]): string[] {
  const left = warnings.length - SHOWN;
  return left > 0 ? [...warnings.slice(0, SHOWN), `and ${left} more warnings`] : [...warnings];
}

const MAX_SHORT_CHARACTERS = 20_000;

interface Shortened {
  readonly value: unknown;
  readonly told: string | undefined;
}

/** Limits every list to `limit` entries, then fewer until the value fits. */
export function shortened(value: unknown, limit: number = MAX_ROWS): Shortened {
  for (let most = limit; most >= 1; most = Math.floor(most / 4)) {
    let cut = 0;
    const short = cutLists(value, most, (left) => cut += left);
    if (JSON.stringify(short).length <= MAX_SHORT_CHARACTERS) {
      const told = cut === 0 ? undefined : `Lists are cut at ${most} entries; ${cut} entries are left out`;
      return { value: short, told };
    }
  }
  const size = JSON.stringify(value).length;
  return { value: null, told: `The answer has ${size} characters, too many to show. Narrow the question` };
}

function cutLists(value: unknown, most: number, left: (entries: number) => void): unknown {
  if (Array.isArray(value)) {
    if (value.length > most) left(value.length - most);
    return value.slice(0, most).map((entry) => cutLists(entry, most, left));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, cutLists(field, most, left)]),
  );
}
