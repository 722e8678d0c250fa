/** One change of one entity, as stored in the change history. */
export interface HistoryEvent {
  /** CAMPAIGN, AD_GROUP, AD, KEYWORD, NEGATIVE_KEYWORD or PRODUCT_TARGETING. */
  readonly entityType: string;
  /** Id of the changed entity, digits. */
  readonly entityId: string;
  /** Kind of change: STATUS, BID_AMOUNT, BUDGET_AMOUNT, CREATED and others. */
  readonly changeType: string;
  /** The value before as text; `null` when there was none. */
  readonly previousValue: string | null;
  /** The value after as text; `null` when there is none. */
  readonly newValue: string | null;
  /** Time of the change, milliseconds since the epoch. */
  readonly timestamp: number;
  /** Ancestors and identity of the entity: campaignId, adGroupId, keyword, keywordType, targetingExpression. */
  readonly metadata: Readonly<Record<string, string>>;
  /** True for a change that the history does not return, but that reports of past days still need. @default false */
  readonly unpublished?: boolean;
}
