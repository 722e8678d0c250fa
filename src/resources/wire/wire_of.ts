import type { ProfileScope } from "../../transport/profile_scope.ts";
import type { ResourceSpec } from "../resource_spec.ts";
import { comparingWire } from "./comparing_wire.ts";
import { mappedWire } from "./unified/target_ids.ts";
import type { Fields, ResourceWire } from "./resource_wire.ts";

/** The wire that a profile's requests about a kind take. What the unified family lacks stays on the older one. */
export function wireOf(spec: ResourceSpec, scope: ProfileScope): ResourceWire {
  const name = scope.wireOf?.(spec.kind) ?? "legacy";
  if (name === "legacy") return spec.wire;
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
