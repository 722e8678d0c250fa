import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields, ListQuery, ResourceWire } from "../model/resource_wire.ts";
import { wireDifferences } from "./wire_differences.ts";
import { mappedWire } from "./target_ids.ts";

/** Returns the wire for a kind. Kinds that exist on only one wire always use that one. */
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

export function lostFields(spec: ResourceSpec, scope: ProfileScope, entity: Fields): readonly string[] {
  return wireOf(spec, scope).lost?.(entity) ?? [];
}

export function requiredAnywhere({ required, unified }: ResourceSpec): readonly string[] {
  const lost = unified?.lost?.({}) ?? [];
  return required.filter((field) => !lost.includes(field));
}

export function requiredOf(spec: ResourceSpec, scope: ProfileScope): readonly string[] {
  const lost = lostFields(spec, scope, {});
  return spec.required.filter((field) => !lost.includes(field));
}

const MAX_SHOWN = 5;

/**
 * Creates a wire that also reads lists on the unified wire and reports differences as warnings. Results and writes use
 * the older wire.
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
