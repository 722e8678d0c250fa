/**
 * Reads a bulk sheet in one of several ways in a process of its own, and prints its processor time, how many rows there
 * were, and the most memory it needed above what an idle process has with the bytes of the file.
 *
 *     deno run -A table_process.ts ours|plan|import|plain|store FILE
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { readXlsx } from "hucre/xlsx";
// @ts-types="@types/papaparse"
import Papa from "papaparse";
import { bulkHead } from "../../../src/account/tables/bulk_head.ts";
import { fileKnowledge } from "../../../src/account/tables/console_headers.ts";
import { openTables, readTables } from "../../../src/account/tables/open_tables.ts";
import { readRequests } from "../../../src/account/sheets/plan_sheet.ts";
import { importFiles } from "../../../src/account/imports/import_files.ts";
import { Warehouse } from "../../../src/store/mod.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { processorTime } from "../bench.ts";
import type { ParseFigures } from "./parse_process.ts";
import { peakMemory, resetPeak } from "./peak_memory.ts";

type Way = (bytes: Uint8Array, path: string) => Promise<number> | number;

const WAYS: Readonly<Record<string, Way>> = {
  ours: async (bytes, name) => {
    const { words } = await fileKnowledge();
    let rows = 0;
    readTables(openTables({ bytes, name }), {
      score: (cells) => bulkHead(cells, { words, map: {} }) === undefined ? 0 : Infinity,
      begin: () => ({ cells }) => void (rows += cells.some((cell) => cell !== "") ? 1 : 0),
    });
    return rows;
  },
  plan: async (bytes, name) => {
    const options = { skipBadRows: false, countryCode: "US" };
    const { rows, ignored } = await readRequests({ bytes, name }, options);
    return rows + ignored;
  },
  import: async (bytes, name) => {
    const folder = await temporaryFolder();
    try {
      await using store = await Warehouse.open(`${folder.path}/store.sqlite`);
      const { entities, files } = await importFiles(store, [{ bytes, name }], { countryCode: "US" });
      const rows = files.reduce((sum, { days, count }) => days === undefined ? sum : sum + count, 0);
      return rows + Object.values(entities).reduce((sum, count) => sum + count, 0);
    } finally {
      await folder.remove();
    }
  },
  plain: async (bytes, path) => (await plainRows(bytes, path)).length - 1,
  // The plainest import: each row as JSON in a table, in one transaction.
  store: async (bytes, path) => {
    const folder = await temporaryFolder();
    const database = new DatabaseSync(`${folder.path}/plain.sqlite`);
    try {
      const [head = [], ...rows] = await plainRows(bytes, path);
      const names = head.map(String);
      database.exec("CREATE TABLE rows (id TEXT PRIMARY KEY, data TEXT) WITHOUT ROWID; BEGIN");
      const put = database.prepare("INSERT INTO rows VALUES (?, ?)");
      for (const [at, cells] of rows.entries()) {
        const row = Object.fromEntries(names.map((name, column) => [name, cells[column]]));
        put.run(`${row["Keyword ID"] ?? ""} ${at}`, JSON.stringify(row));
      }
      database.exec("COMMIT");
      return rows.length;
    } finally {
      database.close();
      await folder.remove();
    }
  },
};

/** The plainest code: the whole file at once, as lists of cells. */
async function plainRows(bytes: Uint8Array, path: string): Promise<readonly (readonly unknown[])[]> {
  if (path.endsWith(".csv")) {
    return Papa.parse<string[]>(new TextDecoder().decode(bytes), { skipEmptyLines: true }).data;
  }
  return (await readXlsx(bytes)).sheets[0]?.rows ?? [];
}

const [, , way = "", path = ""] = process.argv;
const bytes = await readFile(path);
resetPeak();
const idle = peakMemory();
let rows = 0;
const ms = await processorTime(async () => {
  rows = await WAYS[way]!(bytes, path);
});
const figures: ParseFigures = { ms, rows, peakMb: (peakMemory() - idle) / 1e6 };
console.log(JSON.stringify(figures));
