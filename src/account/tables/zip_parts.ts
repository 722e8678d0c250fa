import { crc32 } from "node:zlib";
import { Inflate } from "fflate";
import { SheetFileError } from "./sheet_lines.ts";

interface ZipPart {
  readonly path: string;
  /** Compression method: 0 for stored, 8 for deflated. */
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/**
 * Size of a compressed chunk. A small chunk expands to about a hundred rows, which are garbage-collected quickly, and
 * reveals a zip bomb early.
 */
const CHUNK = 4 * 1024;
/** Size to which any file may expand, in bytes, regardless of its compression. */
const FREE = 64_000_000;
/** Maximum compression ratio above `FREE` bytes: sheets expand 10 to 30 times, zip bombs 1,000 times. */
const MAX_RATIO = 120;
const MAX_BYTES = 2_000_000_000;

/**
 * Reads the parts of a zip file one after the other in bounded memory. Verifies their checksums, because damaged bytes
 * may still inflate.
 *
 * @param options.wanted Returns the receiver of a file's text, or `undefined` to skip the file.
 * @throws {SheetFileError} when the archive is invalid, damaged, or expands excessively.
 */
export function* zipParts(
  bytes: Uint8Array,
  { name, wanted }: {
    readonly name: string;
    readonly wanted: (path: string) => ((text: string) => void) | undefined;
  },
): Generator<void> {
  const limit = Math.min(MAX_BYTES, Math.max(FREE, bytes.length * MAX_RATIO));
  let total = 0;
  for (const part of partsOf(bytes, name)) {
    const take = wanted(part.path);
    if (take === undefined) continue;
    const decoder = new TextDecoder();
    let [crc, size] = [0, 0];
    let failure: unknown;
    const write = (chunk: Uint8Array, isLast: boolean): void => {
      size += chunk.length;
      total += chunk.length;
      if (total > limit) {
        const most = Math.round(limit / 1e6);
        throw new SheetFileError(
          name,
          `it expands to more than ${most} MB, too much for a sheet of its size`,
        );
      }
      crc = crc32(chunk, crc);
      if (failure !== undefined) return;
      try {
        take(decoder.decode(chunk, { stream: !isLast }));
      } catch (cause) {
        // Thrown below, unless the checksum shows that the bytes are at fault.
        failure = cause;
      }
    };
    try {
      for (const _ of inflated(dataOf(bytes, part), { part, write })) yield;
    } catch (cause) {
      if (cause instanceof SheetFileError) throw cause;
      throw new SheetFileError(name, "it is damaged", { cause });
    }
    if (size !== part.size || crc !== part.crc) {
      throw new SheetFileError(name, `it is damaged: its part ${part.path} does not fit its checksum`);
    }
    if (failure instanceof RangeError) throw new SheetFileError(name, failure.message);
    if (failure !== undefined) throw failure;
  }
}

function* inflated(
  data: Uint8Array,
  { part, write }: { part: ZipPart; write: (chunk: Uint8Array, isLast: boolean) => void },
): Generator<void> {
  if (part.method !== 0 && part.method !== 8) throw new Error(`The method ${part.method} is not known`);
  const inflate = new Inflate(write);
  for (let at = 0; at < data.length; at += CHUNK) {
    const isLast = at + CHUNK >= data.length;
    const chunk = data.subarray(at, at + CHUNK);
    if (part.method === 0) write(chunk, isLast);
    else inflate.push(chunk, isLast);
    yield;
  }
}

const [LOCAL, CENTRAL, END, END_64, PLACE_OF_END_64] = [
  0x04034b50,
  0x02014b50,
  0x06054b50,
  0x06064b50,
  0x07064b50,
];
const [END_SIZE, MAX_COMMENT] = [22, 65_535];
/** Marks a number that is stored in a 64-bit field. */
const LONG = 0xffffffff;

function partsOf(bytes: Uint8Array, name: string): ZipPart[] {
  try {
    const parts = directoryOf(bytes);
    if (parts.length > 0) return parts;
  } catch (cause) {
    throw new SheetFileError(name, "it is damaged, or its end is missing", { cause });
  }
  throw new SheetFileError(name, "it is an empty archive");
}

export function zipPaths(bytes: Uint8Array, { name }: { readonly name: string }): string[] {
  return partsOf(bytes, name).map(({ path }) => path);
}

function directoryOf(bytes: Uint8Array): ZipPart[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const long = (at: number): number => Number(view.getBigUint64(at, true));
  let end = bytes.length - END_SIZE;
  const first = Math.max(0, end - MAX_COMMENT);
  while (end > first && view.getUint32(end, true) !== END) end -= 1;
  if (view.getUint32(end, true) !== END) throw new RangeError("The directory is missing");
  let count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (end >= 20 && view.getUint32(end - 20, true) === PLACE_OF_END_64) {
    const whole = long(end - 12);
    if (view.getUint32(whole, true) !== END_64) throw new RangeError("The long directory is missing");
    [count, at] = [long(whole + 32), long(whole + 48)];
  }
  const decoder = new TextDecoder();
  return Array.from({ length: count }, (): ZipPart => {
    if (view.getUint32(at, true) !== CENTRAL) throw new RangeError("The directory is damaged");
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) =>
      view.getUint16(at + place, true)
    ) as [number, number, number];
    const extra = at + 46 + nameLength;
    const longs = longFields(view, extra, extra + extraLength);
    const number = (place: number): number => {
      const short = view.getUint32(at + place, true);
      return short === LONG ? longs.shift() ?? short : short;
    };
    const size = number(24);
    const packed = number(20);
    const offset = number(42);
    const part: ZipPart = {
      // Some programs of Windows write backslashes.
      path: decoder.decode(bytes.subarray(at + 46, extra)).replaceAll("\\", "/"),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packed,
      size,
      offset,
    };
    at = extra + extraLength + commentLength;
    return part;
  });
}

function longFields(view: DataView, from: number, end: number): number[] {
  for (let at = from; at + 4 <= end;) {
    const [id, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    if (id === 1) {
      return Array.from(
        { length: Math.floor(length / 8) },
        (_, field) => Number(view.getBigUint64(at + 4 + field * 8, true)),
      );
    }
    at += 4 + length;
  }
  return [];
}

function dataOf(bytes: Uint8Array, { offset, packed }: ZipPart): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (offset + 30 > bytes.length || view.getUint32(offset, true) !== LOCAL) throw new Error("No header");
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (start + packed > bytes.length) throw new Error("The part is cut");
  return bytes.subarray(start, start + packed);
}
