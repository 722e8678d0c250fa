import type { Change } from "../../plans/change.ts";
import { isChangeRef } from "../../plans/graph/change_ref.ts";
import type { EntitySource } from "../entity_source.ts";
import { isArchived } from "../fields/is_archived.ts";
import { candidatesFor } from "../find_equal.ts";
import type { ResourceSpec } from "../resource_spec.ts";
import type { Fields } from "../wire/resource_wire.ts";

/** The part of an account that a plan is checked against, read once. */
export interface AccountNow {
  /** True when the account was read; without it nothing is known of what is there. */
  readonly isRead: boolean;
  /** An entity; `undefined` when the account has none of that id, or it was not asked for. */
  entity(kind: string, id: unknown): Fields | undefined;
  /** Id of the entity that is there and not archived, and that a new one of this kind would equal. */
  equalOf(spec: ResourceSpec, item: Fields): string | undefined;
  /** Ids of the entities of a kind that an ad group holds and that are not archived. */
  holds(kind: string, adGroupId: unknown): readonly string[];
  /** The highest bid in a campaign of what no change touches, and the kind whose it is. */
  highestBid(campaignId: string): { readonly kind: string; readonly bid: number } | undefined;
}

/** An account without any reading. */
export const UNREAD: AccountNow = {
  isRead: false,
  entity: () => undefined,
  equalOf: () => undefined,
  holds: () => [],
  highestBid: () => undefined,
};

/** Kinds that an ad group holds one at a time. */
export const RIVALS: Readonly<Record<string, string>> = {
  "sp.keywords": "sp.targets",
  "sp.targets": "sp.keywords",
};

/** Kinds whose bids a campaign's budget must not be lower than, with the field. */
export const BIDS: Readonly<Record<string, string>> = {
  "sp.ad_groups": "defaultBid",
  "sp.keywords": "bid",
  "sp.targets": "bid",
};

/** Sources for reading the account. */
interface AccountSources {
  /** The entities of a kind. */
  readonly resource: (kind: string) => EntitySource;
  /** Entities that were read before, by kind. */
  readonly known: ReadonlyMap<string, ReadonlyMap<string, Fields>>;
  /** Entities that were read for earlier changes; those that are read now are added. */
  readonly places: Map<string, Map<string, Fields>>;
  readonly signal?: AbortSignal | undefined;
}

/** Reads what the changes of a plan are checked against: what they touch, what that is in, and what it would equal. */
export async function readAccountNow(
  changes: readonly Change[],
  sources: AccountSources,
): Promise<AccountNow> {
  const { resource, known, places, signal } = sources;
  const entityOf = (kind: string, id: string): Fields | undefined =>
    known.get(kind)?.get(id) ?? places.get(kind)?.get(id);
  const equals = new Map<string, string>();
  const held = new Map<string, string[]>();
  const bids = new Map<string, { kind: string; bid: number }>();

  let wanted = new Map<string, Set<string>>();
  const want = (kind: string, id: string): void => {
    if (entityOf(kind, id) !== undefined) return;
    wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id));
  };
  const readWanted = async (): Promise<void> => {
    const all = wanted;
    wanted = new Map();
    for (const [kind, ids] of all) {
      const there = places.get(kind) ?? new Map<string, Fields>();
      places.set(kind, there);
      for (const [id, entity] of await resource(kind).getMany([...ids], { signal })) there.set(id, entity);
    }
  };
  const specOf = (kind: string): ResourceSpec => resource(kind).spec;
  const entityNow = ({ kind, id }: Change): Fields => id === null ? {} : entityOf(kind, id) ?? {};
  const now = (change: Change): Fields => ({ ...entityNow(change), ...change.after });

  for (const { kind, id } of changes) if (id !== null) want(kind, id);
  await readWanted();
  const withoutCampaign: { readonly kind: string; readonly adGroupId: unknown }[] = [];
  for (const change of changes) {
    const { kind, after } = change;
    const entity = entityNow(change);
    wantPlaces(specOf(kind), { now: entity, after, want });
    if ((after["campaignId"] ?? entity["campaignId"]) !== undefined) continue;
    withoutCampaign.push({ kind, adGroupId: after["adGroupId"] ?? entity["adGroupId"] });
  }
  await readWanted();
  // An ad group of Brands says which campaign its ads are in.
  for (const { kind: ofAd, adGroupId } of withoutCampaign) {
    const kind = adGroupKind(ofAd);
    const adGroup = entityOf(kind, String(adGroupId));
    if (adGroup !== undefined) wantPlaces(specOf(kind), { now: adGroup, after: {}, want });
  }
  await readWanted();

  for (
    const [kind, group] of Map.groupBy(
      // In what does not exist yet there is nothing to equal.
      changes.filter(({ after, op }) =>
        op === "create" ? !Object.values(after).some(isChangeRef) : "name" in after
      ),
      ({ kind }) => kind,
    )
  ) {
    const source = resource(kind);
    const { identity, idField } = source.spec;
    if (identity === undefined) continue;
    for (const entity of await candidatesFor(source, group.map(now), { signal, inAnyCase: true })) {
      if (!isArchived(entity)) equals.set(`${kind} ${identity(entity)}`, String(entity[idField]));
    }
  }
  for (const [kind, rival] of Object.entries(RIVALS)) {
    const created = changes.filter((change) => change.kind === kind && change.op === "create");
    const adGroupIds = [...new Set(created.map(({ after }) => String(after["adGroupId"])))].filter(isIdText);
    if (adGroupIds.length === 0) continue;
    const { idField } = specOf(rival);
    for (const entity of await resource(rival).list({ adGroupIds, states: null, signal })) {
      if (isArchived(entity)) continue;
      const key = `${rival} ${entity["adGroupId"]}`;
      const ids = held.get(key);
      if (ids === undefined) held.set(key, [String(entity[idField])]);
      else ids.push(String(entity[idField]));
    }
  }
  const campaignIds = changes.flatMap(({ kind, op, id, after }) =>
    kind === "sp.campaigns" && op === "update" && id !== null && "budget" in after ? [id] : []
  );
  if (campaignIds.length > 0) {
    const touched = new Set(changes.flatMap(({ kind, id }) => id === null ? [] : [`${kind} ${id}`]));
    for (const [kind, field] of Object.entries(BIDS)) {
      const { idField } = specOf(kind);
      for (const entity of await resource(kind).list({ campaignIds, signal })) {
        if (touched.has(`${kind} ${entity[idField]}`)) continue;
        // Of targets, the platform compares only those that it made itself.
        if (kind === "sp.targets" && entity["expressionType"] !== "AUTO") continue;
        const [campaignId, bid] = [String(entity["campaignId"]), Number(entity[field] ?? 0)];
        if (bid > (bids.get(campaignId)?.bid ?? 0)) bids.set(campaignId, { kind, bid });
      }
    }
  }
  return {
    isRead: true,
    entity: (kind, id) => typeof id === "string" ? entityOf(kind, id) : undefined,
    equalOf: (spec, item) => spec.identity && equals.get(`${spec.kind} ${spec.identity(item)}`),
    holds: (kind, adGroupId) => held.get(`${kind} ${adGroupId}`) ?? [],
    highestBid: (campaignId) => bids.get(campaignId),
  };
}

/** Kind of the ad groups of a family. */
export function adGroupKind(kind: string): string {
  return `${kind.split(".")[0]}.ad_groups`;
}

/** Asks for what an entity is in after a change: its parents, and a portfolio that it is put into. */
function wantPlaces(
  spec: ResourceSpec,
  { now, after, want }: { now: Fields; after: Readonly<Fields>; want: (kind: string, id: string) => void },
): void {
  const place = (kind: string, field: string): void => {
    const id = String(field in after ? after[field] : now[field]);
    if (isIdText(id)) want(kind, id);
  };
  for (const field in spec.parents) place(spec.parents[field] ?? "", field);
  if (spec.updatable.includes("portfolioId") && "portfolioId" in after) place("portfolios", "portfolioId");
}

/** False for the text of a missing or misspelt value, which must not be requested. */
function isIdText(id: string): boolean {
  return /^\d{1,20}$/.test(id);
}
