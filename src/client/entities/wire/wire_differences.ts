import { idOf, requiredId } from "../../../base/json/id_of.ts";
import { canonicalJson } from "../../../base/json/canonical_json.ts";
import { fieldsOf, withoutFields } from "../../../base/json/fields_of.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields } from "../model/resource_wire.ts";
import { lostOnEither } from "./late_wire.ts";

/** A field of an entity that differs between the two wires. */
export interface WireDifference {
  /** Kind of the entity. */
  readonly kind: string;
  /** Id on the older wire; the id on the unified wire if the entity exists only there. */
  readonly id: string;
  /** The differing field; the id field if one wire lacks the entity or has it under another id. */
  readonly field: string;
  /** Value on the older wire; absent if there is none. */
  readonly legacy?: unknown;
  /** Value on the unified wire. */
  readonly unified?: unknown;
}

/**
 * Returns the differences between two lists of entities. Entities with different ids are matched by their content if
 * it is unique.
 */
export function wireDifferences(
  spec: ResourceSpec,
  older: readonly Fields[],
  newer: readonly Fields[],
): WireDifference[] {
  const { idField, kind, identity } = spec;
  const open = byId(newer, idField);
  const differences: WireDifference[] = [];
  const unmatched: [id: string, entity: Fields][] = [];
  for (const [id, entity] of byId(older, idField)) {
    const other = open.get(id);
    if (other === undefined) {
      unmatched.push([id, entity]);
      continue;
    }
    open.delete(id);
    differences.push(...fieldDifferences(spec, entity, other));
  }
  const byContent = new Map(
    identity === undefined ? [] : Array.from(open, ([id, entity]) => [identity(entity), { id, entity }]),
  );
  for (const [id, entity] of unmatched) {
    const other = identity === undefined ? undefined : byContent.get(identity(entity));
    if (other === undefined) {
      differences.push({ kind, id, field: idField, legacy: id });
      continue;
    }
    open.delete(other.id);
    byContent.delete(identity!(entity));
    differences.push({ kind, id, field: idField, legacy: id, unified: other.id });
    differences.push(...fieldDifferences(spec, entity, other.entity));
  }
  for (const id of open.keys()) differences.push({ kind, id, field: idField, unified: id });
  return differences;
}

function byId(entities: readonly Fields[], idField: string): Map<string, Fields> {
  return new Map(
    entities.flatMap((entity) => {
      const id = idOf(entity, idField);
      return id === undefined ? [] : [[id, entity] as const];
    }),
  );
}

function fieldDifferences(spec: ResourceSpec, older: Fields, newer: Fields): WireDifference[] {
  const { idField, kind } = spec;
  const id = requiredId(older, idField);
  const lost = [idField, ...UNCOMPARED, ...lostOnEither(spec, older)];
  const [before, after] = [withoutFields(older, lost), withoutFields(newer, lost)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((field) => {
    const [legacy, unified] = [before[field], after[field]];
    if (text(legacy) === text(unified)) return [];
    return [{ kind, id, field, legacy, unified }];
  });
}

const UNCOMPARED = ["extendedData", "resolvedExpression"];

function text(value: unknown): string {
  return canonicalJson(value === undefined ? null : comparable(value));
}

/**
 * Normalizes a value for comparison: ignores empty lists and objects, zero percentages, and the order and spelling of
 * predicates.
 */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) {
    const parts = value.map(comparable).filter((part) => fieldsOf(part)["percentage"] !== 0);
    const isSet = parts.some((part) => "type" in fieldsOf(part) || "placement" in fieldsOf(part));
    if (parts.length === 0) return null;
    return isSet ? parts.sort((a, b) => canonicalJson(a) < canonicalJson(b) ? -1 : 1) : parts;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) =>
    [name, name === "value" ? plainNumbers(part) : comparable(part)] as const
  ).filter(([name, part]) => part !== null && part !== undefined && !LOST.has(name));
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

const LOST: ReadonlySet<string> = new Set(["audienceSegmentType"]);

export function plainNumbers(value: unknown): unknown {
  if (typeof value !== "string" || !/^[\d.\s-]+$/.test(value)) return value;
  return value.replace(/(\.\d*?)0+(?=\D|$)/g, "$1").replace(/\.(?=\D|$)/g, "");
}
