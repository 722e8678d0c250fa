import { keptOr } from "../../base/json/kept_or.ts";
import type { Change, EntityFields } from "./change.ts";

/**
 * A part of the account that could not be read, so that whatever depends on it is unknown.
 *
 * @example
 * ```ts
 * import { Unread } from "@platform/ads";
 * import type { PriorState } from "@platform/ads/plans";
 *
 * function nameOf(account: PriorState, id: string): string {
 *   const campaign = account.entity("sp.campaigns", id);
 *   if (campaign instanceof Unread) return `unknown: ${campaign.why}`;
 *   return String(campaign?.["name"] ?? "no such campaign");
 * }
 * ```
 */
export class Unread {
  /** Reason, for messages. */
  readonly why: string;
  /** Error of the failed read; `undefined` if nothing was requested. */
  readonly cause: Error | undefined;

  /** Stores the reason. */
  constructor(why: string, cause?: Error) {
    this.why = why;
    this.cause = cause;
  }
}

/** Current state of an entity; `undefined` if the account has none with that id. */
export type Looked = EntityFields | undefined | Unread;

/** Live entities below a campaign or ad group. */
export interface Below {
  /** Highest bid among them, including inherited bids; `undefined` if none has a bid. */
  readonly highestBid: number | undefined;
  /** Kind and id of the entity with that bid, for messages. */
  readonly of: string;
}

/** The part of an account needed to judge a plan, read once before anything is sent. */
export interface PriorState {
  /** Returns the current state of an entity. */
  entity(kind: string, id: string | null): Looked;
  /**
   * Returns the live entities below a campaign or ad group, except those for which `leftOut` returns true, given `kind
   * id`.
   */
  below(kind: string, id: string, leftOut?: (key: string) => boolean): Below | Unread;
}

export interface Surroundings extends Pick<PriorState, "entity"> {
  readonly unread: string | undefined;
  holderOf(kind: string, identity: string): string | undefined;
  holds(kind: string, adGroupId: unknown): readonly string[];
  keywordsIn(kind: string, place: string, id: unknown): readonly EntityFields[];
  highestBid(campaignId: string): { readonly kind: string; readonly bid: number } | undefined;
}

export const NOT_READ = new Unread("the account was not read");

export const UNREAD: Surroundings = {
  unread: NOT_READ.why,
  entity: () => NOT_READ,
  holderOf: () => undefined,
  holds: () => [],
  keywordsIn: () => [],
  highestBid: () => undefined,
};

/** Prior state claimed by the plan's `before` values, which anyone may have written. */
export function claimedState(changes: readonly Change[]): PriorState {
  const claimed = new Map<string, EntityFields>();
  for (const { kind, op, id, before, campaignId } of changes) {
    if (id === null || op === "create" || claimed.has(`${kind} ${id}`)) continue;
    claimed.set(`${kind} ${id}`, campaignId === undefined ? before : { campaignId, ...before });
  }
  return {
    entity: (kind, id) => claimed.get(`${kind} ${id}`) ?? NOT_READ,
    below: () => NOT_READ,
  };
}

export function familyOf(kind: string): string | undefined {
  const [family, rest] = kind.split(".");
  return rest === undefined ? undefined : family;
}

/** Campaigns that span an account's marketplaces, with a copy in each. */
export const GLOBAL_CAMPAIGNS = "sp.global_campaigns";

export function isGlobalKind(kind: string): boolean {
  return kind.startsWith("sp.global_");
}

export function placeKinds(kind: string): PlaceKinds | undefined {
  return keptOr(PLACE_KINDS, kind, () => {
    const family = familyOf(kind);
    if (family === undefined) return undefined;
    const prefix = isGlobalKind(kind) ? `${family}.global_` : `${family}.`;
    return { campaigns: `${prefix}campaigns`, adGroups: `${prefix}ad_groups` };
  });
}

interface PlaceKinds {
  readonly campaigns: string;
  readonly adGroups: string;
}

const PLACE_KINDS = new Map<string, PlaceKinds | undefined>();

export function isAdGroupKind(kind: string): boolean {
  return kind.endsWith(".ad_groups") || kind === "sp.global_ad_groups";
}

export function isCampaignKind(kind: string): boolean {
  return kind.endsWith(".campaigns") || kind === GLOBAL_CAMPAIGNS;
}

export function isPlaceKind(kind: string): boolean {
  return isCampaignKind(kind) || isAdGroupKind(kind) || kind === "portfolios";
}

export function known(looked: Looked): EntityFields | undefined {
  return looked instanceof Unread ? undefined : looked;
}

export interface AccountScale {
  readonly medians: ReadonlyMap<string, number>;
  readonly liveCampaigns: number;
  readonly dailyBudgets: number;
}

/**
 * Account state before already sent changes, for daily sums only. It trusts the plan's `before` values, which anyone
 * may have written, so it must never permit anything.
 */
export function beforeChanges(changes: readonly Change[], account: PriorState): PriorState {
  if (changes.length === 0) return account;
  const before = new Map(changes.map((change) => [`${change.kind} ${change.id}`, change.before]));
  return {
    below: (kind, id, leftOut) => account.below(kind, id, leftOut),
    entity: (kind, id) => {
      const [read, was] = [account.entity(kind, id), before.get(`${kind} ${id}`)];
      return was === undefined || read instanceof Unread ? read : { ...read, ...was };
    },
  };
}
