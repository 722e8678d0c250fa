/**
 * The published shapes of requests and responses: loaded, checked against, shown. Imported at first use only.
 *
 * @module
 */
export type { ApiShapes } from "./api_shapes.ts";
export { checkCall } from "./check_call.ts";
export { checkValue } from "./check_value.ts";
export { describePart, parameterLines } from "./describe_operation.ts";
export { fieldIndex } from "./field_index.ts";
export { flatShape } from "./flat_shape.ts";
export { findingText } from "./schema_error.ts";
export { exampleValue } from "./example_value.ts";
export { loadApiShapes } from "./load_api_shapes.ts";
export { operationSchema } from "./operation_schema.ts";
export { SchemaError } from "./schema_error.ts";
export { bodyShape, responseShape } from "./operation_shape.ts";
export { neutralBody, wireBody, wireParameters, wordedBody } from "./wire_body.ts";
