import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields, LateWire } from "../model/resource_wire.ts";
import { lostOnEither } from "./late_wire.ts";

/** Returns the wire for a kind. Kinds that exist on only one wire always use that one. */
export function wireOf(spec: ResourceSpec, scope: ProfileScope): LateWire {
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
  if (name === "compare") return comparing(spec, unified);
  return scope.wireIds === "mapped" && unified.sharesIds ? mapped(spec, unified) : unified;
}

function comparing(spec: ResourceSpec, unified: LateWire): LateWire {
  return {
    ...spec.wire,
    load: async () => {
      const [{ comparingWire }, wire, other] = await Promise.all([
        import("./comparing_wire.ts"),
        spec.wire.load(),
        unified.load(),
      ]);
      return comparingWire(spec, wire, other);
    },
  };
}

function mapped(spec: ResourceSpec, unified: LateWire): LateWire {
  return {
    ...unified,
    lost: (entity) => lostOnEither(spec, entity),
    load: async () => {
      const [{ mappedWire }, wire, other] = await Promise.all([
        import("./target_ids.ts"),
        spec.wire.load(),
        unified.load(),
      ]);
      return mappedWire(spec, wire, other);
    },
  };
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
