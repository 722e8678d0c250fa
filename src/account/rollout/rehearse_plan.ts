import type { ProfileClient } from "../../client/profile_client.ts";
import { sameValue } from "../../base/json/canonical_json.ts";
import type { Change, EntityFields } from "../../plans/model/change.ts";
import { ChangePlan, type PlanResult } from "../../plans/change_plan/change_plan.ts";

/** A difference between an account and its copy that matters to a plan. */
export interface CopyDifference {
  /** Kind of the entity, such as `sp.campaigns`. */
  readonly kind: string;
  /** Id of the entity; `null` for one that the plan creates. */
  readonly id: string | null;
  /** Display name of the entity. */
  readonly label: string;
  /**
   * Field that differs; `null` if the entity exists only in the copy or only in the account, or if only one of them
   * would refuse the change.
   */
  readonly field: string | null;
  /**
   * The field's value in the copy. If `field` is `null`: whether the entity exists there, or whether the change would
   * be refused.
   */
  readonly copy: unknown;
  /**
   * The field's value in the account. If `field` is `null`: whether the entity exists there, or whether the change
   * would be refused.
   */
  readonly account: unknown;
}

/** Result of applying a plan to a copy of an account, and the differences between the copy and the account. */
export interface RehearsedPlan {
  /** Results of each change in the copy. */
  readonly result: PlanResult;
  /** Values that the plan depends on and that differ between copy and account; empty if there are none. */
  readonly differences: readonly CopyDifference[];
}

/**
 * Applies a plan to a copy of an account, and compares everything that the plan depends on between copy and account:
 * the changed entities, their campaigns, ad groups and portfolios, and expected refusals. Sends nothing to the
 * account.
 *
 * @param clients `account` is the profile of the account, `copy` the same profile on an emulator that plays its copy.
 * @throws {ConfigurationError} when one of the clients is of another profile.
 *
 * @example
 * ```ts
 * import type { ChangePlan, ProfileClient } from "@platform/ads";
 * import { rehearsePlan } from "@platform/ads/account";
 *
 * async function isSafe(plan: ChangePlan, us: ProfileClient, copyOfUs: ProfileClient): Promise<boolean> {
 *   const { result, differences } = await rehearsePlan(plan, { account: us, copy: copyOfUs });
 *   return result.ok && differences.length === 0;
 * }
 * ```
 */
export async function rehearsePlan(
  plan: ChangePlan,
  { account, copy, signal }: {
    readonly account: ProfileClient;
    readonly copy: ProfileClient;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<RehearsedPlan> {
  const differences = [
    ...await entityDifferences(plan.changes, { account, copy, signal }),
    ...await refusalDifferences(plan.changes, { account, copy, signal }),
  ];
  // A plan is applied once: this one stays open for the account.
  const result = await new ChangePlan(plan).apply(copy, { ...(signal === undefined ? {} : { signal }) });
  return { result, differences };
}

interface Both {
  readonly account: ProfileClient;
  readonly copy: ProfileClient;
  readonly signal: AbortSignal | undefined;
}

const PARENTS: readonly (readonly [field: string, kind: string])[] = [
  ["campaignId", "campaigns"],
  ["adGroupId", "ad_groups"],
  ["portfolioId", "portfolios"],
];

async function entityDifferences(changes: readonly Change[], both: Both): Promise<CopyDifference[]> {
  const read = new Map<string, Map<string, Pair>>();
  let ids = idsOf(changes);
  // Ad groups and campaigns of what was read are read next, until nothing new is found.
  while (ids.size > 0) {
    const next = new Map<string, Set<string>>();
    for (const [kind, wanted] of ids) {
      const known = read.get(kind) ?? new Map<string, Pair>();
      read.set(kind, known);
      const open = [...wanted].filter((id) => !known.has(id));
      const pairs = await readBoth(kind, open, both);
      for (const [id, pair] of pairs) {
        known.set(id, pair);
        for (const entity of [pair.copy, pair.account]) {
          if (entity !== undefined) addParents(next, kind, entity);
        }
      }
    }
    ids = new Map(
      [...next].map(([kind, wanted]) =>
        [kind, wanted.difference(new Set(read.get(kind)?.keys() ?? []))] as const
      )
        .filter(([, wanted]) => wanted.size > 0),
    );
  }
  return [...read].flatMap(([kind, pairs]) =>
    [...pairs].flatMap(([id, pair]) => differencesOf({ kind, id }, pair, both))
  );
}

interface Pair {
  readonly copy: EntityFields | undefined;
  readonly account: EntityFields | undefined;
}

async function readBoth(
  kind: string,
  ids: readonly string[],
  { account, copy, signal }: Both,
): Promise<Map<string, Pair>> {
  if (ids.length === 0) return new Map();
  const [there, here] = await Promise.all(
    [account, copy].map((client) => client.resource(kind).getMany(ids, { signal })),
  );
  return new Map(ids.map((id) => [id, { copy: here!.get(id), account: there!.get(id) }]));
}

function idsOf(changes: readonly Change[]): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>();
  for (const { kind, op, id, before, after, campaignId } of changes) {
    if (kind === "call") continue;
    if (id !== null && op !== "create") add(ids, kind, id);
    addParents(ids, kind, { ...before, ...(campaignId === undefined ? {} : { campaignId }) });
    addParents(ids, kind, after);
  }
  return ids;
}

function addParents(ids: Map<string, Set<string>>, kind: string, fields: EntityFields): void {
  const family = kind.split(".")[0] ?? "";
  for (const [field, parent] of PARENTS) {
    const value = fields[field];
    // A reference to another change of the plan is no id.
    if (typeof value !== "string" || !/^\d{1,20}$/.test(value)) continue;
    const parentKind = parent === "portfolios" ? parent : `${family}.${parent}`;
    if (parentKind !== kind) add(ids, parentKind, value);
  }
}

function add(ids: Map<string, Set<string>>, kind: string, id: string): void {
  const known = ids.get(kind);
  if (known === undefined) ids.set(kind, new Set([id]));
  else known.add(id);
}

function differencesOf(
  { kind, id }: { kind: string; id: string },
  { copy, account }: Pair,
  both: Both,
): CopyDifference[] {
  const resource = both.account.resource(kind);
  const label = labelOf(account ?? copy, id);
  if (copy === undefined || account === undefined) {
    if (copy === account) return [];
    const word = (entity: EntityFields | undefined): string => entity === undefined ? "not there" : "there";
    return [{ kind, id, label, field: null, copy: word(copy), account: word(account) }];
  }
  const [here, there] = [resource.comparable(copy), resource.comparable(account)];
  return [...new Set([...Object.keys(here), ...Object.keys(there)])]
    .filter((field) => !sameValue(here[field] ?? null, there[field] ?? null))
    .map((field) => ({ kind, id, label, field, copy: here[field] ?? null, account: there[field] ?? null }));
}

function labelOf(entity: EntityFields | undefined, id: string): string {
  const { name, keywordText } = entity ?? {};
  return typeof name === "string" ? name : typeof keywordText === "string" ? keywordText : id;
}

async function refusalDifferences(changes: readonly Change[], both: Both): Promise<CopyDifference[]> {
  const { signal } = both;
  const [account, copy] = await Promise.all(
    [both.account, both.copy].map(async (client) => {
      const { findings } = await client.preflight(changes, { signal });
      const byChange = new Map<number, string[]>();
      for (const { change, code } of findings) {
        if (change !== undefined) byChange.set(change, [...byChange.get(change) ?? [], code].sort());
      }
      return byChange;
    }),
  );
  return changes.flatMap(({ kind, id, label }, at) => {
    const [there, here] = [account!.get(at) ?? [], copy!.get(at) ?? []];
    if (sameValue(there, here)) return [];
    const words = (codes: readonly string[]): string => codes.length === 0 ? "accepted" : codes.join(", ");
    return [{ kind, id, label, field: null, copy: words(here), account: words(there) }];
  });
}
