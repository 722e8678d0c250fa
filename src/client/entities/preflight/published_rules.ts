import { PlatformAdsError } from "../../../errors.ts";
import type { Change } from "../../../plans/model/change.ts";
import { isChangeRef, withRefs } from "../../../plans/model/change_ref.ts";
import type { SchemaFinding } from "../../../platform/schema/schema_error.ts";
import type { ProfileScope, RequestOptions } from "../../../platform/transport/profile_scope.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields, ResourceWire, WireFacts } from "../model/resource_wire.ts";
import { NOT_ON_WIRE } from "../wire/not_on_wire.ts";
import { wireOf } from "../wire/wire_of.ts";
import type { Problem } from "./problem.ts";

const TOGETHER = 100;
/** Maximum number of findings; a body that reaches it may have more problems. */
const MAX_FINDINGS = 50;
const SOME_ID = "1";

const CODES: Readonly<Partial<Record<SchemaFinding["code"], string>>> = {
  "missing-field": "MISSING_VALUE",
  "not-allowed": "INVALID_ENUM_VALUE",
  "out-of-range": "OUT_OF_RANGE",
  "wrong-format": "PATTERN_NOT_MATCHED",
  "wrong-type": "WRONG_TYPE",
  "unknown-field": "UNKNOWN_FIELD",
};

interface Written {
  readonly method: string;
  readonly path: string;
  readonly options: RequestOptions;
}

/** Checks the exact bodies that would be sent against the published schemas. */
export async function publishedProblems(
  changes: readonly Change[],
  { scope, specOf }: { scope: ProfileScope; specOf: (kind: string) => ResourceSpec },
): Promise<Map<number, Problem[]>> {
  const problems = new Map<number, Problem[]>();
  const groups = Map.groupBy(changes.keys(), (at) => {
    const { op, kind, after } = changes[at]!;
    const group = op === "create" ? specOf(kind).createGroup?.(after) ?? "" : "";
    return `${op} ${kind} ${group}`;
  });
  for (const places of groups.values()) {
    const { op, kind } = changes[places[0]!]!;
    if (op !== "create" && op !== "update") continue;
    const spec = specOf(kind);
    const wire = await wireOf(spec, scope).load();
    for (let from = 0; from < places.length; from += TOGETHER) {
      const some = places.slice(from, from + TOGETHER);
      const items = some.map((at) => itemOf(changes[at]!, spec, wire));
      const checked = await check(items, { spec, op, scope });
      for (const [index, found] of checked) problems.set(some[index]!, found);
    }
  }
  return problems;
}

async function check(
  items: readonly Fields[],
  write: { spec: ResourceSpec; op: "create" | "update"; scope: ProfileScope },
): Promise<Map<number, Problem[]>> {
  const { spec, op, scope } = write;
  const late = wireOf(spec, scope);
  const wire = await late.load();
  const problems = new Map<number, Problem[]>();
  for (const [index, item] of items.entries()) {
    const unfit = wire.problems?.(scope, item, op) ?? [];
    if (unfit.length > 0) {
      const hint = wireHint(spec, late);
      problems.set(index, unfit.map(({ message }) => ({ code: NOT_ON_WIRE, message, hint })));
    }
  }
  const fit = [...items.keys()].filter((index) => !problems.has(index));
  if (fit.length === 0) return problems;
  const written = await writtenBy(
    (to) => wire[op](to, fit.map((index) => withoutNulls(items[index]!)), {}),
    scope,
  );
  const findings = written === undefined
    ? []
    : await findingsOf(written, wire.operations?.[op] ?? spec.operations[op]);
  if (findings.length >= MAX_FINDINGS && items.length > 1) {
    const each = await Promise.all(items.map((item) => check([item], write)));
    return new Map(each.flatMap((found, index) => [...found.values()].map((one) => [index, one] as const)));
  }
  for (const finding of findings) {
    const [, index, rest = ""] = /\[(\d+)\]\.?(.*)$/s.exec(finding.path.replace(/^\w+(?=\[)/, "")) ?? [];
    const problem = problemOf(finding, { rest, op, spec });
    if (index === undefined || problem === undefined) continue;
    const at = fit[Number(index)]!;
    const others = problems.get(at);
    if (others === undefined) problems.set(at, [problem]);
    else others.push(problem);
  }
  return problems;
}

function wireHint({ kind, unified }: ResourceSpec, { name }: WireFacts): string {
  if (unified === undefined) return "Leave it out";
  const [words, other] = name === "legacy" ? ["unified", "unified"] : ["older", "legacy"];
  return `Leave it out, or send this kind by the ${words} wire: wire: { "${kind}": "${other}" }, --wire ${kind}=${other}`;
}

function problemOf(
  { code, problem, field }: SchemaFinding,
  { rest, op, spec }: { rest: string; op: string; spec: ResourceSpec },
): Problem | undefined {
  // An update names what changes, and empties with null what the schemas know no null of.
  if (
    (/^is null\b/.test(problem) && !rest.endsWith("]")) ||
    (code === "missing-field" && op === "update" && rest === "")
  ) {
    return undefined;
  }
  const name = [rest, field].filter((part) => part !== undefined && part !== "").join(".");
  const message = code === "missing-field" ? `"${name}" is missing` : `${name}: ${problem}`;
  // Lists shorter than published are taken, and so are fields that entities are known to have, and parts of predicates
  // by the older operations of Brands.
  const isTaken = /^has \d+ items?, expected at least/.test(problem) ||
    (code === "unknown-field" && [...spec.columns, ...spec.moreFields ?? []].includes(name)) ||
    (/^sb\..*targets$/.test(spec.kind) && /^expressions\[\d+\]\./.test(rest) &&
      ["unknown-field", "wrong-type"].includes(code));
  return { code: CODES[code] ?? "INVALID_VALUE", message, refused: !isTaken };
}

/** Returns the first request of a write; `undefined` if it reads first or cannot be written. */
async function writtenBy(
  write: (scope: ProfileScope) => Promise<unknown>,
  { profileId, countryCode, timeZone, transport }: ProfileScope,
): Promise<Written | undefined> {
  const held = new PlatformAdsError("Held back");
  const found: Written[] = [];
  const request = (method: string, path: string, options: RequestOptions = {}): Promise<never> => {
    found.push({ method, path, options });
    return Promise.reject(held);
  };
  try {
    await write({ profileId, countryCode, timeZone, transport, request });
  } catch (error) {
    if (error !== held && !(error instanceof TypeError)) throw error;
  }
  const [first] = found;
  return first === undefined || first.method === "GET" || /\/list$|\/query\//.test(first.path)
    ? undefined
    : first;
}

async function findingsOf(
  { path, options }: Written,
  operations: string | readonly string[] | undefined,
): Promise<SchemaFinding[]> {
  const id = typeof operations === "string" ? operations : await operationAt(path, operations ?? []);
  const [api = "", name = ""] = id?.split(":") ?? [];
  const { checkCall, loadApiShapes } = await import("../../../platform/schema/mod.ts");
  const shapes = await loadApiShapes(api);
  const shape = shapes?.operation(name);
  if (shapes === undefined || shape === undefined) return [];
  return checkCall(shapes, shape, { body: options.json, contentType: options.contentType });
}

async function operationAt(path: string, ids: readonly string[]): Promise<string | undefined> {
  const { catalog } = await import("../../../platform/catalog/catalog.ts");
  for (const id of ids) if ((await catalog.get(id)).path === path) return id;
  return undefined;
}

/** Removes the `null` values that clear fields, because schemas do not allow them. */
function withoutNulls(item: Fields): Fields {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}

function itemOf({ id, op, after }: Change, spec: ResourceSpec, { repeats }: ResourceWire): Fields {
  const fields = Object.fromEntries(
    Object.entries(withRefs(after, () => SOME_ID)).filter(([, value]) => !isChangeRef(value)),
  );
  if (op === "create") return fields;
  const repeated = repeats?.(fields) ??
    Object.fromEntries((spec.repeated ?? []).map((field) => [field, SOME_ID]));
  return { ...repeated, ...fields, [spec.idField]: id };
}
