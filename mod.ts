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
export { PlatformAds } from "./src/client/platform_ads.ts";
export type { FromEnvOptions, PlatformAdsOptions, RegionFailure } from "./src/client/platform_ads_options.ts";
export { AccountClient } from "./src/client/account_client.ts";
export { ProfileClient } from "./src/client/profile_client.ts";
export type { AccountType, Profile } from "./src/client/profile.ts";
export type { ProfileFilter } from "./src/client/choose_profile.ts";
export type { ProfileUpdate } from "./src/client/update_profiles.ts";

// Markets and connection
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
export { platformFromSettings } from "./src/connection/platform_from_settings.ts";
export type { Platform } from "./src/connection/platform.ts";

// Catalog
export { catalog } from "./src/catalog/catalog.ts";
export { CORRECTIONS } from "./catalog/corrections.ts";
export { isHostedMcpTool } from "./src/catalog/hosted_tool.ts";
export { Operation } from "./src/catalog/operation.ts";
export { pathSegment } from "./src/catalog/paths/path_segment.ts";
export { SchemaError } from "./src/schema/schema_error.ts";
export type { CallOptions } from "./src/catalog/call_types.ts";
export type { OperationId } from "./catalog/operation_ids.ts";

// Transport
export { Pacer } from "./src/transport/pacer/pacer.ts";
export { DEFAULT_RETRY, RETRY_RULES, type RetryPolicy } from "./src/transport/retry_policy.ts";
export { Transport } from "./src/transport/transport.ts";
export type { Fetch } from "./src/transport/wire_request.ts";
export type { RequestOptions } from "./src/transport/profile_scope.ts";
export type { TransportEvent, TransportOptions } from "./src/transport/transport_options.ts";
export type { ApiRequest, ApiResponse } from "./src/transport/api_request.ts";

// Resources
export { KINDS, PROFILE_KINDS, RESOURCE_KINDS, type ResourceKind } from "./src/resources/kinds.ts";
export { Resource } from "./src/resources/resource.ts";
export { budget, type BudgetInput } from "./src/resources/fields/budget.ts";
export { checkKeywordText } from "./src/resources/fields/check_keyword_text.ts";
export { compareWires, kindsOnBothWires } from "./src/resources/wire/compare_wires.ts";
export { parseWireSetting, type WireName, type WireSetting } from "./src/resources/wire/wire_setting.ts";
export { toApi } from "./src/resources/fields/to_api.ts";
export { SponsoredProducts } from "./src/resources/sponsored_products/sponsored_products.ts";
export { CampaignsResource } from "./src/resources/sponsored_products/campaigns_resource.ts";
export { KeywordsResource } from "./src/resources/sponsored_products/keywords_resource.ts";
export { NegativeTargetsResource } from "./src/resources/sponsored_products/negative_targets_resource.ts";
export { TargetsResource } from "./src/resources/sponsored_products/targets_resource.ts";
export { asin } from "./src/resources/sponsored_products/entities/targets.ts";
export { SB_AD_FORMATS } from "./src/resources/sponsored_brands/entities/ads.ts";
export { SponsoredBrands } from "./src/resources/sponsored_brands/sponsored_brands.ts";
export { SdCampaignsResource } from "./src/resources/sponsored_display/sd_campaigns_spec.ts";
export { SponsoredDisplay } from "./src/resources/sponsored_display/sponsored_display.ts";
export { PortfoliosResource } from "./src/resources/portfolios/portfolios_spec.ts";
export { BadItemsError } from "./src/resources/fields/bad_items_error.ts";
export { PlanDraft } from "./src/resources/plan_draft.ts";
export type { ListOptions } from "./src/resources/list_options.ts";

// Suggested bids and change history
export { DEFAULT_THEME, SuggestedBids } from "./src/bids/suggested_bids.ts";
export { bidExpression } from "./src/bids/bid_expression.ts";
export { ChangeHistory } from "./src/history/change_history.ts";
export { HISTORY_CHANGE_TYPES, HISTORY_ENTITY_TYPES } from "./src/history/history_event.ts";
export { HISTORY_DAYS } from "./src/history/history_query.ts";

// Reports
export { Reports } from "./src/reports/reports.ts";
export { REPORT_PRESET_NAMES, REPORT_PRESETS } from "./src/reports/presets.ts";
export { reportTypes } from "./src/reports/report_types.ts";
export { reportFields } from "./src/reports/fields/report_fields.ts";
export type { ReportRow } from "./src/reports/report_row.ts";

// Batches
export { BatchResult } from "./src/batch/batch_result.ts";
export { parseMultiStatus } from "./src/batch/parse_multi_status.ts";
export type { BatchError, BatchSuccess, ItemOutcome } from "./src/batch/batch_error.ts";

// Plans
export { ChangePlan, PlanResult } from "./src/plans/change_plan.ts";
export { experimentsIn, heldBy } from "./src/plans/experiment/running_experiments.ts";
export { Unread } from "./src/plans/state/prior_state.ts";
export { PolicyError } from "./src/plans/policy_error.ts";
export { ApprovalError, PlanStateError } from "./src/plans/plan_errors.ts";
export { resumePlan } from "./src/plans/apply/resume_plan.ts";
export { PlanStore } from "./src/plans/store/plan_store.ts";
export type { Change } from "./src/plans/change.ts";
export type { ApplyOptions } from "./src/plans/apply/apply_plan.ts";

// Notes about the platform
export { type Note, type NoteGroup, NOTES } from "./src/notes.ts";

// Errors
export {
  ApiError,
  AuthError,
  BadRequestError,
  ConfigurationError,
  ForbiddenError,
  NetworkError,
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

// Types by subject, each also an entry point: `import type { Keyword } from "@platform/ads/sp"`
export type * as sp from "./src/resources/sponsored_products/mod.ts";
export type * as sb from "./src/resources/sponsored_brands/mod.ts";
export type * as sd from "./src/resources/sponsored_display/mod.ts";
export type * as resources from "./src/resources/mod.ts";
export type * as reports from "./src/reports/mod.ts";
export type * as plans from "./src/plans/mod.ts";
export type * as insights from "./src/client/insights.ts";
export type * as transport from "./src/transport/mod.ts";
