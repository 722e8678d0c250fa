import type { ProfileScope } from "../transport/profile_scope.ts";
import type { ResourceSpec } from "./resource_spec.ts";

/** A kind of entity: everything that the library knows of it. */
export interface Kind<Resource> extends ResourceSpec {
  /** Makes the resource of this kind for a profile. */
  readonly create: (scope: ProfileScope) => Resource;
}
