import type { ProfileScope } from "../../transport/profile_scope.ts";
import type { ResourceSpec } from "../resource_spec.ts";
import { comparingWire } from "./comparing_wire.ts";
import { mappedWire } from "./unified/target_ids.ts";
import type { ResourceWire } from "./resource_wire.ts";

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

/** Fields that a new entity must have on the wire of a profile: those of the kind which that wire has. */
export function requiredOf(spec: ResourceSpec, scope: ProfileScope): readonly string[] {
  const lost = wireOf(spec, scope).lost?.({}) ?? [];
  return spec.required.filter((field) => !lost.includes(field));
}
