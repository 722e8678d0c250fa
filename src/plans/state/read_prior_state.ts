import { PlatformAdsError } from "../../errors.ts";
import type { Change, EntityFields } from "../change.ts";
import type { PlanTarget } from "../plan_target.ts";
import { inheritsBid, ownBid } from "./amounts.ts";
import {
  type Below,
  familyOf,
  idText,
  isCampaignKind,
  type Looked,
  type PriorState,
  Unread,
} from "./prior_state.ts";

/** Entities that were read just now, by kind and id. */
export type KnownEntities = ReadonlyMap<string, ReadonlyMap<string, EntityFields>>;

/** Options of the reading. */
export interface ReadPriorStateOptions {
  /** Entities that were read just now: they are not read again. */
  readonly known?: KnownEntities | undefined;
  /** True to read also the highest bid below campaigns and ad groups that start to spend or change their bidding. @default false */
  readonly below?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Kinds with bids below a campaign or ad group, by family. */
const BIDDERS: Readonly<Record<string, readonly string[]>> = {
  sp: ["sp.ad_groups", "sp.keywords", "sp.targets"],
  sb: ["sb.keywords", "sb.targets"],
  sd: ["sd.ad_groups", "sd.targets"],
};

/**
 * Reads what the changes of a plan are judged by: the entities that they touch, then their ad groups, then their campaigns.
 * Each kind is read once. A part that cannot be read is {@linkcode Unread}, and judged as unknown.
 */
export async function readPriorState(
  changes: readonly Change[],
  client: PlanTarget,
  options: ReadPriorStateOptions = {},
): Promise<PriorState> {
  const { signal } = options;
  const reading = new Reading(client, options);
  const entities = changes.filter(({ op }) => op !== "call");
  for (const { kind, id } of entities) reading.want(kind, id);
  await reading.go((kind) => !kind.endsWith(".ad_groups") && !isCampaignKind(kind));
  for (const change of entities) {
    const family = familyOf(change.kind);
    if (family === undefined || isCampaignKind(change.kind)) continue;
    const entity = reading.found(change.kind, change.id);
    if (entity !== undefined && !needsAdGroup(change, entity)) continue;
    reading.want(`${family}.ad_groups`, idText(entity?.["adGroupId"] ?? change.after["adGroupId"]));
  }
  await reading.go((kind) => kind.endsWith(".ad_groups"));
  for (const change of entities) {
    const family = familyOf(change.kind);
    if (family === undefined || isCampaignKind(change.kind)) continue;
    const entity = reading.found(change.kind, change.id);
    const group = reading.found(
      `${family}.ad_groups`,
      idText(entity?.["adGroupId"] ?? change.after["adGroupId"]),
    );
    const planned = entity === undefined && group === undefined ? change.after["campaignId"] : undefined;
    for (const owner of [entity?.["campaignId"], group?.["campaignId"], planned]) {
      reading.want(`${family}.campaigns`, idText(owner));
    }
  }
  await reading.go(() => true);

  const below = new Map<string, Below | Unread>();
  if (options.below) {
    const changed = new Set(entities.map(({ kind, id }) => `${kind} ${id}`));
    for (const { kind, op, id, after } of entities) {
      if (op !== "update" || id === null || !mayWake(kind, after)) continue;
      below.set(`${kind} ${id}`, await readBelow({ kind, id, changed, client, signal }));
    }
  }
  return {
    entity: (kind, id) => id === null ? undefined : reading.look(kind, id),
    below: (kind, id) => below.get(`${kind} ${id}`) ?? new Unread("what is below it was not read"),
  };
}

class Reading {
  readonly #client: PlanTarget;
  readonly #options: ReadPriorStateOptions;
  readonly #wanted = new Map<string, Set<string>>();
  readonly #found = new Map<string, Map<string, Looked>>();

  constructor(client: PlanTarget, options: ReadPriorStateOptions) {
    this.#client = client;
    this.#options = options;
  }

  want(kind: string, id: string | null | undefined): void {
    if (id === null || id === undefined || id === "" || this.#of(kind).has(id)) return;
    const known = this.#options.known?.get(kind)?.get(id);
    if (known !== undefined) this.#of(kind).set(id, known);
    else this.#wanted.set(kind, (this.#wanted.get(kind) ?? new Set()).add(id));
  }

  async go(isDue: (kind: string) => boolean): Promise<void> {
    for (const [kind, ids] of this.#wanted) {
      if (!isDue(kind)) continue;
      this.#wanted.delete(kind);
      const { signal } = this.#options;
      let read: ReadonlyMap<string, EntityFields> | Unread;
      try {
        read = await this.#client.resource(kind).getMany([...ids], { signal });
      } catch (error) {
        if (signal?.aborted || !(error instanceof PlatformAdsError)) throw error;
        read = new Unread(`${kind} could not be read: ${error.message}`);
      }
      for (const id of ids) this.#of(kind).set(id, read instanceof Unread ? read : read.get(id));
    }
  }

  look(kind: string, id: string): Looked {
    const found = this.#of(kind);
    return found.has(id) ? found.get(id) : new Unread(`${kind} ${id} was not read`);
  }

  found(kind: string, id: string | null | undefined): EntityFields | undefined {
    const looked = id === null || id === undefined ? undefined : this.#of(kind).get(id);
    return looked instanceof Unread ? undefined : looked;
  }

  #of(kind: string): Map<string, Looked> {
    const found = this.#found.get(kind) ?? new Map<string, Looked>();
    this.#found.set(kind, found);
    return found;
  }
}

/** An ad group says which campaign an entity is in where the entity does not, and which bid holds where it has none. */
function needsAdGroup({ kind, op, after }: Change, entity: EntityFields): boolean {
  if (entity["campaignId"] === undefined) return true;
  if (op === "archive" && inheritsBid(kind)) return ownBid(kind, entity) === undefined;
  return inheritsBid(kind) && ("bid" in after || "state" in after) &&
    (ownBid(kind, entity) === undefined || ("bid" in after && ownBid(kind, after) === undefined));
}

function mayWake(kind: string, after: EntityFields): boolean {
  const fields = isCampaignKind(kind)
    ? ["state", "endDate", "startDate", "dynamicBidding", "bidding"]
    : kind.endsWith(".ad_groups")
    ? ["state"]
    : [];
  return fields.some((field) => field in after);
}

async function readBelow({ kind, id, changed, client, signal }: {
  kind: string;
  id: string;
  changed: ReadonlySet<string>;
  client: PlanTarget;
  signal: AbortSignal | undefined;
}): Promise<Below | Unread> {
  const place = isCampaignKind(kind) ? { campaignIds: [id] } : { adGroupIds: [id] };
  let highestBid: number | undefined;
  let of = "";
  for (const bidder of BIDDERS[familyOf(kind) ?? ""] ?? []) {
    if (bidder === kind) continue;
    const resource = client.resource(bidder);
    if (resource.iter === undefined) return new Unread(`${bidder} cannot be listed`);
    try {
      for await (const entity of resource.iter({ ...place, states: ["ENABLED"], signal })) {
        const own = idText(entity[resource.idField]) ?? "";
        const bid = changed.has(`${bidder} ${own}`) ? undefined : ownBid(bidder, entity);
        if (bid === undefined || bid <= (highestBid ?? -1)) continue;
        highestBid = bid;
        of = `${bidder} ${own}`;
      }
    } catch (error) {
      if (signal?.aborted || !(error instanceof PlatformAdsError)) throw error;
      return new Unread(`${bidder} below it could not be read: ${error.message}`);
    }
  }
  return { highestBid, of };
}
