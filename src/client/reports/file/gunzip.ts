interface NodeZlib {
  createGunzip(options: { chunkSize: number }): AsyncIterable<Uint8Array>;
}
interface NodeStream {
  pipeline(source: ByteSource, target: unknown, done: (error?: Error | null) => void): void;
}

export type BuiltinModules = (name: string) => unknown;

const runtimeModules: BuiltinModules = (name) =>
  (globalThis as { process?: { getBuiltinModule?: BuiltinModules } }).process?.getBuiltinModule?.(name);

const CHUNK = 64 * 1024;

/**
 * Decompresses gzip data, including several members and trailing zeros. Uses the runtime's zlib if available,
 * otherwise `DecompressionStream`.
 *
 * @throws when the data is truncated or damaged.
 */
export async function* gunzip(
  source: ByteSource,
  modules: BuiltinModules = runtimeModules,
): AsyncGenerator<Uint8Array> {
  const zlib = modules("node:zlib") as NodeZlib | undefined;
  const stream = modules("node:stream") as NodeStream | undefined;
  if (zlib === undefined || stream === undefined) {
    yield* gunzipByMembers(source);
    return;
  }
  const unpacked = zlib.createGunzip({ chunkSize: CHUNK });
  // The iterator below throws what the pipeline tells its callback.
  stream.pipeline(source, unpacked, () => {});
  yield* unpacked;
}

/** Maximum number of trailing zeros that may belong to the last member's length field. */
const ZEROS_OF_A_TRAILER = 4;

/**
 * Decompresses each gzip member separately, because `DecompressionStream` rejects a second member and trailing zeros.
 * Members are located by the next header or by zeros.
 *
 * @throws {TypeError} when the data is truncated or damaged.
 */
async function* gunzipByMembers(source: ByteSource): AsyncGenerator<Uint8Array> {
  const packed = await gathered(source);
  for (let start = 0; start < packed.length;) {
    const member = await memberAt(packed, start);
    yield* unpack(member);
    start += member.length;
    while (packed[start] === 0) start++;
  }
}

async function memberAt(packed: Uint8Array, start: number): Promise<Uint8Array> {
  let failure: unknown;
  for (const end of possibleEnds(packed, start)) {
    const member = packed.subarray(start, end);
    try {
      for await (const _ of unpack(member)) { /* Only whether it unpacks is asked here */ }
      return member;
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

function* possibleEnds(packed: Uint8Array, start: number): Generator<number> {
  yield packed.length;
  let zeros = packed.length;
  while (zeros > start && packed[zeros - 1] === 0) zeros--;
  for (let end = zeros; end < Math.min(packed.length, zeros + ZEROS_OF_A_TRAILER + 1); end++) yield end;
  for (let at = packed.indexOf(0x1f, start + 1); at > 0; at = packed.indexOf(0x1f, at + 1)) {
    if (packed[at + 1] === 0x8b && packed[at + 2] === 8) yield at;
  }
}

async function* unpack(member: Uint8Array): AsyncGenerator<Uint8Array> {
  const packed = new Blob([member as Uint8Array<ArrayBuffer>]).stream();
  const reader = packed.pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function gathered(source: ByteSource): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
