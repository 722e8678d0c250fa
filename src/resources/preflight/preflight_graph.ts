import type { Change } from "../../plans/change.ts";
import type { Finding } from "../../plans/finding.ts";
import { changeGraph } from "../../plans/graph/change_graph.ts";
import { withRefs } from "../../plans/graph/change_ref.ts";
import type { AccountNow } from "./account_now.ts";
import { type EarlierLevels, type Preflight, preflight } from "./preflight.ts";
import type { PreflightContext } from "./problem.ts";

/**
 * Checks changes that refer to each other, from those that wait for nothing on. What a change refers to is checked as it
 * will be; where it is there already, the reference becomes its id.
 *
 * @throws {TypeError} for changes that refer to one that is not there, or wait for each other.
 */
export async function preflightGraph(
  changes: readonly Change[],
  { context, read }: {
    context: Omit<PreflightContext, "account">;
    /** Reads what some of the changes are checked against. */
    read: (changes: readonly Change[]) => Promise<AccountNow>;
  },
): Promise<Preflight> {
  const { levels } = changeGraph(changes);
  const earlier: EarlierLevels = { planned: new Map(), archived: new Set() };
  const there = new Map<string, string>();
  const kept = new Map<number, Change>();
  const left = new Map<number, string>();
  const ofChanges: { readonly at: number; readonly finding: Finding }[] = [];
  const ofPlan: Finding[] = [];
  for (const level of new Set(levels.toSorted((a, b) => a - b))) {
    const places = [...changes.keys()].filter((at) => levels[at] === level);
    const group = places.flatMap((at) => changes[at] ?? []).map((change) => withKnownIds(change, there));
    const found = preflight(group, { ...context, account: await read(group) }, earlier);
    const keptPlaces = places.filter((_, index) => !found.left.has(index));
    for (const [index, at] of keptPlaces.entries()) {
      const change = found.changes[index];
      if (change !== undefined) kept.set(at, change);
    }
    for (const [index, id] of found.left) {
      const [at, ref] = [places[index], group[index]?.ref];
      if (at !== undefined) left.set(at, id);
      if (ref !== undefined) there.set(ref, id);
    }
    for (const finding of found.findings) {
      const at = finding.change === undefined ? undefined : keptPlaces[finding.change];
      if (at === undefined) ofPlan.push(finding);
      else ofChanges.push({ at, finding });
    }
  }
  const order = [...kept.keys()].sort((a, b) => a - b);
  const moved = new Map(order.map((at, index) => [at, index]));
  const findings = ofChanges.flatMap(({ at, finding }) => {
    const change = moved.get(at);
    return change === undefined ? [] : [{ ...finding, change }];
  });
  return {
    changes: order.flatMap((at) => kept.get(at) ?? []),
    findings: [...findings, ...ofPlan],
    left,
  };
}

/** A change in which references to what is there already are ids. */
function withKnownIds(change: Change, there: ReadonlyMap<string, string>): Change {
  if (there.size === 0) return change;
  const after = withRefs(change.after, (ref) => there.get(ref) ?? { ref });
  const { campaignId } = after;
  const dependsOn = change.dependsOn?.filter((name) => !there.has(name));
  const { dependsOn: _, ...rest } = change;
  return {
    ...rest,
    after,
    ...(typeof campaignId === "string" && change.op === "create" ? { campaignId } : {}),
    ...(dependsOn === undefined || dependsOn.length === 0 ? {} : { dependsOn }),
  };
}
