/**
 * Every operation of the platform: found by id and by words, described, and checked before it is sent.
 *
 * @module
 */
export type { ApiRecord } from "./catalog_data.ts";
export type {
  AccountCallArguments,
  BaseCallOptions,
  CallArguments,
  CallCheck,
  CallOptions,
  CallQueryValue,
  OperationTypes,
  PathParams,
  RegionOption,
  ResponseHead,
  TypedBody,
  TypedCallArguments,
  TypedCallOptions,
  TypedCalls,
} from "./call_types.ts";
export { type Catalog, catalog } from "./catalog.ts";
export { isHostedMcpTool, type ToolDescription } from "./catalog_data.ts";
export { Operation } from "./operation.ts";
export type { OperationJson } from "./operation_json.ts";
export type { OperationDeprecation } from "./operation_json.ts";
export type { OperationParameter } from "./operation_json.ts";
export { pathSegment, type PathValue } from "./path_segment.ts";
export type { SearchOptions } from "./search_rows.ts";
export type { CheckedInput } from "../schema/check_call.ts";
export type { FindingCode, SchemaFinding } from "../schema/schema_error.ts";
export type { JsonSchema } from "../schema/operation_schema.ts";
export type { OperationSchema, ParameterSchema } from "../schema/operation_schema.ts";
export { SchemaError } from "../schema/schema_error.ts";
export type { ParameterPlace } from "../schema/operation_shape.ts";
export { type Correction, CORRECTIONS } from "../../../catalog/corrections.ts";
export type { OperationId, OperationPathParams } from "../../../catalog/operation_ids.ts";
