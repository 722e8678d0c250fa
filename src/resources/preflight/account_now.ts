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
  /** True when an ad group holds an entity of a kind that is not archived. */
  holds(kind: string, adGroupId: unknown): boolean;
  /** The highest bid in a campaign, and the kind whose it is. */
  highestBid(campaignId: string): { readonly kind: string; readonly bid: number } | undefined;
}

/** An account of which nothing was read. */
export const UNREAD: AccountNow = {
  isRead: false,
  entity: () => undefined,
  equalOf: () => undefined,
  holds: () => false,
  highestBid: () => undefined,
};

/** Kinds of which an ad group holds one only. */
export const RIVALS: Readonly<Record<string, string>> = {
  "sp.keywords": "sp.targets",
  "sp.targets": "sp.keywords",
};

/** Kinds whose bids a campaign's budget must not be lower than, with the field. */
const BIDS: Readonly<Record<string, string>> = {
  "sp.ad_groups": "defaultBid",
  "sp.keywords": "bid",
  "sp.targets": "bid",
};

/** Where the account is read. */
export interface AccountSources {
  /** The entities of a kind. */
  readonly resource: (kind: string) => EntitySource;
  /** Entities that were read before, by kind. */
  readonly known: ReadonlyMap<string, ReadonlyMap<string, Fields>>;
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined;
}

/** Reads what the changes of a plan are checked against: what they touch, what that is in, and what it would equal. */
export async function readAccountNow(
  changes: readonly Change[],
  sources: AccountSources,
): Promise<AccountNow> {
  const { resource, signal } = sources;
  const entities = new Map([...sources.known].map(([kind, found]) => [kind, new Map(found)]));
  const equals = new Map<string, string>();
  const held = new Set<string>();
  const bids = new Map<string, { kind: string; bid: number }>();

  const read = async (wanted: ReadonlyMap<string, ReadonlySet<string>>): Promise<void> => {
    for (const [kind, ids] of wanted) {
      const there = entities.get(kind) ?? new Map<string, Fields>();
      entities.set(kind, there);
      const open = [...ids].filter((id) => !there.has(id));
      if (open.length === 0) continue;
      for (const [id, entity] of await resource(kind).getMany(open, { signal })) there.set(id, entity);
    }
  };
  const now = ({ kind, id, after }: Change): Fields => ({ ...entities.get(kind)?.get(id ?? ""), ...after });

  await read(idsBy(changes.flatMap(({ kind, id }) => id === null ? [] : [[kind, id]])));
  const specOf = (kind: string): ResourceSpec => resource(kind).spec;
  await read(idsBy(changes.flatMap((change) => placesOf(specOf(change.kind), now(change)))));
  // An ad group of Brands says which campaign its ads are in.
  await read(idsBy(changes.flatMap((change) => {
    const adGroup = entities.get(adGroupKind(change.kind))?.get(String(now(change)["adGroupId"]));
    return adGroup === undefined ? [] : placesOf(specOf(adGroupKind(change.kind)), adGroup);
  })));

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
    for (const entity of await candidatesFor(source, group.map(now), signal)) {
      if (!isArchived(entity)) equals.set(`${kind} ${identity(entity)}`, String(entity[idField]));
    }
  }
  for (const [kind, rival] of Object.entries(RIVALS)) {
    const created = changes.filter((change) => change.kind === kind && change.op === "create");
    const adGroupIds = [...new Set(created.map(({ after }) => String(after["adGroupId"])))].filter(isIdText);
    if (adGroupIds.length === 0) continue;
    for (const { adGroupId, state } of await resource(rival).list({ adGroupIds, states: null, signal })) {
      if (!isArchived({ state })) held.add(`${rival} ${adGroupId}`);
    }
  }
  const campaignIds = changes.flatMap(({ kind, op, id, after }) =>
    kind === "sp.campaigns" && op === "update" && id !== null && "budget" in after ? [id] : []
  );
  if (campaignIds.length > 0) {
    for (const [kind, field] of Object.entries(BIDS)) {
      for (const entity of await resource(kind).list({ campaignIds, signal })) {
        // Of targets, the platform compares only those that it made itself.
        if (kind === "sp.targets" && entity["expressionType"] !== "AUTO") continue;
        const [campaignId, bid] = [String(entity["campaignId"]), Number(entity[field] ?? 0)];
        if (bid > (bids.get(campaignId)?.bid ?? 0)) bids.set(campaignId, { kind, bid });
      }
    }
  }
  return {
    isRead: true,
    entity: (kind, id) => typeof id === "string" ? entities.get(kind)?.get(id) : undefined,
    equalOf: (spec, item) => spec.identity && equals.get(`${spec.kind} ${spec.identity(item)}`),
    holds: (kind, adGroupId) => held.has(`${kind} ${adGroupId}`),
    highestBid: (campaignId) => bids.get(campaignId),
  };
}

/** Kind of the ad groups of a family. */
export function adGroupKind(kind: string): string {
  return `${kind.split(".")[0]}.ad_groups`;
}

/** What an entity is in, as kind and id: its parents, and its portfolio. */
function placesOf(spec: ResourceSpec, entity: Fields): [string, string][] {
  const places: [string, string][] = Object.entries(spec.parents).map((
    [field, kind],
  ) => [kind, String(entity[field])]);
  if (spec.updatable.includes("portfolioId")) places.push(["portfolios", String(entity["portfolioId"])]);
  return places.filter(([, id]) => isIdText(id));
}

/** False for what a missing or misspelt value becomes as text: it is asked of nobody. */
function isIdText(id: string): boolean {
  return /^\d{1,20}$/.test(id);
}

function idsBy(pairs: readonly (readonly [kind: string, id: string])[]): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>();
  for (const [kind, id] of pairs) ids.set(kind, (ids.get(kind) ?? new Set<string>()).add(id));
  return ids;
}
