import type { ListOptions } from "./list_options.ts";
import type { ResourceSpec } from "./resource_spec.ts";
import type { Fields } from "./wire/resource_wire.ts";

/** Reads entities of one kind for plans and comparisons: a resource without its writes. */
export interface EntitySource {
  /** Description of the kind. */
  readonly spec: ResourceSpec;
  /** Profile the entities belong to. */
  readonly profile: { profileId: string; countryCode: string };
  /** Entities in any state by id; ids that the profile does not have are absent. */
  getMany(
    ids: readonly string[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<ReadonlyMap<string, Fields>>;
  /** Every match. */
  list(options?: ListOptions): Promise<Fields[]>;
}
