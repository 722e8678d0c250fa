/**
 * Types shared by all resources, and those of drafted plans, batches and portfolios.
 *
 * @module
 */
export type { AdExtension, AdExtensionUpdate, NewAdExtension } from "./model/ad_extension.ts";
export type { BatchError, BatchSuccess, ItemOutcome } from "../../platform/batch/batch_error.ts";
export { BatchResult, type BatchVerdict } from "../../platform/batch/batch_result.ts";
export { type MultiStatusOptions, parseMultiStatus } from "../../platform/batch/parse_multi_status.ts";
export type { BudgetUsage } from "./resource/budget_usage.ts";
export { type BadItem, BadItemsError } from "./model/check_items.ts";
export { type Budget, budget, type BudgetInput } from "./model/budget.ts";
export {
  checkKeywordText,
  type KeywordTextFinding,
  type KeywordTextOptions,
  type KeywordTextRule,
} from "./model/check_keyword_text.ts";
export type {
  Entity,
  EntityState,
  ExtendedData,
  InAdGroup,
  InCampaign,
  OpenEnum,
  OpenFields,
} from "./model/entity_fields.ts";
export type { CamelCase, Clearable, ItemFields, ItemInput, SnakeCase } from "./model/item_input.ts";
export { toApi } from "./model/to_api.ts";
export type { FindEqualOptions } from "./resource/find_equal.ts";
export {
  KINDS,
  PROFILE_KINDS,
  RESOURCE_KINDS,
  type ResourceKind,
  type ResourceOf,
  type ResourcesOf,
} from "./kinds/kinds.ts";
export type { ListOptions } from "./model/list_options.ts";
export type { CompareWiresOptions, WireComparison } from "./compare_wires.ts";
export type { WireDifference } from "./wire/wire_differences.ts";
export type { WireIds } from "./wire/wire_setting.ts";
export { type DraftedCreate, type DraftedUpdate, PlanDraft, type Referring } from "./plan_draft.ts";
export type { DraftOptions, DraftResource, DraftTarget, PreflightOptions } from "./build_draft.ts";
export type { PlanOptions } from "./resource/plan_writes.ts";
export type { NewPortfolio, Portfolio, PortfolioBudget, PortfolioUpdate } from "./model/portfolio.ts";
export { PortfoliosResource } from "./kinds/portfolios_spec.ts";
export type { Preflight } from "./preflight/problem.ts";
export { type ReadOptions, Resource } from "./resource/resource.ts";
