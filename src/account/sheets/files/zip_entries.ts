import { Unzip, UnzipInflate } from "fflate";
import { SheetFileError } from "./sheet_lines.ts";

/** Bytes that are pushed at a time, so that a file which expands without end is noticed early. */
const CHUNK = 64 * 1024;
/** Bytes to which any file may expand, whatever its size, */
const FREE = 64_000_000;
/** and beyond that the maximum ratio: sheets expand 10 to 30 times, bombs 1,000 times. */
const MAX_RATIO = 120;
/** No sheet is larger. */
const MAX_BYTES = 2_000_000_000;

/**
 * Reads files of a zip archive one after the other, in bounded memory.
 *
 * @param wanted Gives, for the name of a file, what gets its text in pieces; `undefined` to pass it over.
 * @throws {SheetFileError} for what is no archive, is damaged, or expands without measure.
 */
export function readZipEntries(
  bytes: Uint8Array,
  { name, wanted }: {
    readonly name: string;
    readonly wanted: (path: string) => ((text: string, isLast: boolean) => void) | undefined;
  },
): void {
  const limit = Math.min(MAX_BYTES, Math.max(FREE, bytes.length * MAX_RATIO));
  let total = 0;
  let found = 0;
  let failure: unknown;
  const unzip = new Unzip((file) => {
    found += 1;
    const take = wanted(file.name);
    if (take === undefined) return;
    const decoder = new TextDecoder();
    file.ondata = (error, chunk, isLast) => {
      if (failure !== undefined) return;
      if (error !== null) {
        failure = new SheetFileError(name, "it is damaged", { cause: error });
        return;
      }
      total += chunk.length;
      if (total > limit) {
        failure = new SheetFileError(
          name,
          `it expands to more than ${Math.round(limit / 1e6)} MB, which no sheet of its size does`,
        );
        return;
      }
      try {
        take(decoder.decode(chunk, { stream: !isLast }), isLast);
      } catch (cause) {
        failure = cause;
      }
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  for (let at = 0; at < bytes.length; at += CHUNK) {
    try {
      unzip.push(bytes.subarray(at, at + CHUNK), at + CHUNK >= bytes.length);
    } catch (cause) {
      failure ??= new SheetFileError(name, "it is damaged", { cause });
    }
    if (failure !== undefined) throw failure;
  }
  if (found === 0) throw new SheetFileError(name, "it is not an .xlsx file");
}
