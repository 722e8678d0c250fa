import type { Change } from "../change.ts";
import { ChangePlan } from "../change_plan.ts";
import type { PlanTarget } from "../plan_target.ts";

/** The plan with the names of the campaigns and ad groups that its changes are in. */
export async function withNames(
  plan: ChangePlan,
  client: PlanTarget,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<ChangePlan> {
  const campaigns = { ...plan.names.campaigns };
  const adGroups = { ...plan.names.ad_groups };
  const unnamed = new Map<string, Set<string>>();
  const want = (kind: string, id: string | undefined, names: Readonly<Record<string, string>>): void => {
    if (id === undefined || Object.hasOwn(names, id)) return;
    unnamed.set(kind, (unnamed.get(kind) ?? new Set()).add(id));
  };
  for (const change of plan.changes) {
    const family = change.kind.replace(/\..*/, "");
    want(`${family}.campaigns`, change.campaignId, campaigns);
    want(`${family}.ad_groups`, adGroupOf(change), adGroups);
  }
  for (const [kind, ids] of unnamed) {
    const names = kind.endsWith(".campaigns") ? campaigns : adGroups;
    for (const [id, name] of await readNames(kind, [...ids], client, options)) names[id] = name;
  }
  return new ChangePlan({ ...plan, names: { campaigns, ad_groups: adGroups } });
}

/** A parent that cannot be read stays without a name: a plan must not fail for the want of a heading. */
async function readNames(
  kind: string,
  ids: readonly string[],
  client: PlanTarget,
  options: { signal?: AbortSignal | undefined },
): Promise<[id: string, name: string][]> {
  try {
    const found = await client.resource(kind).getMany(ids, options);
    return [...found].map(([id, entity]) => [id, String(entity["name"] ?? "")]);
  } catch {
    options.signal?.throwIfAborted();
    return [];
  }
}

/** Of new entities alone: of the others their own label is enough. */
function adGroupOf({ op, after }: Change): string | undefined {
  const id = op === "create" ? after["adGroupId"] : undefined;
  return typeof id === "string" ? id : undefined;
}
