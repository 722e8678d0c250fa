import type { OpenEnum } from "../entities/model/entity_fields.ts";

/**
 * Kinds of entities that are known to be recorded; the platform may record others.
 *
 * @example
 * ```ts
 * import { HISTORY_ENTITY_TYPES } from "@platform/ads";
 *
 * console.log(HISTORY_ENTITY_TYPES.includes("KEYWORD")); // true
 * ```
 */
export const HISTORY_ENTITY_TYPES = [
  "CAMPAIGN",
  "AD_GROUP",
  "AD",
  "KEYWORD",
  "NEGATIVE_KEYWORD",
  "PRODUCT_TARGETING",
  "THEME",
] as const;

/** Kinds of entities whose changes are recorded. */
export type HistoryEntityType = OpenEnum<typeof HISTORY_ENTITY_TYPES[number]>;

/**
 * Changes that are known to be recorded; the platform may record others.
 *
 * @example
 * ```ts
 * import { HISTORY_CHANGE_TYPES } from "@platform/ads";
 *
 * console.log(HISTORY_CHANGE_TYPES.includes("BID_AMOUNT")); // true
 * ```
 */
export const HISTORY_CHANGE_TYPES = [
  "BID_AMOUNT",
  "DEFAULT_BID_AMOUNT",
  "BUDGET_AMOUNT",
  "STATUS",
  "CREATED",
  "NAME",
  "START_DATE",
  "END_DATE",
  "PLACEMENT_GROUP",
  "PORTFOLIO_ID",
  "PORTFOLIO",
  "IN_BUDGET",
  "SMART_BIDDING_STRATEGY",
] as const;

/** Kinds of changes in the history. */
export type HistoryChangeType = OpenEnum<typeof HISTORY_CHANGE_TYPES[number]>;

/**
 * Number of days for which the platform keeps changes.
 *
 * @example
 * ```ts
 * import { HISTORY_DAYS } from "@platform/ads";
 *
 * const oldest = new Date(Date.now() - HISTORY_DAYS * 86_400_000); // the first moment that can be asked for
 * console.log(oldest);
 * ```
 */
export const HISTORY_DAYS = 90;

/** One change in the account. Its author is not recorded. */
export interface HistoryEvent {
  /** Kind of entity. */
  readonly entityType: HistoryEntityType;
  /** Id of the changed entity; exact even if the number is too long for JavaScript. */
  readonly entityId: string;
  /** Type of change, for example `BID_AMOUNT`; one of {@linkcode HISTORY_CHANGE_TYPES} or a newer one. */
  readonly changeType: HistoryChangeType;
  /** Value before the change, as text; `undefined` if there was none. */
  readonly previousValue: string | undefined;
  /** Value after the change, as text; `undefined` if there is none. */
  readonly newValue: string | undefined;
  /** Time of the change, in milliseconds since the epoch. */
  readonly timestamp: number;
  /** Ancestors of the entity, and its details. */
  readonly metadata: HistoryMetadata;
}

/** Ancestors and details of an entity in the history. */
export interface HistoryMetadata {
  /** Id of the campaign that the entity belongs to. */
  readonly campaignId?: string;
  /** Id of the ad group that the entity belongs to. */
  readonly adGroupId?: string;
  /** Text of the keyword, if the entity is a keyword. */
  readonly keyword?: string;
  /** Match type, if the entity is a keyword. */
  readonly keywordType?: OpenEnum<"KEYWORD_EXACT" | "KEYWORD_PHRASE" | "KEYWORD_BROAD">;
  /** Targeting expression, if the entity is a targeting clause. */
  readonly targetingExpression?: string;
  /** Additional fields, as returned by the platform. */
  readonly [field: string]: unknown;
}
