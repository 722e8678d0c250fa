import type { Cell } from "./encode_rows.ts";
import type { ReportLayout } from "./report_layout.ts";

const HALVES = new Uint32Array(2);
const DOUBLE = new Float64Array(HALVES.buffer);

/** 53-bit hash of a row: of a billion changed rows, one goes unnoticed with a probability of one in nine million. */
export function rowHash(cells: readonly unknown[], length: number): number {
  let [low, high] = [0x9e3779b9, 0x85ebca6b];
  for (let at = 0; at < length; at++) {
    const cell = cells[at] as Cell;
    if (typeof cell === "number") {
      DOUBLE[0] = cell + 0;
      low = Math.imul(low ^ HALVES[0]!, 0x85ebca77);
      high = Math.imul(high ^ HALVES[1]!, 0xc2b2ae3d);
    } else if (cell !== null) {
      for (let index = 0; index < cell.length; index++) {
        const code = cell.charCodeAt(index);
        low = Math.imul(low ^ code, 0x85ebca77);
        high = Math.imul(high ^ code, 0xc2b2ae3d);
      }
    }
    // Where a cell ends, so that neighbours do not run together.
    low = Math.imul(low ^ (low >>> 15) ^ at, 0x735a2d97);
    high = Math.imul(high ^ (high >>> 13) ^ (cell === null ? 0x5bd1e995 : at), 0xcaf649a9);
    [low, high] = [low ^ (high >>> 16), high ^ (low >>> 16)];
  }
  return 4294967296 * (2097151 & (high >>> 0)) + (low >>> 0);
}

/** Equal for layouts whose hashes are comparable: same columns in the same order. */
export function layoutFingerprint({ columns }: ReportLayout): string {
  const words = columns.flatMap(({ name, type, key }) => [name, type, key ? 1 : 0]);
  return rowHash(words, words.length).toString(36);
}
