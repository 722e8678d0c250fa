/**
 * Publishes the placements of a store to a folder, in a process of its own, and prints how long it took, how many rows the
 * lake has, and the most memory it needed above that of the process with an open store.
 *
 *     deno run -A lake_process.ts STORE FOLDER
 *
 * @module
 */
import process from "node:process";
import { openLake, publishLake, Warehouse } from "../../../src/store/mod.ts";
import type { PublishFigures } from "./lake_rows.ts";
import { peakMemory, resetPeak } from "./peak_memory.ts";

const [, , place = "", folder = ""] = process.argv;
const store = await Warehouse.open(place);
const options = { tables: ["sp_placement"] };
resetPeak();
const idle = peakMemory();
const began = performance.now();
const { rows } = await publishLake(store, await openLake(folder), options);
const figures: PublishFigures = {
  ms: performance.now() - began,
  rows,
  peakMb: (peakMemory() - idle) / 1e6,
  wholeMb: peakMemory() / 1e6,
};
await store.close();
console.log(JSON.stringify(figures));
