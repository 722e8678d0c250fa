const MAX_HEAD = 4096;
const MAX_TAIL = 64;

/**
 * Returns the list in JSON such as `{"rows": [...]}`; other files pass through unchanged.
 *
 * @param name Must be the first and only field.
 */
export async function* listIn(source: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const opening = new RegExp(`^(?:\\xEF\\xBB\\xBF)?\\s*\\{\\s*"${name}"\\s*:\\s*(?=\\[)`);
  let kept: Uint8Array = new Uint8Array(0);
  let isList: boolean | undefined;
  const decide = (): void => {
    const prefix = opening.exec(latin(kept.subarray(0, MAX_HEAD)))?.[0];
    isList = prefix !== undefined;
    kept = kept.subarray(prefix?.length ?? 0);
  };
  for await (const chunk of source) {
    kept = joined(kept, chunk);
    if (isList === undefined && kept.length >= MAX_HEAD) decide();
    if (isList === false) {
      yield kept;
      kept = new Uint8Array(0);
    } else if (isList && kept.length > MAX_TAIL) {
      yield kept.subarray(0, kept.length - MAX_TAIL);
      kept = kept.slice(kept.length - MAX_TAIL);
    }
  }
  if (isList === undefined) decide();
  const end = isList ? latin(kept).replace(/\}\s*$/, "").length : kept.length;
  if (end > 0) yield kept.subarray(0, end);
}

function latin(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
