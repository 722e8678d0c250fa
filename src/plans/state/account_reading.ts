import { idKey, idOf } from "../../base/json/id_of.ts";
import { PlatformAdsError } from "../../errors.ts";
import { canonicalJson } from "../../base/json/canonical_json.ts";
import type { Change, EntityFields } from "../model/change.ts";
import { type CallState, plannedCall } from "../model/planned_call.ts";
import type { PlanResource, PlanTarget } from "../model/plan_target.ts";
import {
  type AccountScale,
  type Below,
  isCampaignKind,
  isPlaceKind,
  type Looked,
  type PriorState,
  type Surroundings,
  Unread,
} from "../model/prior_state.ts";

export interface ReadTarget extends Pick<PlanTarget, "calls"> {
  resource(kind: string): Pick<PlanResource, "getMany" | "iter" | "idField" | "identity" | "candidates">;
}

export type KeywordPlace = "adGroupId" | "campaignId";

type BidOf = { readonly kind: string; readonly id: string; readonly bid: number };

export class AccountReading implements PriorState, Surroundings {
  scale: AccountScale | undefined;
  #client: ReadTarget | undefined;
  #signal: AbortSignal | undefined;
  readonly #wanted = new Map<string, Set<string>>();
  readonly #found = new Map<string, Map<string, Looked>>();
  readonly #calls = new Map<string, CallState | undefined | Unread>();
  readonly #listed = new Set<string>();
  readonly #below = new Map<string, BidOf[] | Unread>();
  readonly #holders = new Map<string, string>();
  readonly #held = new Map<string, string[]>();
  readonly #keywords = new Map<string, EntityFields[]>();
  readonly #bids = new Map<string, BidOf[]>();
  #touching: readonly Change[] = [];
  #touched: ReadonlySet<string> | undefined;
  #unread: string | undefined;

  by(client: ReadTarget, signal?: AbortSignal | undefined): this {
    this.#client = client;
    this.#signal = signal;
    return this;
  }

  get unread(): string | undefined {
    return this.#unread;
  }

  entity(kind: string, id: string | null): Looked {
    if (id === null) return undefined;
    const found = this.#of(kind);
    const entity = found.get(id);
    return entity !== undefined || found.has(id) ? entity : new Unread(`${kind} ${id} was not read`);
  }

  below(kind: string, id: string, leftOut?: (key: string) => boolean): Below | Unread {
    const bids = this.#below.get(`${kind} ${id}`) ?? new Unread("its child entities were not read");
    if (bids instanceof Unread) return bids;
    const highest = highestOf(bids, leftOut);
    return { highestBid: highest?.bid, of: highest === undefined ? "" : `${highest.kind} ${highest.id}` };
  }

  holderOf(kind: string, identity: string): string | undefined {
    return this.#holders.get(`${kind} ${identity}`);
  }

  holds(kind: string, adGroupId: unknown): readonly string[] {
    return this.#held.get(`${kind} ${adGroupId}`) ?? [];
  }

  keywordsIn(kind: string, place: string, id: unknown): readonly EntityFields[] {
    return this.#keywords.get(`${kind} ${place} ${id}`) ?? [];
  }

  highestBid(campaignId: string): BidOf | undefined {
    const touched = this.#touched ??= new Set(this.#touching.map(({ kind, id }) => `${kind} ${id}`));
    return highestOf(this.#bids.get(campaignId) ?? [], (key) => touched.has(key));
  }

  call(change: Change): CallState | undefined | Unread {
    return this.#calls.get(canonicalJson(change.after));
  }

  keep(kind: string, entities: ReadonlyMap<string, EntityFields>): void {
    const found = this.#of(kind);
    for (const [id, entity] of entities) found.set(id, entity);
  }

  forget(kind: string, max: number): void {
    if (this.#of(kind).size > max) this.#found.delete(kind);
  }

  forgetLeaves(): void {
    for (const kind of this.#found.keys()) {
      if (!isPlaceKind(kind)) this.#found.delete(kind);
    }
  }

  touch(changes: readonly Change[]): void {
    this.#touching = changes;
    this.#touched = undefined;
  }

  want(kind: string, id: string | null | undefined): void {
    if (id === null || id === undefined || id === "" || this.#of(kind).has(id)) return;
    const wanted = this.#wanted.get(kind);
    if (wanted === undefined) this.#wanted.set(kind, new Set([id]));
    else wanted.add(id);
  }

  async read(isDue: (kind: string) => boolean): Promise<void> {
    for (const [kind, ids] of this.#wanted) {
      if (!isDue(kind)) continue;
      this.#wanted.delete(kind);
      const read = await this.#try(
        `${kind} could not be read`,
        () => this.#resource(kind).getMany([...ids], { signal: this.#signal }),
      );
      const found = this.#of(kind);
      for (const id of ids) found.set(id, read instanceof Unread ? read : read.get(id));
    }
  }

  async readCall(change: Change): Promise<void> {
    const call = plannedCall(change);
    const key = canonicalJson(change.after);
    if (call === undefined || this.#calls.has(key)) return;
    const read = async () => await this.#client?.calls?.read(call, { signal: this.#signal });
    this.#calls.set(
      key,
      await this.#try(`the values that ${call.operation} overwrites could not be read`, read),
    );
  }

  async readBelow(
    { kind, id }: { readonly kind: string; readonly id: string },
    bidders: readonly string[],
    bidOf: (kind: string, entity: EntityFields) => number | undefined,
  ): Promise<void> {
    const key = `${kind} ${id}`;
    if (this.#below.has(key)) return;
    const place = isCampaignKind(kind) ? { campaignIds: [id] } : { adGroupIds: [id] };
    const bids: BidOf[] = [];
    for (const bidder of bidders) {
      const read = await this.#each(bidder, { ...place, states: ["ENABLED"] }, (own, entity) => {
        const bid = bidOf(bidder, entity);
        if (bid !== undefined) bids.push({ kind: bidder, id: own, bid });
      });
      if (read instanceof Unread) return void this.#below.set(key, read);
    }
    this.#below.set(key, bids);
  }

  async readHolders(kind: string, items: readonly EntityFields[]): Promise<void> {
    const resource = this.#resource(kind);
    const unknown = items.filter((item) => {
      const identity = resource.identity?.(item);
      return identity !== undefined && this.#isNew(`${kind} ${identity}`);
    });
    if (unknown.length === 0) return;
    await this.#try(`${kind} could not be listed`, async () => {
      for (const entity of await resource.candidates?.(unknown, { signal: this.#signal }) ?? []) {
        const id = idOf(entity, resource.idField);
        if (id === undefined || isArchived(entity)) continue;
        this.#holders.set(`${kind} ${resource.identity?.(entity)}`, id);
      }
    });
  }

  async readHeld(kind: string, adGroups: readonly string[]): Promise<void> {
    const adGroupIds = adGroups.filter((id) => this.#isNew(`held ${kind} ${id}`));
    if (adGroupIds.length === 0) return;
    await this.#each(kind, { adGroupIds, states: null }, (id, entity) => {
      if (isArchived(entity)) return;
      const key = `${kind} ${idKey(entity, "adGroupId")}`;
      this.#held.set(key, [...this.#held.get(key) ?? [], id]);
    });
  }

  async readKeywords(kind: string, place: KeywordPlace, places: readonly string[]): Promise<void> {
    const ids = places.filter((id) => this.#isNew(`keywords ${kind} ${place} ${id}`));
    if (ids.length === 0) return;
    await this.#each(kind, { [`${place}s`]: ids, states: ["ENABLED"] }, (keywordId, entity) => {
      const { keywordText, matchType } = entity;
      const key = `${kind} ${place} ${idKey(entity, place)}`;
      const found = this.#keywords.get(key);
      const keyword = { keywordId, keywordText, matchType };
      if (found === undefined) this.#keywords.set(key, [keyword]);
      else found.push(keyword);
    });
  }

  async readBids(
    campaigns: readonly string[],
    bidders: readonly string[],
    bidOf: (kind: string, entity: EntityFields) => number,
  ): Promise<void> {
    const campaignIds = campaigns.filter((id) => this.#isNew(`bids ${id}`));
    if (campaignIds.length === 0) return;
    for (const campaignId of campaignIds) this.#bids.set(campaignId, []);
    for (const kind of bidders) {
      await this.#each(kind, { campaignIds }, (id, entity) => {
        const bid = bidOf(kind, entity);
        if (bid > 0) this.#bids.get(idKey(entity, "campaignId"))?.push({ kind, id, bid });
      });
    }
  }

  async #each(
    kind: string,
    query: Parameters<NonNullable<PlanResource["iter"]>>[0],
    use: (id: string, entity: EntityFields) => void,
  ): Promise<Unread | undefined> {
    const resource = this.#resource(kind);
    const list = resource.iter?.({ ...query, signal: this.#signal });
    if (list === undefined) return new Unread(`${kind} cannot be listed`);
    return await this.#try(`${kind} could not be listed`, async () => {
      for await (const entity of list) {
        const id = idOf(entity, resource.idField);
        if (id !== undefined) use(id, entity);
      }
      return undefined;
    });
  }

  #resource(kind: string): ReturnType<ReadTarget["resource"]> {
    if (this.#client === undefined) throw new TypeError("Cannot read the account: no client reads it");
    return this.#client.resource(kind);
  }

  #isNew(key: string): boolean {
    const isNew = !this.#listed.has(key);
    this.#listed.add(key);
    return isNew;
  }

  async #try<Read>(what: string, read: () => Promise<Read>): Promise<Read | Unread> {
    try {
      return await read();
    } catch (error) {
      if (this.#signal?.aborted || !(error instanceof PlatformAdsError)) throw error;
      this.#unread ??= error.message;
      return new Unread(`${what}: ${error.message}`, error);
    }
  }

  #of(kind: string): Map<string, Looked> {
    let found = this.#found.get(kind);
    if (found === undefined) this.#found.set(kind, found = new Map());
    return found;
  }
}

function isArchived({ state }: EntityFields): boolean {
  return String(state).toUpperCase() === "ARCHIVED";
}

function highestOf(bids: readonly BidOf[], leftOut?: (key: string) => boolean): BidOf | undefined {
  let highest: BidOf | undefined;
  for (const one of bids) {
    if (one.bid > (highest?.bid ?? -Infinity) && !leftOut?.(`${one.kind} ${one.id}`)) highest = one;
  }
  return highest;
}
