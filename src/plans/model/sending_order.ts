import type { Change } from "./change.ts";
import type { ChangeGraph } from "./change_ref.ts";

interface SendingGroup {
  readonly kind: string;
  readonly op: Change["op"];
  readonly places: readonly number[];
}

/**
 * Orders by dependency level, then by operation and kind as they first appear among all changes, so that dropping a
 * change does not move the others.
 */
export function sendingOrder(
  changes: readonly Change[],
  { levels }: Pick<ChangeGraph, "levels">,
): readonly (readonly SendingGroup[])[] {
  const byLevel: Map<string, { kind: string; op: Change["op"]; places: number[] }>[] = [];
  changes.forEach(({ kind, op }, at) => {
    const groups = byLevel[levels[at] ?? 0] ??= new Map();
    const group = groups.get(`${op} ${kind}`);
    if (group === undefined) groups.set(`${op} ${kind}`, { kind, op, places: [at] });
    else group.places.push(at);
  });
  return Array.from(byLevel, (groups) => [...groups?.values() ?? []]);
}
