/** Bytes that come in pieces: the body of a response, an open file, a list of chunks. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
