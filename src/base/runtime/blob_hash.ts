interface NativeHash {
  update(bytes: Uint8Array): unknown;
  digest(form: "hex"): string;
}

/**
 * Returns the hexadecimal SHA-256 of a file, in bounded memory.
 *
 * @throws the signal's reason when it is aborted.
 */
export async function blobHash(blob: Blob, signal?: AbortSignal): Promise<string> {
  signal?.throwIfAborted();
  const runtime = globalThis as {
    process?: { getBuiltinModule?: (name: string) => { createHash?: (algorithm: string) => NativeHash } };
  };
  const hash = runtime.process?.getBuiltinModule?.("crypto")?.createHash?.("sha256");
  if (hash === undefined) {
    return new Uint8Array(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer())).toHex();
  }
  for await (const chunk of blob.stream()) {
    signal?.throwIfAborted();
    hash.update(chunk);
  }
  return hash.digest("hex");
}
