import * as z from "zod";
import type { ToolAnswer, ToolCall } from "../tool.ts";
import { fittingRows } from "./fitting_rows.ts";
import { SavedFile } from "./saved_file.ts";
import { type Row, textTable } from "./text_table.ts";

/** Most rows in one answer. */
export const MAX_ROWS = 200;
/** Most rows that are read for one answer when nobody saves them. */
const MAX_READ = 5000;
/** Most rows that are kept for a resource. */
const MAX_KEPT = 50_000;

/** Arguments that every tool with rows takes. */
export const ROW_ARGS = {
  limit: z.int().min(1).max(MAX_ROWS).default(50),
  offset: z.int().min(0).default(0),
};

/** The argument of tools that may save their rows, where the person allowed a folder. */
export const SAVE_ARG = {
  save_to: z.string().optional().describe("File name (.json, .jsonl): saves every row there"),
};

/** Shape of an answer with rows. */
export const ROWS = z.object({
  rows: z.array(z.record(z.string(), z.unknown())),
  total: z.int().optional().describe("Absent when not known"),
  next_offset: z.int().optional(),
  result_uri: z.string().optional().describe("Every row"),
  notes: z.array(z.string()).optional(),
});

/** Shape of an answer with rows of a tool that may save them. */
export const SAVED_ROWS = ROWS.extend({ saved_to: z.string().optional() });

/** An answer with rows. */
export type Rows = z.input<typeof SAVED_ROWS>;

/** What an answer with rows says about them. */
export interface RowsTold {
  /** What the rows are, in the plural: `keywords`. */
  readonly noun: string;
  /** Rows that were skipped. */
  readonly offset: number;
  /** How many there are; `undefined` when nobody knows. */
  readonly total: number | undefined;
  /** Resource that holds all of them. */
  readonly uri?: string | undefined;
  /** File that holds all of them. */
  readonly savedTo?: string | undefined;
  /** What else the reader should know. */
  readonly notes?: readonly string[] | undefined;
}

/** An answer that shows some of many rows, and says how to get the rest. */
export function rowsAnswer(rows: readonly Row[], told: RowsTold): ToolAnswer<Rows> {
  const { offset, total, uri, savedTo, notes = [] } = told;
  const end = offset + rows.length;
  const hasRest = rows.length > 0 && (total === undefined || total > end);
  const lines = [shownOf(rows.length, told)];
  if (hasRest) lines[0] += `. More: offset ${end}${uri === undefined ? "" : `, or resource ${uri}`}`;
  if (savedTo !== undefined) lines.push(`All ${total} saved to ${savedTo}`);
  lines.push(...notes);
  const table = textTable(rows);
  return {
    data: {
      rows: rows.map((row) => ({ ...row })),
      ...(total === undefined ? {} : { total }),
      ...(hasRest ? { next_offset: end } : {}),
      ...(uri === undefined ? {} : { result_uri: uri }),
      ...(savedTo === undefined ? {} : { saved_to: savedTo }),
      ...(notes.length === 0 ? {} : { notes: [...notes] }),
    },
    text: table === "" ? lines.join("\n") : `${lines.join("\n")}\n\n${table}`,
  };
}

function shownOf(shown: number, { noun, offset, total }: RowsTold): string {
  if (shown > 0) return `${offset + 1} to ${offset + shown} of ${total ?? "more"} ${noun}`;
  return total ? `None from offset ${offset} on: there are ${total} ${noun}` : `No ${noun}`;
}

/** How rows are taken. */
export interface TakeOptions {
  /** What the rows are, in the plural: `keywords`. */
  readonly noun: string;
  /** Rows in the answer. */
  readonly limit: number;
  /** Rows to skip. */
  readonly offset: number;
  /** Most rows that are read when nobody saves them. @default 5000 */
  readonly mostRead?: number;
  /** File to save every row to. */
  readonly saveTo?: string | undefined;
  /** Fields to keep of each row. */
  readonly fields?: readonly string[] | undefined;
  /** What else the reader should know; asked for when the rows have been read. */
  readonly notes?: () => readonly string[];
}

/** Takes rows from wherever they come: some for the answer, all of them for a file or a resource. */
export async function takeRows(
  source: Iterable<Row> | AsyncIterable<Row>,
  options: TakeOptions,
  call: ToolCall,
): Promise<ToolAnswer<Rows>> {
  const { noun, limit, offset, saveTo, fields } = options;
  const { results, settings } = call.context;
  const mostRead = saveTo === undefined ? Math.max(options.mostRead ?? MAX_READ, offset + limit) : Infinity;
  const file = saveTo === undefined ? undefined : await SavedFile.create(settings.saveFolder, saveTo);
  const kept: Row[] = [];
  const known = new Set<string>();
  let read = 0;
  let complete = true;
  try {
    for await (const row of source) {
      call.signal.throwIfAborted();
      if (read >= mostRead) {
        complete = false;
        break;
      }
      if (fields !== undefined) { for (const name of Object.keys(row)) known.add(name); }
      const shown = picked(row, fields);
      await file?.add(shown);
      if (read < Math.max(MAX_KEPT, offset + limit)) kept.push(shown);
      read++;
      if (read % 1000 === 0) await call.progress(read, `${read} ${noun} read`);
    }
    await file?.close();
  } catch (error) {
    await file?.discard();
    throw error;
  }

  const { rows, hasCutValues } = fittingRows(kept.slice(offset, offset + limit));
  const isWhole = complete && rows.length === read && !hasCutValues;
  const keeps = !isWhole && complete && kept.length === read;
  const uri = keeps && file === undefined ? results.keep(`${read} ${noun}`, kept) : undefined;
  const notes = [...options.notes?.() ?? []];
  if (!complete) notes.push(`More than ${read}: narrow the question to learn how many there are`);
  const unknown = fields?.filter((name) => !known.has(name)) ?? [];
  if (read > 0 && unknown.length > 0) {
    notes.push(`No row has ${unknown.join(", ")}. They have ${[...known].join(", ")}`);
  }
  if (hasCutValues) notes.push("Long values are cut here");
  if (!isWhole && complete && uri === undefined && file === undefined) {
    const saving = settings.saveFolder === undefined ? "" : "save_to a file, ";
    notes.push(`All of them are too much for one resource: ${saving}narrow the question, or go on by offset`);
  }
  const total = complete ? read : undefined;
  return rowsAnswer(rows, { noun, offset, total, uri, savedTo: file?.path, notes });
}

function picked(row: Row, fields: readonly string[] | undefined): Row {
  if (fields === undefined) return row;
  return Object.fromEntries(
    fields.filter((field) => row[field] !== undefined).map((field) => [field, row[field]]),
  );
}
