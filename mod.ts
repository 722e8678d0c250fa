/**
 * The library: run advertising accounts by program.
 *
 * ```ts
 * import { PlatformAds } from "@platform/ads";
 * import { Emulator } from "@platform/ads/emulator";
 *
 * const emulator = await Emulator.start(); // a real account: await PlatformAds.fromEnv({ envFile: ".env" })
 * const ads = new PlatformAds(emulator.credentials, { platform: emulator.platform });
 * const us = await ads.profile("US");
 * const [keyword] = await us.sp.keywords.list({ states: ["ENABLED"] });
 * const plan = await us.sp.keywords.planUpdate([{ keywordId: keyword!.keywordId, bid: 0.5 }], { note: "raise" });
 * console.log(plan.toMarkdown(), plan.fingerprint);
 * const result = await plan.apply(us, { checkDrift: true });
 * result.raiseForErrors();
 * const undo = result.rollbackPlan();
 * console.log(undo.toMarkdown());
 * await emulator.stop();
 * ```
 *
 * @module
 */

// Clients
export {
  type FromEnvOptions,
  PlatformAds,
  type PlatformAdsOptions,
  type RegionFailure,
} from "./src/client/platform_ads.ts";
export { AccountClient } from "./src/client/account_client.ts";
export { ProfileClient } from "./src/client/profile_client.ts";
export type { AccountType, Profile } from "./src/client/profile.ts";
export type { ProfileUpdate } from "./src/client/update_profiles.ts";
export type { ProfileFilter } from "./src/client/choose_profile.ts";
export {
  KINDS,
  RESOURCE_KINDS,
  type ResourceKind,
  type ResourceOf,
  type ResourcesOf,
} from "./src/resources/kinds.ts";

// Catalog
export {
  type ApiRecord,
  type BaseCallOptions,
  type CallArguments,
  type CallCheck,
  type CallOptions,
  type CallQueryValue,
  type Catalog,
  catalog,
  type Correction,
  CORRECTIONS,
  isHostedMcpTool,
  Operation,
  type OperationDeprecation,
  type OperationId,
  type OperationJson,
  type OperationParameter,
  type OperationPathParams,
  type PathParams,
  pathSegment,
  type PathValue,
  SchemaError,
  type SchemaFinding,
  type SearchOptions,
  type ToolDescription,
  type TypedCalls,
} from "./src/catalog/mod.ts";

// Connection
export { type Credentials, daysUntilExpiry } from "./src/connection/credentials.ts";
export {
  type Connection,
  connectionFromEnv,
  type ConnectionSources,
} from "./src/connection/connection_from_env.ts";
export {
  type CountryCode,
  type Market,
  marketOf,
  MARKETPLACES,
  normalizeCountry,
  type Region,
  regionOf,
  REGIONS,
} from "./src/markets.ts";
export type { Platform, PlatformHeaders } from "./src/connection/platform.ts";
export { platformFromSettings } from "./src/connection/platform_from_settings.ts";

export type { TokenResponse } from "./src/connection/access_tokens.ts";

// Transport
export type { Sleep } from "./src/transport/sleep.ts";
export { Pacer, type PacerClock, type PaceReport } from "./src/transport/pacer/pacer.ts";
export type { LanePace } from "./src/transport/pacer/lane.ts";
export type { Priority } from "./src/transport/pacer/fair_queue.ts";
export type { Fetch } from "./src/transport/wire_request.ts";
export type { ProfileScope, RequestOptions } from "./src/transport/profile_scope.ts";
export type { QueryValue, RepeatedQueryValue } from "./src/transport/query_text.ts";
export {
  DEFAULT_RETRY,
  RETRY_RULES,
  type RetryCause,
  type RetryPolicy,
  type RetryRule,
} from "./src/transport/retry_policy.ts";
export { Transport } from "./src/transport/transport.ts";
export type { TransportEvent, TransportOptions } from "./src/transport/transport_options.ts";
export type { ApiRequest, ApiResponse } from "./src/transport/api_request.ts";

// Resources
export { type ReadOptions, Resource } from "./src/resources/resource.ts";
export type {
  CamelCase,
  Clearable,
  ItemFields,
  ItemInput,
  SnakeCase,
} from "./src/resources/fields/item_input.ts";
export type { FindEqualOptions } from "./src/resources/find_equal.ts";
export type { ListOptions } from "./src/resources/list_options.ts";
export type { PlanOptions } from "./src/resources/plan_writes.ts";
export { type Budget, budget, type BudgetInput } from "./src/resources/fields/budget.ts";
export {
  checkKeywordText,
  type KeywordTextFinding,
  type KeywordTextOptions,
  type KeywordTextRule,
} from "./src/resources/fields/check_keyword_text.ts";
export { toApi } from "./src/resources/fields/to_api.ts";
export type { EntityState, ExtendedData, OpenEnum } from "./src/resources/fields/entity_fields.ts";

// Sponsored Products
export { SponsoredProducts } from "./src/resources/sponsored_products/sponsored_products.ts";
export { CampaignsResource } from "./src/resources/sponsored_products/campaigns_resource.ts";
export { KeywordsResource } from "./src/resources/sponsored_products/keywords_resource.ts";
export { NegativeTargetsResource } from "./src/resources/sponsored_products/negative_targets_resource.ts";
export { type LocaleOptions, TargetsResource } from "./src/resources/sponsored_products/targets_resource.ts";
export type { AudienceSegment, ShopperCohortBid } from "./src/resources/fields/entity_fields.ts";
export { asin } from "./src/resources/sponsored_products/entities/targets.ts";
export type {
  AdGroup,
  AdGroupUpdate,
  NewAdGroup,
} from "./src/resources/sponsored_products/entities/ad_groups.ts";
export type {
  Campaign,
  CampaignFields,
  CampaignUpdate,
  NewCampaign,
} from "./src/resources/sponsored_products/entities/campaigns.ts";
export type {
  CampaignNegativeKeyword,
  CampaignNegativeKeywordUpdate,
  NewCampaignNegativeKeyword,
} from "./src/resources/sponsored_products/entities/keywords.ts";
export type {
  CampaignNegativeTarget,
  CampaignNegativeTargetUpdate,
  NewCampaignNegativeTarget,
} from "./src/resources/sponsored_products/entities/targets.ts";
export type { DynamicBidding, PlacementBid } from "./src/resources/sponsored_products/entities/campaigns.ts";
export type {
  Keyword,
  KeywordUpdate,
  NewKeyword,
} from "./src/resources/sponsored_products/entities/keywords.ts";
export type {
  NegativeKeyword,
  NegativeKeywordUpdate,
  NewNegativeKeyword,
} from "./src/resources/sponsored_products/entities/keywords.ts";
export type {
  NegativeTarget,
  NegativeTargetUpdate,
  NewNegativeTarget,
} from "./src/resources/sponsored_products/entities/targets.ts";
export type {
  NewProductAd,
  ProductAd,
  ProductAdUpdate,
} from "./src/resources/sponsored_products/entities/ad_groups.ts";
export type { NewTarget, Target, TargetUpdate } from "./src/resources/sponsored_products/entities/targets.ts";
export type { TargetingPredicate } from "./src/resources/sponsored_products/entities/targets.ts";

// Sponsored Brands
export {
  type NewSbAd,
  type NewSbAdGroup,
  type NewSbCampaign,
  type NewSbKeyword,
  type NewSbNegativeKeyword,
  type NewSbNegativeTarget,
  type NewSbTarget,
  SB_AD_FORMATS,
  type SbAd,
  type SbAdFormat,
  type SbAdGroup,
  type SbAdGroupUpdate,
  type SbAdUpdate,
  type SbBidding,
  type SbCampaign,
  type SbCampaignUpdate,
  type SbCreative,
  type SbCrop,
  type SbExtendedData,
  type SbImage,
  type SbKeyword,
  type SbKeywordUpdate,
  type SbLandingPage,
  type SbNegativeKeyword,
  type SbNegativeKeywordUpdate,
  type SbNegativeTarget,
  type SbNegativeTargetUpdate,
  type SbPlacementAdjustment,
  type SbPredicate,
  type SbSubpage,
  type SbTarget,
  type SbTargetUpdate,
  SponsoredBrands,
} from "./src/resources/sponsored_brands/mod.ts";

// Sponsored Display
export {
  type NewSdAdGroup,
  type NewSdCampaign,
  type NewSdNegativeTarget,
  type NewSdProductAd,
  type NewSdTarget,
  type SdAdGroup,
  type SdAdGroupUpdate,
  type SdCampaign,
  SdCampaignsResource,
  type SdCampaignUpdate,
  type SdExtendedData,
  type SdNegativeTarget,
  type SdNegativeTargetUpdate,
  type SdPredicate,
  type SdProductAd,
  type SdProductAdUpdate,
  type SdState,
  type SdTarget,
  type SdTargetUpdate,
  SponsoredDisplay,
} from "./src/resources/sponsored_display/mod.ts";

// Answers of the other Sponsored Products and portfolio operations
export type { BudgetUsage } from "./src/resources/budget_usage.ts";
export type {
  BudgetRecommendation,
  MissedOpportunities,
} from "./src/resources/sponsored_products/entities/budgets.ts";
export type {
  BudgetRule,
  BudgetRuleDetails,
  BudgetRuleEvent,
} from "./src/resources/sponsored_products/entities/budgets.ts";
export type {
  CampaignDraft,
  InitialBudget,
  SpecialEvent,
} from "./src/resources/sponsored_products/entities/budgets.ts";
export type {
  KeywordBidInfo,
  KeywordRecommendation,
  KeywordRecommendationRequest,
} from "./src/resources/sponsored_products/entities/recommendations.ts";
export type {
  CategoryRecommendation,
  CategoryRefinements,
  CountRange,
  NamedId,
  ProductFilter,
  ProductRecommendations,
} from "./src/resources/sponsored_products/entities/recommendations.ts";

// Portfolios
export { PortfoliosResource } from "./src/resources/portfolios/portfolios_spec.ts";
export type {
  NewPortfolio,
  Portfolio,
  PortfolioBudget,
  PortfolioUpdate,
} from "./src/resources/portfolios/portfolio.ts";

// Suggested bids
export {
  type AdGroupBids,
  type BidOptions,
  type BidTheme,
  DEFAULT_THEME,
  type NewAdGroupBids,
  SuggestedBids,
  type TargetBids,
} from "./src/bids/suggested_bids.ts";
export { type BidExpression, bidExpression } from "./src/bids/bid_expression.ts";
export type { SuggestedBid, TargetSuggestion } from "./src/bids/suggested_bid.ts";

// Change history
export { ChangeHistory, type ValueAtOptions } from "./src/history/change_history.ts";
export {
  HISTORY_CHANGE_TYPES,
  HISTORY_ENTITY_TYPES,
  type HistoryChangeType,
  type HistoryEntityType,
  type HistoryEvent,
  type HistoryMetadata,
} from "./src/history/history_event.ts";
export { HISTORY_DAYS, type HistoryOptions } from "./src/history/history_query.ts";
export type { Moment } from "./src/internal/moment.ts";
export type { CreatedSince, RestoreOptions } from "./src/history/plan_restore.ts";

// Reports
export * from "./src/reports/mod.ts";

// Batches
export type { BatchError, BatchSuccess, ItemOutcome } from "./src/batch/batch_error.ts";
export { BatchResult, type BatchVerdict } from "./src/batch/batch_result.ts";
export { type MultiStatusOptions, parseMultiStatus } from "./src/batch/parse_multi_status.ts";
export { type BadItem, BadItemsError } from "./src/resources/fields/bad_items_error.ts";

// Plans
export * from "./src/plans/mod.ts";
export {
  type DraftedCreate,
  type DraftedUpdate,
  type DraftOptions,
  type DraftResource,
  type DraftTarget,
  PlanDraft,
  type PreflightOptions,
  type Referring,
} from "./src/resources/plan_draft.ts";
export type { Preflight } from "./src/resources/preflight/problem.ts";

// Notes about the platform
export { type Note, type NoteGroup, NOTES } from "./src/notes.ts";

// Errors
export {
  ApiError,
  type ApiErrorFields,
  AuthError,
  BadRequestError,
  ConfigurationError,
  type DriftedField,
  ForbiddenError,
  NetworkError,
  type NetworkErrorFields,
  NotFoundError,
  PartialFailureError,
  PlanDriftError,
  PlatformAdsError,
  ReportFailedError,
  ServerError,
  ThrottledError,
  UnauthorizedError,
  UnprocessableError,
  UnsupportedOperationError,
} from "./src/errors.ts";
