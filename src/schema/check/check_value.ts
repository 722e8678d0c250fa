import { nearest } from "../../internal/nearest.ts";
import { visibleText } from "../../internal/visible_text.ts";
import type { ApiShapes } from "../api_shapes.ts";
import { checkScalar, typeProblem } from "./check_scalar.ts";
import { type MergedShape, mergeParts } from "../merge_parts.ts";
import type { FindingCode, SchemaFinding } from "./finding.ts";
import type { SchemaNode } from "../schema_node.ts";

/** Which way a value goes: `readOnly` fields are required of a response only. */
export type Direction = "request" | "response";

/** Findings past this number are not collected. */
const MAX_FINDINGS = 50;

type Fields = ReadonlySet<string> | "open";
type Path = () => string;

interface Run {
  readonly shapes: ApiShapes;
  readonly direction: Direction;
  readonly findings: SchemaFinding[];
}

/**
 * Compares a value with its published shape. Fields that the shape does not name are findings unless it says that others
 * may be there; of alternatives one has to fit.
 */
export function checkValue(
  shapes: ApiShapes,
  node: SchemaNode,
  value: unknown,
  direction: Direction = "request",
): SchemaFinding[] {
  const run = { shapes, direction, findings: [] };
  check(run, node, value, () => "");
  return run.findings;
}

function check(run: Run, node: SchemaNode, value: unknown, path: Path): void {
  const known = compare(run, node, value, path);
  if (known === "open" || !isRecord(value)) return;
  for (const name of Object.keys(value)) {
    if (known.has(name) || value[name] === undefined) continue;
    const meant = nearest(name, known);
    const hint = meant === undefined ? "" : `. Did you mean "${meant}"?`;
    report(run, () => fieldPath(path, name), "unknown-field", `unknown field${hint}`);
  }
}

/** Checks everything but unknown fields, and returns the fields that the shape names for this value. */
function compare(run: Run, published: SchemaNode, value: unknown, path: Path): Fields {
  const resolved = run.shapes.resolve(published);
  const { node, unions } = resolved.allOf === undefined ? alone(resolved) : mergeParts(run.shapes, resolved);
  const problem = typeProblem(node, value);
  if (problem !== undefined) {
    report(run, path, problem.code, problem.problem);
    return "open";
  }
  const scalar = checkScalar(node, value);
  if (scalar !== undefined) report(run, path, scalar.code, scalar.problem);
  if (Array.isArray(value)) compareList(run, node, value, path);
  let known: Fields = isRecord(value)
    ? compareFields(run, { node, isPartial: unions.length > 0 }, value, path)
    : NO_FIELDS;
  for (const union of unions) {
    known = together(known, compareAlternatives(run, { union, known }, value, path));
  }
  return known;
}

const NONE: readonly SchemaNode[] = [];

function alone(node: SchemaNode): MergedShape {
  return { node, unions: node.oneOf === undefined && node.anyOf === undefined ? NONE : [node] };
}

function compareFields(
  run: Run,
  { node, isPartial }: { node: SchemaNode; isPartial: boolean },
  value: Record<string, unknown>,
  path: Path,
): Fields {
  const { properties, required = [], additionalProperties: others } = node;
  for (const name of required) {
    if (value[name] !== undefined) continue;
    if (run.direction === "request" && properties?.[name]?.readOnly) continue;
    report(run, path, "missing-field", `the field "${name}" is required and missing`, name);
  }
  for (const name of Object.keys(value)) {
    const field = value[name];
    if (field === undefined) continue;
    const shape = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (shape !== undefined) check(run, shape, field, () => fieldPath(path, name));
    else if (typeof others === "object") check(run, others, field, () => fieldPath(path, name));
  }
  if (others !== undefined && others !== false) return "open";
  if (properties !== undefined) return fieldNames(properties);
  // A shape that only demands fields has them described in the one that it is an alternative of.
  const isDemand = node.type === undefined && node.required !== undefined;
  return others === false || isPartial || isDemand ? NO_FIELDS : "open";
}

function compareList(run: Run, { items }: SchemaNode, value: readonly unknown[], path: Path): void {
  if (items === undefined) return;
  for (const [index, item] of value.entries()) check(run, items, item, () => `${path()}[${index}]`);
}

function compareAlternatives(
  run: Run,
  { union, known }: { union: SchemaNode; known: Fields },
  value: unknown,
  path: Path,
): Fields {
  const chosen = discriminated(union, value);
  let best: { findings: SchemaFinding[]; fields: Fields; weight: number } | undefined;
  for (const alternative of chosen === undefined ? union.oneOf ?? union.anyOf ?? [] : [chosen]) {
    const trial = { ...run, findings: [] };
    const fields = compare(trial, alternative, value, path);
    const strangers = countUnknown(value, together(known, fields));
    const weight = trial.findings.length + strangers +
      (trial.findings.some(({ code, path: at }) => code === "wrong-type" && at === path()) ? 1000 : 0);
    if (best === undefined || weight < best.weight) best = { findings: trial.findings, fields, weight };
    if (weight === 0) break;
  }
  if (best === undefined) return "open";
  for (const finding of best.findings) {
    if (run.findings.length < MAX_FINDINGS) run.findings.push(finding);
  }
  const { discriminator } = union;
  return discriminator === undefined
    ? best.fields
    : together(best.fields, new Set([discriminator.propertyName]));
}

function discriminated({ discriminator }: SchemaNode, value: unknown): SchemaNode | undefined {
  if (discriminator?.mapping === undefined || !isRecord(value)) return undefined;
  const kind = value[discriminator.propertyName];
  const model = typeof kind === "string" && Object.hasOwn(discriminator.mapping, kind)
    ? discriminator.mapping[kind]
    : undefined;
  return model === undefined ? undefined : { ref: model };
}

function countUnknown(value: unknown, known: Fields): number {
  if (known === "open" || !isRecord(value)) return 0;
  return Object.keys(value).filter((name) => !known.has(name)).length;
}

const NO_FIELDS: ReadonlySet<string> = new Set();
const names = new WeakMap<object, ReadonlySet<string>>();

function fieldNames(properties: object): ReadonlySet<string> {
  let known = names.get(properties);
  if (known === undefined) names.set(properties, known = new Set(Object.keys(properties)));
  return known;
}

function together(a: Fields, b: Fields): Fields {
  if (a === "open" || b === "open") return "open";
  if (a.size === 0) return b;
  return b.size === 0 ? a : new Set([...a, ...b]);
}

function report(run: Run, path: Path, code: FindingCode, problem: string, field?: string): void {
  if (run.findings.length >= MAX_FINDINGS) return;
  const missing = field === undefined ? {} : { field };
  run.findings.push({ path: visibleText(path()), code, problem: visibleText(problem), ...missing });
}

function fieldPath(path: Path, name: string): string {
  const parent = path();
  return parent === "" ? name : `${parent}.${name}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
