/** Joins ordered sequences into one that is ordered too, reading each only as far as it must. */
export async function* mergeOrdered<T>(
  sequences: readonly AsyncGenerator<T, void, undefined>[],
  options: { before: (a: T, b: T) => boolean },
): AsyncGenerator<T, void, undefined> {
  const heads: { value: T; rest: AsyncGenerator<T, void, undefined> }[] = [];
  try {
    for (const rest of sequences) {
      const first = await rest.next();
      if (!first.done) heads.push({ value: first.value, rest });
    }
    while (heads.length > 0) {
      let at = 0;
      heads.forEach((head, index) => {
        if (options.before(head.value, heads[at]!.value)) at = index;
      });
      const { value, rest } = heads[at]!;
      yield value;
      const next = await rest.next();
      if (next.done) heads.splice(at, 1);
      else heads[at] = { value: next.value, rest };
    }
  } finally {
    await Promise.all(sequences.map((sequence) => sequence.return()));
  }
}
