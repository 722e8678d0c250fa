/**
 * Reads a bulk sheet in one of several ways in a process of its own, and prints how long it took, how many rows there were,
 * and the most memory it needed above what an idle process has with the bytes of the file.
 *
 *     deno run -A table_process.ts ours|plain FILE
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
const started = performance.now();
const rows = await WAYS[way]!(bytes, path);
const figures: ParseFigures = {
  ms: performance.now() - started,
  rows,
  peakMb: (peakMemory() - idle) / 1e6,
};
console.log(JSON.stringify(figures));
