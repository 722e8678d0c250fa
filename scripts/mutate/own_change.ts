import type { Mutant } from "./mutant.ts";
import type { KnownTest } from "./test_protocol.ts";

/** A change that a file of tests reaches. */
export interface SharedChange {
  readonly mutant: Mutant;
  /** The tests of the file that reach it. */
  readonly mine: readonly KnownTest[];
  /** Those of other files. */
  readonly others: readonly KnownTest[];
}

/** What was found of a file of tests. */
export interface OwnChange {
  /** A change that no other file notices; `undefined` when none was found. */
  readonly own: Mutant | undefined;
  readonly tried: number;
  /** How many of them the file notices. */
  readonly noticed: number;
}

/** Changes of one source that are tried for a file. */
const MOST_OF_A_SOURCE = 3;

/** The changes that a file reaches, those first that the fewest others do, each in a line of its own, few of a source. */
export function leastShared(
  file: string,
  mutants: readonly Mutant[],
  reaching: (id: number) => readonly KnownTest[],
): readonly SharedChange[] {
  const lines = new Map<string, Set<number>>();
  return mutants.flatMap((mutant) => {
    const { true: mine = [], false: others = [] } = Object.groupBy(
      reaching(mutant.id),
      (test) => `${test.file === file}`,
    );
    if (mine.length === 0) return [];
    return [{ mutant, mine, others, files: new Set(others.map((test) => test.file)).size }];
  })
    .sort((a, b) => a.files - b.files || a.mutant.id - b.mutant.id)
    .filter(({ mutant: { path, line } }) => {
      const known = lines.get(path) ?? new Set();
      lines.set(path, known);
      return known.size < MOST_OF_A_SOURCE && known.size < known.add(line).size;
    });
}

/** The first of some changes that tests of a file notice and those of other files do not. */
export async function ownChange(
  changes: readonly SharedChange[],
  isNoticed: (mutant: Mutant, tests: readonly KnownTest[]) => Promise<boolean>,
): Promise<OwnChange> {
  let [tried, noticed] = [0, 0];
  for (const { mutant, mine, others } of changes) {
    tried++;
    if (!await isNoticed(mutant, mine)) continue;
    noticed++;
    if (!await isNoticed(mutant, others)) return { own: mutant, tried, noticed };
  }
  return { own: undefined, tried, noticed };
}
