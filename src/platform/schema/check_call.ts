import { nearest } from "../../base/text/nearest.ts";
import type { ApiShapes } from "./api_shapes.ts";
import { checkValue } from "./check_value.ts";
import type { SchemaFinding } from "./schema_error.ts";
import { bodyShape, type OperationShape, type ParameterShape } from "./operation_shape.ts";
import type { SchemaNode } from "./schema_node.ts";

/** Checkable input of a call. */
export interface CheckedInput {
  /** Body; `undefined` and `null` mean none. */
  readonly body?: unknown;
  /** Media type of the body. */
  readonly contentType?: string | undefined;
  /** Values of the placeholders of the path. */
  readonly pathParams?: Readonly<Record<string, unknown>>;
  /** Query parameters. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** Headers by name, case-insensitive. */
  readonly headers?: Readonly<Record<string, unknown>>;
}

export function checkCall(shapes: ApiShapes, shape: OperationShape, input: CheckedInput): SchemaFinding[] {
  return [
    ...checkQuery(shapes, shape, input.query ?? {}),
    ...checkNamed(shapes, shape, { place: "path", values: input.pathParams ?? {} }),
    ...checkNamed(shapes, shape, { place: "header", values: input.headers ?? {} }),
    ...checkBody(shapes, shape, input),
  ];
}

function checkQuery(
  shapes: ApiShapes,
  shape: OperationShape,
  query: Readonly<Record<string, unknown>>,
): SchemaFinding[] {
  const names = shape.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  const unknown = Object.keys(query).filter((name) => query[name] !== undefined && !names.includes(name));
  return [
    ...(shape.partial ? [] : unknown).map((name): SchemaFinding => {
      const meant = nearest(name, names);
      const hint = meant === undefined ? "" : `. Did you mean "${meant}"?`;
      return { path: `query ${name}`, code: "unknown-parameter", problem: `unknown parameter${hint}` };
    }),
    ...checkNamed(shapes, shape, { place: "query", values: query }),
  ];
}

function checkNamed(
  shapes: ApiShapes,
  { parameters }: OperationShape,
  { place, values }: { place: ParameterShape["in"]; values: Readonly<Record<string, unknown>> },
): SchemaFinding[] {
  const byName = new Map(
    Object.entries(values).map(([name, value]) => [place === "header" ? name.toLowerCase() : name, value]),
  );
  return parameters.filter((parameter) => parameter.in === place).flatMap(({ name, schema }) => {
    const value = byName.get(place === "header" ? name.toLowerCase() : name);
    if (value === undefined) return [];
    const findings = checkValue(shapes, schema, fromText(shapes.resolve(schema), value));
    return findings.map((finding) => ({ ...finding, path: `${place} ${name}${finding.path}` }));
  });
}

function fromText(node: SchemaNode, value: unknown): unknown {
  const types = [node.type ?? []].flat();
  if (types.includes("array")) {
    const list = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [value];
    return list.map((item) => node.items === undefined ? item : fromText(node.items, item));
  }
  if (Array.isArray(value) && types.includes("string")) return value.join(",");
  if (types.includes("string") && typeof value !== "object") return String(value);
  if (typeof value !== "string") return value;
  if (types.includes("boolean") && /^(?:true|false)$/.test(value)) return value === "true";
  if (types.includes("number") && value.trim() !== "" && Number.isFinite(Number(value))) return Number(value);
  return value;
}

function checkBody(
  shapes: ApiShapes,
  shape: OperationShape,
  { body, contentType }: CheckedInput,
): SchemaFinding[] {
  if (body === undefined || body === null) {
    const isMissing = shape.bodyRequired;
    return isMissing
      ? [{ path: "", code: "missing-field", problem: "the body is required and missing" }]
      : [];
  }
  const node = bodyShape(shape, contentType);
  if (node !== undefined) return checkValue(shapes, node, body);
  return shape.partial
    ? []
    : [{ path: "", code: "unknown-field", problem: "no body is published for this operation" }];
}
