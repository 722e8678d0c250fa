import type { ProfileClient } from "../../client/profile_client.ts";
import { requireOneOf } from "../../base/text/nearest.ts";
import { MARKETPLACES, normalizeCountry } from "../../base/markets/markets.ts";
import { advertiserAccounts } from "../../platform/transport/advertiser_accounts.ts";
import type { OpenEnum } from "../../client/entities/model/entity_fields.ts";
import { marketplaceWord } from "../../client/entities/wire/unified/forms.ts";

/**
 * A recommendation by the platform for an account. Its texts contain the platform's wording and names from the
 * account.
 */
export interface AccountRecommendation {
  /** Id assigned by the platform. */
  readonly recommendationId: string;
  /** Recommendation type; the platform publishes only one. */
  readonly recommendationType: OpenEnum<"AUTOMATIC_GLOBAL_ADS_ENROLLMENT">;
  /** Ad product that the recommendation is about. */
  readonly adProduct: OpenEnum<
    | "FULL_FUNNEL"
    | "PLATFORM_DSP"
    | "RMS"
    | "SPONSORED_BRANDS"
    | "SPONSORED_DISPLAY"
    | "SPONSORED_PRODUCTS"
    | "SPONSORED_TELEVISION"
  >;
  /** State of the recommendation; `ACTIVE` while it is open. */
  readonly state: OpenEnum<"ACTIVE" | "APPLIED" | "DEFERRED" | "DISMISSED" | "EXPIRED" | "INACTIVE">;
  /** Language of its texts, for example `en_US`. */
  readonly language: string;
  /** When the recommendation was made, ISO 8601. */
  readonly createdDateTime: string;
  /** When the recommendation was published, ISO 8601. */
  readonly publishedDateTime: string;
  /** Reasons for the recommendation. */
  readonly recommendationInsight?: { readonly insightTexts: readonly RecommendationText[] };
  /** Campaigns and other objects that the recommendation is about, at most 1,000. */
  readonly recommendedObjects: readonly RecommendedObject[];
  /** Link to the console page on which to carry out the recommendation. */
  readonly recommendedAction?: RecommendedAction;
  /** Labels of the recommendation. */
  readonly tags?: readonly RecommendationText[];
  /** Fields that the platform may add later. */
  readonly [field: string]: unknown;
}

/** A named text of a recommendation. */
export interface RecommendationText {
  /** Name of the text. */
  readonly key: string;
  /** The text. */
  readonly value: string;
}

/** An object that a recommendation is about. */
export interface RecommendedObject {
  /** Kind of the object. */
  readonly recommendedObjectType: OpenEnum<"AD" | "ADGROUP" | "ASIN" | "CAMPAIGN" | "OBJECTIVE" | "TARGET">;
  /** Platform id of the object, for example of a campaign, an ad or a product. */
  readonly recommendedObjectId?: string;
  /** Name shown in the console, such as that of a campaign. */
  readonly displayName?: string;
  /** Reason why the object is recommended. */
  readonly description?: string;
  /** Settings that it has now. */
  readonly currentObjectSettings?: unknown;
  /** Link to the console page on which to change the object. */
  readonly recommendedAction?: RecommendedAction;
}

/** A link in a recommendation. */
export interface RecommendedAction {
  /** URL of the link. */
  readonly href?: string;
  /** Words that the link is shown by. */
  readonly linkText?: string;
  /** HTTP method for the URL. */
  readonly method?: string;
}

/** Filters for the recommendations to read; without filters, all are read. */
export interface RecommendationOptions {
  /** Only these ad products, for example `SPONSORED_PRODUCTS`. */
  readonly adProducts?: readonly string[] | undefined;
  /** Only these types, for example `AUTOMATIC_GLOBAL_ADS_ENROLLMENT`. */
  readonly types?: readonly string[] | undefined;
  /** Countries of the recommendations, for example `US`; both `UK` and `GB` are accepted. */
  readonly marketplaces?: readonly string[] | undefined;
  /** Language of the texts, for example `en_US`. */
  readonly language?: string | undefined;
  /** Aborts the requests. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the platform's recommendations for a profile's account. Read-only: carry out recommendations in the console or
 * by a plan. The platform publishes them for the unified family (`QueryRecommendation`).
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { readRecommendations } from "@platform/ads/account";
 *
 * async function show(us: ProfileClient): Promise<void> {
 *   for (const { recommendationType, recommendedObjects } of await readRecommendations(us)) {
 *     console.log(recommendationType, recommendedObjects.length);
 *   }
 * }
 * ```
 * @throws {TypeError} for an unknown marketplace. Nothing was sent.
 * @throws {ConfigurationError} where the login reaches no account with the profile.
 */
export async function readRecommendations(
  profile: ProfileClient,
  { adProducts, types, marketplaces, language, signal }: RecommendationOptions = {},
): Promise<AccountRecommendation[]> {
  const filters = {
    adProductFilter: adProducts,
    recommendationTypeFilter: types,
    marketplacesFilter: marketplaces?.map((text) => {
      const country = normalizeCountry(text);
      requireOneOf("the marketplace", country, MARKETPLACES);
      return marketplaceWord(country);
    }),
    languageFilter: language === undefined ? undefined : [language],
  };
  const given = Object.entries(filters).flatMap(([name, include]) =>
    include === undefined ? [] : [[name, { include }]]
  );
  const accounts = await advertiserAccounts(profile, [profile.profileId], signal);
  const pages = profile.pages("v1-all-recommendations:QueryRecommendation", {
    accessRequestedAccounts: accounts.map(({ id }) => ({ advertiserAccountId: id })),
    maxResults: 100,
    ...Object.fromEntries(given),
  }, { ...(signal && { signal }) });
  const found: AccountRecommendation[] = [];
  for await (const page of pages) found.push(...recommendationsIn(page));
  return found;
}

function recommendationsIn(page: unknown): readonly AccountRecommendation[] {
  const items = typeof page === "object" && page !== null ? Reflect.get(page, "recommendations") : undefined;
  return Array.isArray(items) ? items : [];
}
