/** Bytes that an archive may expand to; no report has more. */
const MAX_BYTES = 1_000_000_000;
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const [STORED, DEFLATED] = [0, 8];

/**
 * The texts of files in a zip archive, by path.
 *
 * @param wanted True for the paths of the files that are read.
 * @throws {SyntaxError} for what is no archive, is damaged, or expands without measure.
 */
export async function zipTexts(
  bytes: Uint8Array<ArrayBuffer>,
  wanted: (path: string) => boolean,
): Promise<Map<string, string>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts = new Map<string, string>();
  const decoder = new TextDecoder();
  let left = MAX_BYTES;
  let at = view.getUint32(endOf(view) + 16, true);
  try {
    while (at + 46 <= bytes.length && view.getUint32(at, true) === ENTRY) {
      const [method, size] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true)];
      const nameLength = view.getUint16(at + 28, true);
      const path = decoder.decode(bytes.subarray(at + 46, at + 46 + nameLength));
      const start = view.getUint32(at + 42, true);
      at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
      if (!wanted(path)) continue;
      const from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
      const text = await unpack(bytes.slice(from, from + size), method, left);
      left -= text.length;
      texts.set(path, text);
    }
  } catch (cause) {
    throw cause instanceof SyntaxError ? cause : new SyntaxError("its archive is damaged", { cause });
  }
  return texts;
}

function endOf(view: DataView): number {
  for (let at = view.byteLength - 22; at >= 0; at--) if (view.getUint32(at, true) === END) return at;
  throw new SyntaxError("its archive is cut short");
}

async function unpack(packed: Uint8Array<ArrayBuffer>, method: number, limit: number): Promise<string> {
  if (method === STORED) return new TextDecoder().decode(packed);
  if (method !== DEFLATED) {
    throw new SyntaxError(`its archive is packed in a way that is not read (${method})`);
  }
  const decoder = new TextDecoder();
  let text = "";
  for await (
    const chunk of new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"))
  ) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > limit) throw new SyntaxError("its archive expands to more than any report has");
  }
  return text + decoder.decode();
}
