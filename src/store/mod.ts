/**
 * The store: report history that outlives the platform's retention.
 *
 * @module
 */

export type { FigureGroup } from "./figures/figure_groups.ts";
export { type QueryOptions, type StoredRow, Warehouse } from "./warehouse/warehouse.ts";
export type { Replacement } from "./model/replace_days.ts";
export type { RowSource } from "./model/encode_rows.ts";
export type { DayFigures } from "./model/encode_rows.ts";
export {
  type FigureRow,
  type Figures,
  figures,
  type FiguresOptions,
  type FigureSums,
} from "./figures/figures.ts";
export { bidResponse, type BidResponseRequest, type MeasuredResponse } from "./figures/bid_response.ts";
export { entityFigures } from "./figures/entity_figures.ts";
export { figuresFromStore } from "./figures/figures_from_store.ts";
export type {
  ComparedAmount,
  Comparison,
  EffectFigure,
  EffectRange,
  GoalGain,
  OutcomeVerdict,
  RolloutFacts,
} from "./figures/experiment_outcome.ts";
export { type PlanPower, planPower, type PlanPowerRequest } from "./figures/plan_power.ts";
export { type PlanOutcome, planOutcome, type PlanOutcomeRequest } from "./figures/plan_outcome.ts";
export type { OutsideChange, OutsideChanges, TouchedUnits } from "./figures/touched_units.ts";
export type { ChangedEntity } from "./figures/plan_outcome.ts";
export type { EstimateOutcome } from "./figures/plan_outcome.ts";
export type { EntityTotals } from "./figures/entity_totals.ts";
export type { OutcomeFigures } from "./figures/plan_outcome.ts";
export type { Coverage } from "./model/coverage.ts";
export type { EntityOutcome } from "./model/entity_pull.ts";
export type { EntitySourceChoice } from "./sync/choose_source.ts";
export type { EntityChanges, EntityPull, EntitySource, StoredEntity } from "./model/entity_pull.ts";
export type { Conversion, CurrencyRate, StoreView } from "./model/store_view.ts";
export { type NamedReport, namedReport, type ReportName } from "../client/reports/requests/named_report.ts";
export type { Maturity } from "./model/maturity_share.ts";
export type { Restatement, RestatementKey } from "./views/restatements.ts";
export type { LedgerEntry, LedgerState } from "./model/ledger_entry.ts";
export type {
  CoverageFilter,
  CoveredRange,
  DriverQuery,
  LedgerFilter,
  MonthsPull,
  PullRecord,
  QueryParameter,
  QueryResult,
  RowFilter,
  StoredDay,
  StoredMonth,
  StoredProfile,
  StoreDriver,
} from "./model/store_driver.ts";
export type { Cell } from "./model/encode_rows.ts";
export type { ColumnType } from "../client/reports/file/report_row.ts";
export { type ReportLayout, reportLayout, type StoredColumn } from "./model/report_layout.ts";
export { storeSchema } from "./warehouse/store_schema.ts";
export type { SchemaColumn, SchemaTable } from "./model/schema_table.ts";
export { PostgresLedger } from "./postgres/postgres_ledger.ts";
export { QueryError, StoreError } from "./model/store_error.ts";
export { SqliteDriver } from "./sqlite/sqlite_driver.ts";
export { DEFAULT_REPORTS, type SyncOptions, type SyncProgress } from "./sync/sync_options.ts";
export { RESTATE_DAYS } from "./model/maturity_share.ts";
export type { SyncProfile } from "./sync/sync_profile.ts";
export { type AccountOptions, OtherAccountError } from "./sync/check_accounts.ts";
export { ShrinkError } from "./model/store_error.ts";
export { type SyncOutcome, type SyncProblem, SyncResult } from "./sync/sync_result.ts";
export {
  type ConsumeOptions,
  type ConsumeProgress,
  type ConsumeResult,
  consumeStream,
} from "./stream/consume_stream.ts";
export type { StreamMessage } from "./stream/read_message.ts";
export type {
  DeliveryOptions,
  ObjectCounts,
  ObjectMemory,
  StreamDelivery,
  StreamSource,
} from "./stream/stream_source.ts";
export type { ObjectSourceOptions } from "./stream/object_source.ts";
export type { DeliveryStream } from "./stream/subscriptions.ts";
export { openBucketSource } from "./stream/bucket_source.ts";
export { folderSource } from "./stream/folder_source.ts";
export { textSource } from "./stream/text_source.ts";
export type {
  AddressRange,
  DatasetRows,
  ReadObject,
  RejectedMessage,
  ReportedHours,
  StreamAccount,
  StreamBatch,
  StreamConfirmation,
  StreamTables,
  StreamWritten,
} from "./model/stream_tables.ts";
export type {
  StoredRun,
  WorkflowColumnType,
  WorkflowResult,
  WorkflowRow,
  WorkflowRun,
  WorkflowTables,
  WorkflowVersion,
  WorkflowView,
} from "./model/workflow_tables.ts";
export { DATASET_LAYOUTS, type DatasetColumn, type DatasetLayout } from "./model/dataset_layout.ts";
export { openQueue, type OpenQueueOptions, type StreamQueue } from "./stream/open_queue.ts";
export type { QueueAddress, QueueSettings } from "./stream/queue_address.ts";
export type { QueueCounts, QueueCredentials } from "./stream/queue_client.ts";
export type { QueueSourceOptions } from "./stream/queue_source.ts";
export {
  listSubscriptions,
  planSubscriptions,
  type StreamSubscription,
  type SubscriptionRequest,
} from "./stream/subscriptions.ts";
export {
  type ConfirmationOutcome,
  type ConfirmOptions,
  confirmSubscriptions,
  pendingConfirmations,
} from "./stream/confirm_subscriptions.ts";
export { type StoredDataset, type StreamStatus, streamStatus } from "./stream/stream_status.ts";
export {
  type ReconcileMetric,
  type ReconcileOptions,
  reconcileStream,
  type Reconciliation,
} from "./stream/reconcile_stream.ts";
export { profileAccounts } from "./model/profile_accounts.ts";
export { openLake } from "./lake/open_lake.ts";
export type { BucketCredentials, OpenBucketOptions } from "./stream/bucket_address.ts";
export type { LakePlace, LakeText, ReadyFile } from "./lake/lake_place.ts";
export {
  publishLake,
  type PublishOptions,
  type PublishProgress,
  type PublishResult,
} from "./lake/publish_lake.ts";
export { type LakeReport, verifyLake } from "./lake/verify_lake.ts";
export { type TapMessage, tapMessages, type TapOptions, type TapState } from "./lake/tap_messages.ts";
export { tapCatalog, type TapSchema } from "./lake/tap_catalog.ts";
