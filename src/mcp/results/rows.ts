import * as z from "zod";
import type { ToolAnswer, ToolCall } from "../tool.ts";
import { SavedFile } from "./saved_file.ts";
import { type Row, textTable } from "./text_table.ts";

/** Most rows in one answer. */
export const MOST_ROWS = 200;
/** Most rows that are read for one answer when nobody saves them. */
export const MOST_READ = 5000;

/** Arguments that every tool with rows takes. */
export const ROW_ARGS = {
  limit: z.int().min(1).max(MOST_ROWS).default(50).describe("Rows in the answer"),
  offset: z.int().min(0).default(0).describe("Rows to skip"),
};

/** The argument of tools that may save their rows, where the person allowed a folder. */
export const SAVE_ARG = {
  save_to: z.string().optional().describe("File name (.json, .jsonl): saves every row there"),
};

/** Shape of an answer with rows. */
export const ROWS = z.object({
  rows: z.array(z.record(z.string(), z.unknown())),
  total: z.int().optional().describe("Absent: more than were read"),
  next_offset: z.int().optional(),
  result_uri: z.string().optional().describe("Resource with every row"),
  saved_to: z.string().optional(),
  notes: z.array(z.string()).optional(),
});

/** An answer with rows. */
export type Rows = z.input<typeof ROWS>;

/** How rows are taken. */
export interface TakeOptions {
  /** What the rows are, in the plural: `keywords`. */
  readonly noun: string;
  /** Rows in the answer. */
  readonly limit: number;
  /** Rows to skip. */
  readonly offset: number;
  /** File to save every row to. */
  readonly saveTo?: string | undefined;
  /** Fields to keep of each row. */
  readonly fields?: readonly string[] | undefined;
  /** What else the reader should know. */
  readonly notes?: readonly string[];
}

/** Takes rows from wherever they come: some for the answer, all of them for a file or a resource. */
export async function takeRows(
  source: Iterable<Row> | AsyncIterable<Row>,
  options: TakeOptions,
  call: ToolCall,
): Promise<ToolAnswer<Rows>> {
  const { limit, offset, saveTo } = options;
  const file = saveTo === undefined
    ? undefined
    : await SavedFile.create(call.context.settings.saveFolder, saveTo);
  const kept: Row[] = [];
  let read = 0;
  let complete = true;
  try {
    for await (const row of source) {
      call.signal.throwIfAborted();
      if (file === undefined && read >= Math.max(MOST_READ, offset + limit)) {
        complete = false;
        break;
      }
      const shown = picked(row, options.fields);
      await file?.add(shown);
      if (read < Math.max(MOST_READ, offset + limit)) kept.push(shown);
      read++;
      if (read % 1000 === 0) await call.progress(read, `${read} ${options.noun} read`);
    }
    await file?.close();
  } catch (error) {
    await file?.discard();
    throw error;
  }

  const rows = kept.slice(offset, offset + limit);
  const end = offset + rows.length;
  const hasRest = !complete || read > end;
  const uri = (hasRest || offset > 0) && file === undefined && complete
    ? call.context.results.keep(`${read} ${options.noun}`, kept)
    : undefined;
  const data: Rows = {
    rows: rows.map((row) => ({ ...row })),
    ...(complete ? { total: read } : {}),
    ...(hasRest && rows.length > 0 ? { next_offset: end } : {}),
    ...(uri === undefined ? {} : { result_uri: uri }),
    ...(file === undefined ? {} : { saved_to: file.path }),
    ...(options.notes?.length ? { notes: [...options.notes] } : {}),
  };
  const first = rows.length === 0 ? "None" : `${offset + 1} to ${end}`;
  const lines = [`${first} of ${complete ? read : `more than ${read}`} ${options.noun}`];
  if (hasRest && rows.length > 0) {
    lines[0] += `. More: offset ${end}${uri === undefined ? "" : `, or resource ${uri}`}`;
  }
  if (!complete) lines.push("Narrow the question to learn how many there are");
  if (file !== undefined) lines.push(`All ${read} saved to ${file.path}`);
  lines.push(...options.notes ?? []);
  const table = textTable(rows);
  return { data, text: table === "" ? lines.join("\n") : `${lines.join("\n")}\n\n${table}` };
}

function picked(row: Row, fields: readonly string[] | undefined): Row {
  if (fields === undefined) return row;
  return Object.fromEntries(
    fields.filter((field) => row[field] !== undefined).map((field) => [field, row[field]]),
  );
}
