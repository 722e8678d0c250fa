import type { Cell } from "../encode_row.ts";

/** Characters of a piece that is sent at once. */
const PIECE = 128 * 1024;

const SPECIAL = /[\\\t\n\r]/;

/**
 * Turns rows into the text that `COPY ... FROM STDIN` reads, in pieces: a line a row, `profile_id` before the cells
 * and the row's number after them, counted from `from` on, then when the row became known.
 *
 * @param onRow Called with every row.
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
