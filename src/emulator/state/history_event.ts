/** One change of one entity, as the change history keeps it. */
export interface HistoryEvent {
  /** CAMPAIGN, AD_GROUP, AD, KEYWORD, NEGATIVE_KEYWORD or PRODUCT_TARGETING. */
  readonly entityType: string;
  /** Id of the changed entity, digits. */
  readonly entityId: string;
  /** Kind of change: STATUS, BID_AMOUNT, BUDGET_AMOUNT, CREATED and kin. */
  readonly changeType: string;
  /** The value before as text; `null` when there was none. */
  readonly previousValue: string | null;
  /** The value after as text; `null` when there is none. */
  readonly newValue: string | null;
  /** When, milliseconds since the epoch. */
  readonly timestamp: number;
  /** Ancestors and identity of the entity: campaignId, adGroupId, keyword, keywordType, targetingExpression. */
  readonly metadata: Readonly<Record<string, string>>;
  /** True for what the change history does not return: reports of days that have passed still need it. @default false */
  readonly unpublished?: boolean;
}
