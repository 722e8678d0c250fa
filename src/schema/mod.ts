/**
 * The published shapes of requests and responses: loaded, checked against, shown. Imported at first use only.
 *
 * @module
 */
export type { ApiShapes } from "./api_shapes.ts";
export { checkValue } from "./check_value.ts";
export { exampleValue } from "./example_value.ts";
export { loadApiShapes } from "./load_api_shapes.ts";
export { operationSchema } from "./operation_schema.ts";
export { bodyShape } from "./operation_shape.ts";
