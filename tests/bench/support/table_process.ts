/**
 * Reads a bulk sheet in one of several ways in a process of its own, and prints its processor time, how many rows there
 * were, and the most memory it needed above what an idle process has with the bytes of the file.
 *
 *     deno run -A table_process.ts ours|plan|import|plain FILE
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import process from "node:process";
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
import { peakMemory } from "./peak_memory.ts";

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
      const { entities } = await importFiles(store, [{ bytes, name }], { countryCode: "US" });
      return Object.values(entities).reduce((sum, count) => sum + count, 0);
    } finally {
      await folder.remove();
    }
  },
  // The plainest code: the whole file at once, as lists of cells.
  plain: async (bytes, path) => {
    if (path.endsWith(".csv")) {
      return Papa.parse<string[]>(new TextDecoder().decode(bytes), { skipEmptyLines: true }).data.length - 1;
    }
    return (await readXlsx(bytes)).sheets[0]!.rows.length - 1;
  },
};

const [, , way = "", path = ""] = process.argv;
const bytes = new Uint8Array(await readFile(path));
const idle = peakMemory();
let rows = 0;
const ms = await processorTime(async () => {
  rows = await WAYS[way]!(bytes, path);
});
const figures: ParseFigures = { ms, rows, peakMb: (peakMemory() - idle) / 1e6 };
console.log(JSON.stringify(figures));
