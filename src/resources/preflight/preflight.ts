import type { Change } from "../../plans/change.ts";
import { Play } from "./play.ts";
import type { Preflight, PreflightContext, Problem } from "./problem.ts";

/** Rounds in which changes get others of the plan to wait for; each settles at least one more. */
const MAX_ROUNDS = 8;

/**
 * Plays changes on the account in the order in which they are sent, and says what the platform would refuse. A change
 * that would be possible after a later one of the plan, as a keyword after the archive of its equal, waits for it. Pure:
 * nothing is read or sent.
 *
 * @param options.published What differs from the published schemas, by the positions of the changes.
 * @param options.reorder False to let no change wait for another. @default true
 * @throws {TypeError} for changes that do not fit together, as {@linkcode changeGraph} does.
 */
export function preflight(
  changes: readonly Change[],
  context: PreflightContext,
  { published = new Map(), reorder = true }: {
    published?: ReadonlyMap<number, readonly Problem[]>;
    reorder?: boolean | undefined;
  } = {},
): Preflight {
  let planned = changes;
  for (let round = 1;; round++) {
    const play = new Play(planned, { context, published });
    const waits = reorder && round < MAX_ROUNDS ? play.waits() : new Map<number, number[]>();
    if (waits.size === 0) return play.result();
    planned = withWaits(planned, waits);
  }
}

/** Names changes that others wait for, and links these to them. */
function withWaits(changes: readonly Change[], waits: ReadonlyMap<number, readonly number[]>): Change[] {
  const names = new Set(changes.flatMap(({ ref }) => ref ?? []));
  const named = [...changes];
  for (const at of new Set([...waits.values()].flat())) {
    const { ref, kind, id } = named[at]!;
    if (ref !== undefined) continue;
    const base = `${kind}-${id}`.replaceAll(/[^A-Za-z0-9._-]/g, "_").slice(0, 56);
    let free = base;
    for (let number = 2; names.has(free); number++) free = `${base}-${number}`;
    names.add(free);
    named[at] = { ...named[at]!, ref: free };
  }
  for (const [at, others] of waits) {
    const { dependsOn = [] } = named[at]!;
    const more = others.flatMap((other) => named[other]!.ref ?? []);
    named[at] = { ...named[at]!, dependsOn: [...new Set([...dependsOn, ...more])] };
  }
  return named;
}
