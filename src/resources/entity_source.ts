import type { ListOptions } from "./list_options.ts";
import type { ResourceSpec } from "./resource_spec.ts";
import type { Fields } from "./wire/resource_wire.ts";

/** Where plans and comparisons read entities of one kind: a resource, seen without what it writes. */
export interface EntitySource {
  /** What distinguishes the kind. */
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
