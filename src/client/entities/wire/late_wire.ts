import { loadedOnce } from "../../../base/json/kept_or.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields, LateWire, ResourceWire, WireFacts } from "../model/resource_wire.ts";
import type { FlatWireOptions } from "./flat_wire.ts";
import type { JsonWireOptions } from "./json_wire.ts";

type Facts = Omit<WireFacts, "name">;

/** Fields that the older wire lacks. */
interface Lacking {
  /**
   * False for kinds that have tags only in the unified family.
   *
   * @default true
   */
  readonly hasTags?: boolean;
}

/** Facts about wires of targets of the unified family, whose kinds draw their ids from one sequence. */
export const SHARED_IDS: Facts = { sharesIds: true };

const WITHOUT_TAGS: Facts = { lost: () => ["tags"] };

/** Creates a wire of the older family whose code is loaded on first use. */
export function lateOlder(load: () => Promise<ResourceWire>, facts: Facts & Lacking = {}): LateWire {
  const { hasTags = true, ...others } = facts;
  if (hasTags) return lateWire("legacy", load, others);
  return lateWire("legacy", async () => {
    const [{ withoutTags }, wire] = await Promise.all([import("./not_on_wire.ts"), load()]);
    return withoutTags(wire);
  }, { ...others, ...WITHOUT_TAGS });
}

/** Creates a wire of the unified family, by its name in the module that has it. */
export function lateUnified<Name extends string>(
  load: () => Promise<Readonly<Record<Name, ResourceWire>>>,
  name: Name,
  facts: Facts = {},
): LateWire {
  return lateWire("unified", async () => (await load())[name], facts);
}

/** Creates an older wire with POST lists. */
export function lateJson({ hasTags, ...options }: JsonWireOptions & Lacking): LateWire {
  const { archivable } = options;
  return lateOlder(
    async () => (await import("./json_wire.ts")).jsonWire(options),
    { ...hasTags === undefined ? {} : { hasTags }, ...archivable === undefined ? {} : { archivable } },
  );
}

/** Creates an older wire with GET lists and integer ids. */
export function lateFlat({ hasTags, ...options }: FlatWireOptions & Lacking): LateWire {
  return lateOlder(
    async () => (await import("./flat_wire.ts")).flatWire(options),
    hasTags === undefined ? {} : { hasTags },
  );
}

function lateWire(name: WireFacts["name"], load: () => Promise<ResourceWire>, facts: Facts): LateWire {
  return { name, ...facts, load: loadedOnce(load) };
}

export function lostOnEither({ wire, unified }: ResourceSpec, entity: Fields): readonly string[] {
  return [...wire.lost?.(entity) ?? [], ...unified?.lost?.(entity) ?? []];
}
