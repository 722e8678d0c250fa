import type { Change, EntityFields } from "../change.ts";
import type { PlanTarget } from "../plan_target.ts";
import { campaignIdOf } from "./campaign_id_of.ts";

/** The part of an account that a plan is judged by. */
export interface AccountReading {
  /** An entity as it is now; `undefined` when it was not read. */
  entity(kind: string, id: string | null): EntityFields | undefined;
  /** The campaign of an entity of this kind; `undefined` when it was not read. */
  campaign(kind: string, id: string): EntityFields | undefined;
}

/** An account of which nothing was read: only the plan's own `before` values are known. */
export const UNREAD_ACCOUNT: AccountReading = { entity: () => undefined, campaign: () => undefined };

/** Reads the entities that changes touch and the campaigns they belong to, as they are now. */
export async function readAccount(
  changes: readonly Change[],
  client: PlanTarget,
  options: {
    /** Entities that were read just now, by kind and id. */
    readonly known?: ReadonlyMap<string, ReadonlyMap<string, EntityFields>> | undefined;
    /** Ends the reading. */
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<AccountReading> {
  const { known, signal } = options;
  const found = new Map<string, ReadonlyMap<string, EntityFields>>();
  const read = async (kind: string, ids: ReadonlySet<string>): Promise<void> => {
    const before = known?.get(kind);
    const missing = [...ids].filter((id) => !before?.has(id));
    const more = missing.length === 0 ? new Map() : await client.resource(kind).getMany(missing, { signal });
    found.set(kind, before === undefined ? more : new Map([...before, ...more]));
  };
  const wanted = new Map<string, Set<string>>();
  const want = (kind: string, id: unknown): void => {
    if (typeof id !== "string" || id === "") return;
    const ids = wanted.get(kind) ?? new Set();
    wanted.set(kind, ids.add(id));
  };
  for (const { kind, id } of changes) want(kind, id);
  for (const [kind, ids] of wanted) await read(kind, ids);
  const campaigns = new Map<string, Set<string>>();
  for (const change of changes) {
    const { kind, id } = change;
    if (kind.endsWith(".campaigns") || campaignKind(kind) === undefined) continue;
    const owner = campaignIdOf(change, found.get(kind)?.get(id ?? ""));
    if (owner === undefined || wanted.get(campaignKind(kind)!)?.has(owner)) continue;
    const ids = campaigns.get(campaignKind(kind)!) ?? new Set();
    campaigns.set(campaignKind(kind)!, ids.add(owner));
  }
  const owners = new Map<string, ReadonlyMap<string, EntityFields>>();
  for (const [kind, ids] of campaigns) {
    owners.set(kind, await client.resource(kind).getMany([...ids], { signal }));
  }
  return {
    entity: (kind, id) => id === null ? undefined : found.get(kind)?.get(id),
    campaign: (kind, id) => {
      const campaign = campaignKind(kind) ?? "";
      return owners.get(campaign)?.get(id) ?? found.get(campaign)?.get(id);
    },
  };
}

/** `sp.campaigns` for every kind of Sponsored Products; `undefined` for a kind outside of campaigns. */
function campaignKind(kind: string): string | undefined {
  const dot = kind.indexOf(".");
  return dot < 0 ? undefined : `${kind.slice(0, dot)}.campaigns`;
}
