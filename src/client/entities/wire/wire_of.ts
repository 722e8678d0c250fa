import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields, ListQuery, ResourceWire } from "../model/resource_wire.ts";
import { wireDifferences } from "./wire_differences.ts";
import { mappedWire } from "./target_ids.ts";

/**
 * The wire that a profile's requests about a kind take. A kind that one of the wires has alone takes that one, whatever the
 * setting.
 */
export function wireOf(spec: ResourceSpec, scope: ProfileScope): ResourceWire {
  const name = scope.wireOf?.(spec.kind) ?? "legacy";
  if (name === "legacy" || spec.wire.name === "unified") return spec.wire;
  const { unified } = spec;
  if (unified === undefined) {
    scope.transport.warn(
      `The unified family has no ${spec.plural}: ${spec.kind} stays on the older wire`,
      { once: true },
    );
    return spec.wire;
  }
  if (name === "compare") return comparingWire(spec, unified);
  return scope.wireIds === "mapped" && unified.sharesIds ? mappedWire(spec, unified) : unified;
}

/** Names the fields of an entity that the wire of a profile does not read; `a.b` is the part `b` of the field `a`. */
export function lostFields(spec: ResourceSpec, scope: ProfileScope, entity: Fields): readonly string[] {
  return wireOf(spec, scope).lost?.(entity) ?? [];
}

/** Fields that a new entity must have whatever the wire; those of one wire alone are judged by the plan. */
export function requiredAnywhere({ required, unified }: ResourceSpec): readonly string[] {
  const lost = unified?.lost?.({}) ?? [];
  return required.filter((field) => !lost.includes(field));
}

/** Fields that a new entity must have on the wire of a profile: those of the kind which that wire has. */
export function requiredOf(spec: ResourceSpec, scope: ProfileScope): readonly string[] {
  const lost = lostFields(spec, scope, {});
  return spec.required.filter((field) => !lost.includes(field));
}

/** Differences of one list that are reported one by one. */
const MAX_SHOWN = 5;

/**
 * The older wire, whose lists are read on the unified one as well. What differs is reported as warnings of the client;
 * what a caller gets, and every write, is the older wire's.
 */
function comparingWire(spec: ResourceSpec, unified: ResourceWire): ResourceWire {
  return {
    ...spec.wire,
    async *pages(scope: ProfileScope, query: ListQuery): AsyncGenerator<Fields[]> {
      const older: Fields[] = [];
      for await (const page of spec.wire.pages(scope, query)) {
        older.push(...page);
        yield page;
      }
      const newer: Fields[] = [];
      for await (const page of unified.pages(scope, query)) newer.push(...page);
      const differences = wireDifferences(spec, older, newer);
      const shown = differences.slice(0, MAX_SHOWN).map(({ kind, id, field, legacy, unified }) =>
        `${kind} ${id}: ${field} is ${JSON.stringify(legacy)} on the older wire and ${
          JSON.stringify(unified)
        } on the unified one`
      );
      const more = differences.length - shown.length;
      if (more > 0) shown.push(`${spec.kind}: ${more} more differences. compareWires() lists them all`);
      for (const line of shown) scope.transport.warn(line, { once: true });
    },
  };
}
