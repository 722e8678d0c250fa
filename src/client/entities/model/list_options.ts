import type { EntityState } from "./entity_fields.ts";

/** Filters for listing entities. All given filters must match; lists can have any length. */
export interface ListOptions {
  /** Ids of the entities themselves. */
  readonly ids?: readonly string[] | undefined;
  /** Only entities of these campaigns. */
  readonly campaignIds?: readonly string[] | undefined;
  /** Only entities of these ad groups. */
  readonly adGroupIds?: readonly string[] | undefined;
  /**
   * Only entities in these states, case-insensitive; `null` for every state.
   *
   * @default enabled and paused; for portfolios all, for Brands negative keywords and negative targets enabled only
   */
  readonly states?: readonly EntityState[] | null | undefined;
  /** Only entities of exactly this name; campaigns, ad groups, ads and portfolios have names. */
  readonly name?: string | undefined;
  /**
   * How `name` is matched: `EXACT`, case-sensitive, or `BROAD`, names that contain it, case-insensitive. Display
   * supports case-sensitive matches only.
   *
   * @default "EXACT"
   */
  readonly nameMatch?: "EXACT" | "BROAD" | undefined;
  /** Ask for the platform's extended data (creation and update times, serving status). @default false */
  readonly extended?: boolean | undefined;
  /** Entities per page; the platform's maximum if absent, and always for portfolios. */
  readonly pageSize?: number | undefined;
  /**
   * Further fields of the request that the options above do not cover: query parameters for Brands keywords, filters by
   * their type for Brands targets (`{ CREATIVE_TYPE: ["video"] }`).
   */
  readonly filters?: Readonly<Record<string, unknown>> | undefined;
  /** Aborts the listing. */
  readonly signal?: AbortSignal | undefined;
}
