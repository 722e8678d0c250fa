import type { ProfileScope } from "../../platform/transport/profile_scope.ts";
import { KINDS, RESOURCE_KINDS, type ResourceKind } from "./kinds/kinds.ts";
import type { ResourceSpec } from "./model/resource_spec.ts";
import type { Fields, LateWire } from "./model/resource_wire.ts";
import type { WireDifference } from "./wire/wire_differences.ts";

/** Comparison of one kind of entity in a profile, read on both wires. */
export interface WireComparison {
  /** The compared kind. */
  readonly kind: ResourceKind;
  /** Number of entities on the older wire. */
  readonly legacy: number;
  /** Number of entities on the unified wire. */
  readonly unified: number;
  /** Differences, field by field. */
  readonly differences: readonly WireDifference[];
}

/** Kinds and abort signal for {@linkcode compareWires}. */
export interface CompareWiresOptions {
  /** Kinds to compare. @default every kind that the unified family has */
  readonly kinds?: readonly ResourceKind[];
  /** Aborts the comparison between two pages. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the kinds that the unified family has and that can therefore use either wire.
 *
 * @example
 * ```ts
 * import { kindsOnBothWires } from "@platform/ads";
 *
 * console.log(kindsOnBothWires().includes("sp.keywords")); // true
 * ```
 */
export function kindsOnBothWires(): ResourceKind[] {
  return RESOURCE_KINDS.filter((kind) => unifiedOf(kind) !== undefined);
}

/**
 * Reads each kind of a profile on both wires, in every state, and compares the entities field by field, regardless of
 * the client's wire setting. Nothing is changed. Kinds that the unified family lacks are left out.
 *
 * @example
 * ```ts
 * import { compareWires, type ProfileClient } from "@platform/ads";
 *
 * async function differences(us: ProfileClient): Promise<void> {
 *   for await (const { kind, legacy, differences } of compareWires(us, { kinds: ["sp.keywords"] })) {
 *     console.log(kind, legacy, differences);
 *   }
 * }
 * ```
 */
export async function* compareWires(
  profile: ProfileScope,
  { kinds = kindsOnBothWires(), signal }: CompareWiresOptions = {},
): AsyncGenerator<WireComparison, void, undefined> {
  const { wireDifferences } = await import("./wire/wire_differences.ts");
  for (const kind of kinds) {
    const spec: ResourceSpec = KINDS[kind];
    const unified = unifiedOf(kind);
    if (unified === undefined) continue;
    const older = await everyOf(spec.wire, profile, signal);
    const newer = await everyOf(unified, profile, signal);
    yield {
      kind,
      legacy: older.length,
      unified: newer.length,
      differences: wireDifferences(spec, older, newer),
    };
  }
}

function unifiedOf(kind: ResourceKind): LateWire | undefined {
  const spec: ResourceSpec = KINDS[kind];
  return spec.unified;
}

async function everyOf(
  wire: LateWire,
  profile: ProfileScope,
  signal: AbortSignal | undefined,
): Promise<Fields[]> {
  const { pages } = await wire.load();
  const found: Fields[] = [];
  for await (const page of pages(profile, { states: null, ahead: true, signal })) found.push(...page);
  return found;
}
