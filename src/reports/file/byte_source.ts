/** Bytes that come in pieces: the body of an answer, an open file, a list of chunks. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
