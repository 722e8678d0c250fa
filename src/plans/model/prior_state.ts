import { keptOr } from "../../base/lists/kept_or.ts";
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
  /** The failure of the reading; `undefined` where nothing was requested. */
  readonly cause: Error | undefined;

  /** Keeps the reason. */
  constructor(why: string, cause?: Error) {
    this.why = why;
    this.cause = cause;
  }
}

/** An entity as it is now; `undefined` if the account has none with that id. */
export type Looked = EntityFields | undefined | Unread;

/** Live entities below a campaign or ad group. */
export interface Below {
  /** Highest bid among them, an inherited one included; `undefined` when none has a bid. */
  readonly highestBid: number | undefined;
  /** Kind and id of the entity with that bid, for messages. */
  readonly of: string;
}

/** The part of an account needed to judge a plan, read once before anything is sent. */
export interface PriorState {
  /** An entity as it is now. */
  entity(kind: string, id: string | null): Looked;
  /** The live entities below a campaign or ad group, without those that `leftOut` finds by `kind id`. */
  below(kind: string, id: string, leftOut?: (key: string) => boolean): Below | Unread;
}

/** The account around changes, for the platform's rules. */
export interface Surroundings extends Pick<PriorState, "entity"> {
  /** Why a part could not be read; `undefined` when everything was. */
  readonly unread: string | undefined;
  /** Id of the live entity with an identity. */
  holderOf(kind: string, identity: string): string | undefined;
  /** Ids of the live entities of a kind that an ad group holds. */
  holds(kind: string, adGroupId: unknown): readonly string[];
  /** The live keywords of an ad group (`adGroupId`) or campaign (`campaignId`). */
  keywordsIn(kind: string, place: string, id: unknown): readonly EntityFields[];
  /** The highest bid of unchanged entities in a campaign, with its kind. */
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

/** Prior state from the plan's own `before` values, which anyone may have written. */
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

/** Family of a kind that lives in campaigns, for example `sp`; `undefined` for portfolios and calls. */
export function familyOf(kind: string): string | undefined {
  const [family, rest] = kind.split(".");
  return rest === undefined ? undefined : family;
}

/** Campaigns that span an account's marketplaces, with a copy of their own in each. */
export const GLOBAL_CAMPAIGNS = "sp.global_campaigns";

/** True for kinds that span an account's marketplaces, with a copy in each. */
export function isGlobalKind(kind: string): boolean {
  return kind.startsWith("sp.global_");
}

/** Kinds of the campaigns and ad groups that a kind lives in; `undefined` for portfolios and calls. */
export function placeKinds(kind: string): PlaceKinds | undefined {
  return keptOr(PLACE_KINDS, kind, () => {
    const family = familyOf(kind);
    if (family === undefined) return undefined;
    const prefix = isGlobalKind(kind) ? `${family}.global_` : `${family}.`;
    return { campaigns: `${prefix}campaigns`, adGroups: `${prefix}ad_groups` };
  });
}

/** Kinds of the parents of a kind. */
interface PlaceKinds {
  readonly campaigns: string;
  readonly adGroups: string;
}

const PLACE_KINDS = new Map<string, PlaceKinds | undefined>();

/** True for ad groups of any family, global ones included. */
export function isAdGroupKind(kind: string): boolean {
  return kind.endsWith(".ad_groups") || kind === "sp.global_ad_groups";
}

/** True for campaigns of any family, global ones included. */
export function isCampaignKind(kind: string): boolean {
  return kind.endsWith(".campaigns") || kind === GLOBAL_CAMPAIGNS;
}

/** True for parents: campaigns, ad groups and portfolios. */
export function isPlaceKind(kind: string): boolean {
  return isCampaignKind(kind) || isAdGroupKind(kind) || kind === "portfolios";
}

/** Fields of an entity; `undefined` when it does not exist or was not read. */
export function known(looked: Looked): EntityFields | undefined {
  return looked instanceof Unread ? undefined : looked;
}

/** Size of an account's bids and budgets, to recognize disproportionate ones. */
export interface AccountScale {
  /** Median bid or budget of the live entities of a kind. */
  readonly medians: ReadonlyMap<string, number>;
  /** Live campaigns of all products. */
  readonly liveCampaigns: number;
  /** Sum of their daily budgets. */
  readonly dailyBudgets: number;
}

/**
 * The account before changes that were already sent, as the plan claims it; only for sums of the day. Never allow
 * anything by it: anyone may have written the `before` values.
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
