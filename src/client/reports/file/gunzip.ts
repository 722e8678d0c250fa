/** The parts of `node:zlib` and `node:stream` that are used; this file must not import them. */
interface NodeZlib {
  createGunzip(options: { chunkSize: number }): AsyncIterable<Uint8Array>;
}
interface NodeStream {
  pipeline(source: ByteSource, target: unknown, done: (error?: Error | null) => void): void;
}

/** Finds a module that the runtime has built in; `undefined` where it has not. */
export type BuiltinModules = (name: string) => unknown;

const runtimeModules: BuiltinModules = (name) =>
  (globalThis as { process?: { getBuiltinModule?: BuiltinModules } }).process?.getBuiltinModule?.(name);

const CHUNK = 64 * 1024;

/**
 * Unpacks gzip as it comes, also when it was written in several members or is followed by zeros. Uses the runtime's
 * own zlib where it has one, and the Web's `DecompressionStream` elsewhere.
 *
 * @throws {Error} of the unpacking kind when the bytes are cut short or damaged; `TypeError` on the Web.
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

/** Zeros that may belong to the last member: its length field ends in as many. */
const ZEROS_OF_A_TRAILER = 4;

/**
 * Unpacks gzip with the Web's `DecompressionStream`, which refuses a second member and zeros after the last. So the
 * packed bytes are gathered, and where they do not unpack as one member, the end of each is looked for: it is before
 * the header of another, or before zeros.
 *
 * @throws {TypeError} when the bytes are cut short or damaged.
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

/** Bytes that come in pieces: the body of a response, an open file, a list of chunks. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
