import { ConfigurationError } from "../../../errors.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields, ResourceWire } from "../model/resource_wire.ts";

/** Ends a write whose request was recorded in place of being sent. */
class Recorded extends Error {
  readonly item: Fields;

  constructor(item: Fields) {
    super("The request was recorded");
    this.item = item;
  }
}

/**
 * An item as the request that a wire makes of it says it: the body is made, and read back in place of being sent. What the
 * wire has to read first is read.
 *
 * @returns `undefined` for an item that the wire would not send, or whose request cannot be read back.
 */
export async function decodedWrite(
  { spec: { idField }, wire, scope, op, signal }: {
    spec: Pick<ResourceSpec, "idField">;
    wire: ResourceWire;
    scope: ProfileScope;
    op: "create" | "update" | "archive";
    signal?: AbortSignal | undefined;
  },
  item: Fields,
): Promise<Fields | undefined> {
  const recording: ProfileScope = Object.create(scope, {
    request: {
      value: async (...[method, path, options = {}]: Parameters<ProfileScope["request"]>) => {
        const { json, headers } = options;
        const write = wire.readWrite?.({ method, path, json, headers }, scope);
        const [only] = write?.items ?? [];
        if (only !== undefined) {
          const sent = { method, path, json, headers, sender: scope.profileId, signal };
          await scope.limit?.check({
            ...sent,
            scope: options.scoped === false ? undefined : scope.profileId,
          });
          throw new Recorded(only);
        }
        if (method !== "GET" && options.idempotent !== true) {
          throw new Error("The request cannot be read back");
        }
        return await scope.request(method, path, options);
      },
    },
  });
  try {
    if (op === "archive") await wire.archive?.(recording, [String(item[idField])], { signal });
    else await wire[op](recording, [item], { signal });
  } catch (error) {
    if (error instanceof Recorded) return error.item;
    if (error instanceof ConfigurationError) throw error;
    signal?.throwIfAborted();
  }
  return undefined;
}
