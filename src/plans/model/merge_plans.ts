import { nameInProse } from "../../base/text/visible_text.ts";
import { sameValue } from "../../base/json/canonical_json.ts";
import type { Change } from "./change.ts";
import type { Finding } from "./finding.ts";
import type { ChangePlanFields, PlanData } from "./plan_data.ts";
import { changeGraph, withRefs } from "./change_ref.ts";

export function mergedFields(plans: readonly PlanData[]): ChangePlanFields {
  const [first, ...others] = plans;
  if (first === undefined) throw new TypeError("Cannot merge plans: none is given");
  const other = others.find(({ profileId, countryCode }) =>
    profileId !== first.profileId || countryCode !== first.countryCode
  );
  if (other !== undefined) {
    throw new TypeError(
      `Cannot merge plans of different profiles: ${first.profileId} (${first.countryCode}) and ` +
        `${other.profileId} (${other.countryCode})`,
    );
  }
  const drawn = plans.find(({ experiment }) => experiment !== null);
  if (drawn !== undefined && others.length > 0) {
    throw new TypeError(
      `Cannot merge plan ${drawn.id} with others: a part of it is held back for comparison. Apply it by itself`,
    );
  }
  const changes: Change[] = [];
  const findings: Finding[] = [];
  const taken = new Set<string>();
  const byEntity = new Map<string, { at: number; change: Change }>();
  for (const plan of plans) {
    const names = new Map<string, string>();
    for (const { ref } of plan.changes) if (ref !== undefined) names.set(ref, freeName(ref, taken));
    for (const name of names.values()) taken.add(name);
    const places = plan.changes.map((planned) => {
      const change = renamed(planned, names);
      const entity = `${change.kind} ${change.id}`;
      const same = change.id === null ? undefined : byEntity.get(entity);
      if (same === undefined) {
        byEntity.set(entity, { at: changes.length, change });
        return changes.push(change) - 1;
      }
      if (same.change.op === change.op && sameValue(same.change.after, change.after)) return same.at;
      throw new TypeError(
        `Cannot merge plans: ${entity} ${
          nameInProse(change.label)
        } is changed by two of them in different ways`,
      );
    });
    for (const finding of plan.findings) {
      const at = finding.change === undefined ? undefined : places[finding.change];
      findings.push(at === undefined ? finding : { ...finding, change: at });
    }
  }
  changeGraph(changes);
  const notes = new Set(plans.flatMap(({ note }) => note ?? []));
  return {
    profileId: first.profileId,
    countryCode: first.countryCode,
    changes,
    findings,
    missing: [...new Set(plans.flatMap(({ missing }) => missing))],
    warnings: [...new Set(plans.flatMap(({ warnings }) => warnings))],
    experiment: first.experiment,
    rehearsal: plans.find(({ rehearsal }) => rehearsal !== null)?.rehearsal ?? null,
    note: notes.size === 0 ? null : [...notes].join("; "),
    names: {
      campaigns: Object.assign({}, ...plans.map(({ names }) => names.campaigns)),
      ad_groups: Object.assign({}, ...plans.map(({ names }) => names.ad_groups)),
    },
  };
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name.slice(0, 60)}-${number}`;
  return free;
}

function renamed(change: Change, names: ReadonlyMap<string, string>): Change {
  if (names.size === 0) return change;
  const name = (ref: string): string => names.get(ref) ?? ref;
  return {
    ...change,
    after: withRefs(change.after, (ref) => ({ ref: name(ref) })),
    ...(change.ref === undefined ? {} : { ref: name(change.ref) }),
    ...(change.dependsOn === undefined ? {} : { dependsOn: change.dependsOn.map(name) }),
  };
}
