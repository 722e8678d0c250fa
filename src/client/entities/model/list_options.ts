import type { EntityState } from "./entity_fields.ts";

/** Filters for listing entities. An entity must match all given filters; lists can have any length. */
export interface ListOptions {
  /** Ids of the entities to list. */
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
  /** Only entities with exactly this name; campaigns, ad groups, ads and portfolios have names. */
  readonly name?: string | undefined;
  /**
   * How `name` is matched: `EXACT` matches the whole name, case-sensitive; `BROAD` matches names that contain it,
   * case-insensitive. Display supports case-sensitive matches only.
   *
   * @default "EXACT"
   */
  readonly nameMatch?: "EXACT" | "BROAD" | undefined;
  /** True to request the platform's extended data (creation and update times, serving status). @default false */
  readonly extended?: boolean | undefined;
  /** Number of entities per page. The platform's maximum is used if absent, and always for portfolios. */
  readonly pageSize?: number | undefined;
  /**
   * Additional request fields that the options above do not cover: query parameters for Brands keywords, or filters by
   * type for Brands targets (`{ CREATIVE_TYPE: ["video"] }`).
   */
  readonly filters?: Readonly<Record<string, unknown>> | undefined;
  /** Aborts the listing. */
  readonly signal?: AbortSignal | undefined;
}
