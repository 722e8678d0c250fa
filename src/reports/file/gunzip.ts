import type { ByteSource } from "./byte_source.ts";
import { gunzipByMembers } from "./gunzip_by_members.ts";

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
