import { isObject } from "../../base/json/fields_of.ts";
import { nearest } from "../../base/text/nearest.ts";
import { visibleText } from "../../base/text/visible_text.ts";
import type { ApiShapes } from "./api_shapes.ts";
import { checkScalar, type Problem, typeProblem } from "./check_scalar.ts";
import { type MergedShape, mergeParts } from "./flat_shape.ts";
import type { SchemaFinding } from "./schema_error.ts";
import type { SchemaNode } from "./schema_node.ts";

export type Direction = "request" | "response";

const MAX_FINDINGS = 50;

type KnownFields = ReadonlyMap<string, SchemaNode>;
type Fields = KnownFields | "open";
interface Run {
  readonly shapes: ApiShapes;
  readonly direction: Direction;
  readonly found: (problem: Problem, field?: string) => void;
  readonly isFull: () => boolean;
  /** Path to the current value. Mutable and shared, so that valid values cause no allocations. */
  readonly way: (string | number)[];
  /** Hints at the names of unknown fields, by shape; every item of a list has the same ones. */
  readonly hints: Map<KnownFields, Map<string, string>>;
}

export function checkValue(
  shapes: ApiShapes,
  node: SchemaNode,
  value: unknown,
  direction: Direction = "request",
): SchemaFinding[] {
  const findings: SchemaFinding[] = [];
  const way: Run["way"] = [];
  const isFull = (): boolean => findings.length >= MAX_FINDINGS;
  const found: Run["found"] = ({ code, problem }, field) => {
    if (isFull()) return;
    const missing = field === undefined ? {} : { field };
    findings.push({ path: pathText(way), code, problem: visibleText(problem()), ...missing });
  };
  check({ shapes, direction, found, isFull, way, hints: new Map() }, node, value);
  return findings;
}

function check(run: Run, node: SchemaNode, value: unknown): void {
  const known = compare(run, node, value);
  if (known === "open" || !isObject(value)) return;
  for (const name of Object.keys(value)) {
    if (known.has(name) || value[name] === undefined) continue;
    if (run.isFull()) return;
    run.way.push(name);
    run.found({
      code: "unknown-field",
      problem: () => `unknown field${meant(name, { known, hints: run.hints })}`,
    });
    run.way.pop();
  }
}

function meant(name: string, { known, hints }: { known: KnownFields; hints: Run["hints"] }): string {
  let ofShape = hints.get(known);
  if (ofShape === undefined) hints.set(known, ofShape = new Map());
  let hint = ofShape.get(name);
  if (hint === undefined) {
    const near = nearest(name, known.keys());
    ofShape.set(name, hint = near === undefined ? "" : `. Did you mean "${near}"?`);
  }
  return hint;
}

function compare(run: Run, published: SchemaNode, value: unknown): Fields {
  const resolved = run.shapes.resolve(published);
  const { node, unions } = resolved.allOf === undefined ? alone(resolved) : mergeParts(run.shapes, resolved);
  const problem = typeProblem(node, value, () => isId(run.way));
  if (problem !== undefined) {
    run.found(problem);
    return "open";
  }
  const scalar = checkScalar(node, value);
  if (scalar !== undefined) run.found(scalar);
  if (typeof value !== "object" && unions.length === 0) return "open";
  if (Array.isArray(value)) compareList(run, node, value);
  let known: Fields = isObject(value) ? compareFields(run, node, value, unions.length > 0) : NO_FIELDS;
  for (const union of unions) {
    known = together(known, compareAlternatives(run, { union, known }, value));
  }
  return known;
}

function isId(way: Run["way"]): boolean {
  const names = way.filter((part) => typeof part === "string");
  return names.length === 0 ||
    names.some((name) => /(?:(?:^|[a-z0-9_])I[dD]|(?:^|_)id)s?(?=[A-Z_]|$)/.test(name));
}

const NONE: readonly SchemaNode[] = [];

const singles = new WeakMap<SchemaNode, MergedShape>();

function alone(node: SchemaNode): MergedShape {
  let shape = singles.get(node);
  if (shape === undefined) {
    shape = { node, unions: node.oneOf === undefined && node.anyOf === undefined ? NONE : [node] };
    singles.set(node, shape);
  }
  return shape;
}

function compareFields(
  run: Run,
  node: SchemaNode,
  value: Record<string, unknown>,
  isPartial: boolean,
): Fields {
  const { properties, required = [], additionalProperties: others } = node;
  for (const name of required) {
    if (value[name] !== undefined) continue;
    if (run.direction === "request" && properties?.[name]?.readOnly) continue;
    const problem = (): string => `the field "${name}" is required and missing`;
    run.found({ code: "missing-field", problem }, name);
  }
  const fields = properties === undefined ? NO_FIELDS : fieldsOf(properties);
  let hasUnknown = false;
  for (const name of Object.keys(value)) {
    const field = value[name];
    if (field === undefined) continue;
    const shape = fields.get(name);
    hasUnknown ||= shape === undefined;
    const wanted = shape ?? (typeof others === "object" ? others : undefined);
    if (wanted === undefined) continue;
    run.way.push(name);
    check(run, wanted, field);
    run.way.pop();
  }
  // Where every field is known, nobody has to look for others.
  if (!hasUnknown || (others !== undefined && others !== false)) return "open";
  if (properties !== undefined) return fields;
  // A shape that only demands fields has them described in the one that it is an alternative of.
  const isDemand = node.type === undefined && node.required !== undefined;
  return others === false || isPartial || isDemand ? NO_FIELDS : "open";
}

function compareList(run: Run, { items }: SchemaNode, value: readonly unknown[]): void {
  if (items === undefined) return;
  for (let index = 0; index < value.length; index++) {
    run.way.push(index);
    check(run, items, value[index]);
    run.way.pop();
  }
}

function compareAlternatives(
  run: Run,
  { union, known }: { union: SchemaNode; known: Fields },
  value: unknown,
): Fields {
  const chosen = discriminated(union, value);
  let best: { alternative: SchemaNode; fields: Fields; weight: number } | undefined;
  for (const alternative of chosen === undefined ? union.oneOf ?? union.anyOf ?? [] : [chosen]) {
    const { fields, weight } = tried(run, { alternative, known }, value);
    if (best === undefined || weight < best.weight) best = { alternative, fields, weight };
    if (weight === 0) break;
  }
  if (best === undefined) return "open";
  if (best.weight > 0) compare(run, best.alternative, value);
  const { discriminator } = union;
  return discriminator === undefined
    ? best.fields
    : together(best.fields, new Map([[discriminator.propertyName, {}]]));
}

function tried(
  { shapes, direction, way, hints }: Run,
  { alternative, known }: { alternative: SchemaNode; known: Fields },
  value: unknown,
): { fields: Fields; weight: number } {
  const depth = way.length;
  let count = 0;
  let isOfAnotherType = false;
  const isFull = (): boolean => count >= MAX_FINDINGS;
  const found: Run["found"] = ({ code }) => {
    if (isFull()) return;
    count++;
    isOfAnotherType ||= code === "wrong-type" && way.length === depth;
  };
  const fields = compare({ shapes, direction, found, isFull, way, hints }, alternative, value);
  const strangers = countUnknown(value, together(known, fields));
  return { fields, weight: count + strangers + (isOfAnotherType ? 1000 : 0) };
}

function discriminated({ discriminator }: SchemaNode, value: unknown): SchemaNode | undefined {
  if (discriminator?.mapping === undefined || !isObject(value)) return undefined;
  const kind = value[discriminator.propertyName];
  const model = typeof kind === "string" && Object.hasOwn(discriminator.mapping, kind)
    ? discriminator.mapping[kind]
    : undefined;
  return model === undefined ? undefined : { ref: model };
}

function countUnknown(value: unknown, known: Fields): number {
  if (known === "open" || !isObject(value)) return 0;
  return Object.keys(value).filter((name) => !known.has(name)).length;
}

const NO_FIELDS: ReadonlyMap<string, SchemaNode> = new Map();
const known = new WeakMap<object, ReadonlyMap<string, SchemaNode>>();

function fieldsOf(properties: Readonly<Record<string, SchemaNode>>): ReadonlyMap<string, SchemaNode> {
  let fields = known.get(properties);
  if (fields === undefined) known.set(properties, fields = new Map(Object.entries(properties)));
  return fields;
}

function together(a: Fields, b: Fields): Fields {
  if (a === "open" || b === "open") return "open";
  if (a.size === 0) return b;
  return b.size === 0 ? a : new Map([...a, ...b]);
}

function pathText(way: Run["way"]): string {
  const text = way.reduce<string>(
    (path, part) => typeof part === "number" ? `${path}[${part}]` : path === "" ? part : `${path}.${part}`,
    "",
  );
  return visibleText(text);
}
