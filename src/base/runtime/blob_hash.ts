import { nativeHash } from "../text/sha256.ts";

/**
 * Returns the hexadecimal SHA-256 of a file, in bounded memory.
 *
 * @throws the signal's reason when it is aborted.
 */
export async function blobHash(blob: Blob, signal?: AbortSignal): Promise<string> {
  signal?.throwIfAborted();
  const hash = nativeHash();
  if (hash === undefined) {
    return new Uint8Array(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer())).toHex();
  }
  for await (const chunk of blob.stream()) {
    signal?.throwIfAborted();
    hash.update(chunk);
  }
  return hash.digest("hex");
}
