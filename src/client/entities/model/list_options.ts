import type { EntityState } from "./entity_fields.ts";

/** Which entities are listed. Everything that is given must hold; lists may be as long as you like. */
export interface ListOptions {
  /** Ids of the entities themselves. */
  readonly ids?: readonly string[] | undefined;
  /** Only entities of these campaigns. */
  readonly campaignIds?: readonly string[] | undefined;
  /** Only entities of these ad groups. */
  readonly adGroupIds?: readonly string[] | undefined;
  /**
   * Only entities in these states, in either case; `null` for every state. Without it those that are enabled or
   * paused: of portfolios all, of what Brands keeps away (negative keywords and targets) the enabled ones.
   */
  readonly states?: readonly EntityState[] | null | undefined;
  /** Only entities of exactly this name; campaigns, ad groups, ads and portfolios have names. */
  readonly name?: string | undefined;
  /**
   * How `name` is compared: `EXACT`, letter by letter, or `BROAD`, as the platform finds names that contain it, in either
   * case. Display compares letter by letter alone. @default "EXACT"
   */
  readonly nameMatch?: "EXACT" | "BROAD" | undefined;
  /** Ask for the platform's extended data (creation and update times, serving status). @default false */
  readonly extended?: boolean | undefined;
  /** Entities a page; the platform's own maximum when absent, and always for portfolios. */
  readonly pageSize?: number | undefined;
  /**
   * Further fields of the request that the options above do not cover: query parameters for Brands keywords, filters by
   * their type for Brands targets (`{ CREATIVE_TYPE: ["video"] }`).
   */
  readonly filters?: Readonly<Record<string, unknown>> | undefined;
  /** Ends the listing. */
  readonly signal?: AbortSignal | undefined;
}
