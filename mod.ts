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
export type { PolicyLoader } from "./src/client/policy_from_env.ts";
export { AccountClient } from "./src/client/account_client.ts";
export { ProfileClient } from "./src/client/profile_client.ts";
export type { AccountType, Profile, ProfileFilter } from "./src/client/profile.ts";
export type { ProfileUpdate } from "./src/client/update_profiles.ts";

// Markets and connection
export { type Credentials, daysUntilExpiry } from "./src/platform/connection/credentials.ts";
export {
  type Connection,
  connectionFromEnv,
  type ConnectionSources,
} from "./src/platform/connection/connection_from_env.ts";
export {
  type CountryCode,
  type Market,
  marketOf,
  MARKETPLACES,
  normalizeCountry,
  type Region,
  regionOf,
  REGIONS,
} from "./src/base/markets/markets.ts";
export { type Platform, platformFromSettings } from "./src/platform/connection/platform.ts";

// Catalog
export { catalog } from "./src/platform/catalog/catalog.ts";
export { CORRECTIONS } from "./catalog/corrections.ts";
export { isHostedMcpTool } from "./src/platform/catalog/catalog_data.ts";
export { Operation } from "./src/platform/catalog/operation.ts";
export { pathSegment } from "./src/platform/catalog/path_segment.ts";
export { SchemaError } from "./src/platform/schema/schema_error.ts";
export type { CallOptions } from "./src/platform/catalog/call_types.ts";
export type { PlanUploadOptions } from "./src/client/calls/upload_options.ts";
export type { OperationId } from "./catalog/operation_ids.ts";

// Transport
export { Pacer } from "./src/platform/transport/pacer/pacer.ts";
export { DEFAULT_RETRY, RETRY_RULES, type RetryPolicy } from "./src/platform/transport/retry.ts";
export { Transport } from "./src/platform/transport/transport.ts";
export type { Fetch } from "./src/platform/transport/exchange.ts";
export type { RequestOptions } from "./src/platform/transport/profile_scope.ts";
export type { TransportEvent, TransportOptions } from "./src/platform/transport/transport_options.ts";
export type { ApiRequest, ApiResponse } from "./src/platform/transport/api_request.ts";

// Resources
export {
  KINDS,
  PROFILE_KINDS,
  RESOURCE_KINDS,
  type ResourceKind,
} from "./src/client/entities/kinds/kinds.ts";
export { Resource } from "./src/client/entities/resource/resource.ts";
export { budget, type BudgetInput } from "./src/client/entities/model/budget.ts";
export { checkKeywordText } from "./src/client/entities/model/check_keyword_text.ts";
export { compareWires, kindsOnBothWires } from "./src/client/entities/compare_wires.ts";
export {
  parseWireSetting,
  type WireName,
  type WireSetting,
} from "./src/client/entities/wire/wire_setting.ts";
export { toApi } from "./src/client/entities/model/to_api.ts";
export { SponsoredBrands, SponsoredDisplay, SponsoredProducts } from "./src/client/entities/families.ts";
export {
  CampaignsResource,
  KeywordsResource,
  NegativeTargetsResource,
  TargetsResource,
} from "./src/client/entities/kinds/sp_resources.ts";
export { asin } from "./src/client/entities/model/sp_entities.ts";
export { SB_AD_FORMATS } from "./src/client/entities/model/sb_ads.ts";
export { SdCampaignsResource } from "./src/client/entities/kinds/sd_kinds.ts";
export { PortfoliosResource } from "./src/client/entities/kinds/portfolios_spec.ts";
export { BadItemsError } from "./src/client/entities/model/check_items.ts";
export { PlanDraft } from "./src/client/entities/plan_draft.ts";
export type { ListOptions } from "./src/client/entities/model/list_options.ts";

// Suggested bids and change history
export { DEFAULT_THEME, SuggestedBids } from "./src/client/insights/suggested_bids.ts";
export { bidExpression } from "./src/client/insights/bid_expression.ts";
export { ChangeHistory } from "./src/client/insights/change_history.ts";
export {
  HISTORY_CHANGE_TYPES,
  HISTORY_DAYS,
  HISTORY_ENTITY_TYPES,
} from "./src/client/insights/history_event.ts";

// Reports
export { Reports } from "./src/client/reports/reports.ts";
export { REPORT_PRESET_NAMES, REPORT_PRESETS } from "./src/client/reports/requests/presets.ts";
export { reportTypes } from "./src/client/reports/requests/report_types.ts";
export { reportFields } from "./src/client/reports/fields_report.ts";
export type { ReportRow } from "./src/client/reports/file/report_row.ts";

// Long jobs
export { Jobs } from "./src/client/jobs.ts";
export type { CleanRoom } from "./src/client/clean_room/clean_room.ts";

// Batches
export { BatchResult } from "./src/platform/batch/batch_result.ts";
export { parseMultiStatus } from "./src/platform/batch/parse_multi_status.ts";
export type { BatchError, BatchSuccess, ItemOutcome } from "./src/platform/batch/batch_error.ts";

// Plans
export { ChangePlan, PlanResult } from "./src/plans/change_plan/change_plan.ts";
export { resumePlan } from "./src/plans/change_plan/resume_plan.ts";
export { experimentsIn, heldBy } from "./src/plans/store/running_experiments.ts";
export { Unread } from "./src/plans/model/prior_state.ts";
export { ApprovalError, PlanStateError, PolicyError } from "./src/plans/model/plan_errors.ts";
export { PlanStore } from "./src/plans/store/plan_store.ts";
export type { Change } from "./src/plans/model/change.ts";
export type { ApplyOptions } from "./src/plans/apply/apply_plan.ts";

// Notes about the platform
export { type Note, type NoteGroup, NOTES } from "./src/platform/notes/notes.ts";

// Errors
export {
  ApiError,
  AuthError,
  BadRequestError,
  ConfigurationError,
  ForbiddenError,
  JobFailedError,
  NetworkError,
  NotFoundError,
  PartialFailureError,
  PlanDriftError,
  PlatformAdsError,
  ReportFailedError,
  ServerError,
  ThrottledError,
  UnauthorizedError,
  UnexpectedResponseError,
  UnprocessableError,
  UnsupportedOperationError,
} from "./src/errors.ts";

// Types by subject, each also an entry point: `import type { Keyword } from "@platform/ads/sp"`
export type * as sp from "./src/client/entities/sp.ts";
export type * as sb from "./src/client/entities/sb.ts";
export type * as sd from "./src/client/entities/sd.ts";
export type * as resources from "./src/client/entities/mod.ts";
export type * as jobs from "./src/client/jobs/mod.ts";
export type * as cleanRooms from "./src/client/clean_room/mod.ts";
export type * as reports from "./src/client/reports/mod.ts";
export type * as plans from "./src/plans/mod.ts";
export type * as insights from "./src/client/insights/mod.ts";
export type * as transport from "./src/platform/transport/mod.ts";
