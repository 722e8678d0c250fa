import { requiredId } from "../../../base/json/id_of.ts";
import { ConfigurationError } from "../../../errors.ts";
import { chunks } from "../../../base/lists/chunks.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields, ResourceWire } from "../model/resource_wire.ts";

class Recorded extends Error {}

interface DecodeParts {
  readonly spec: Pick<ResourceSpec, "idField" | "createGroup">;
  readonly wire: ResourceWire;
  readonly scope: ProfileScope;
  readonly op: "create" | "update" | "archive";
  readonly signal?: AbortSignal | undefined;
}

/**
 * Encodes items and decodes the recorded requests. Nothing is written, but any reads that the wire needs are sent.
 *
 * @returns `undefined` for items that would not be sent or cannot be decoded.
 */
export async function decodedWrites(
  parts: DecodeParts,
  items: readonly Fields[],
): Promise<(Fields | undefined)[]> {
  const { spec: { createGroup, idField }, wire, op } = parts;
  const found: (Fields | undefined)[] = [];
  const limit = op === "create" && createGroup !== undefined ? 1 : wire.writeLimits[op];
  for (const part of chunks(items, limit)) {
    const isSplit = op === "update" && part.some((item) => (wire.splits?.(item).length ?? 1) > 1);
    const together = part.length > 1 && !isSplit ? await decoded(parts, part) : undefined;
    // Items that a wire leaves out of a request, or sends in one of their own, are made one by one.
    const isWhole = together?.length === part.length &&
      (op !== "update" || together.every((one, at) => one[idField] === part[at]?.[idField]));
    if (isWhole) found.push(...together);
    else for (const item of part) found.push(await decodedAlone(parts, item));
  }
  return found;
}

async function decodedAlone(parts: DecodeParts, item: Fields): Promise<Fields | undefined> {
  const split = parts.op === "update" ? parts.wire.splits?.(item) ?? [item] : [item];
  const bodies: (Fields | undefined)[] = [];
  for (const one of split) bodies.push((await decoded(parts, [one]))?.[0]);
  return bodies.includes(undefined) ? undefined : Object.assign({}, ...bodies);
}

async function decoded(
  { spec: { idField }, wire, scope, op, signal }: DecodeParts,
  items: readonly Fields[],
): Promise<readonly Fields[] | undefined> {
  // A wire may take what ends its request for a failure of it.
  let recorded: readonly Fields[] | undefined;
  const recording: ProfileScope = Object.create(scope, {
    request: {
      value: async (...[method, path, options = {}]: Parameters<ProfileScope["request"]>) => {
        const { json, headers } = options;
        const write = wire.readWrite?.({ method, path, json, headers }, scope);
        if (write !== undefined && write.items.length > 0) {
          const sent = { method, path, json, headers, sender: scope.profileId, signal };
          await scope.limit?.check({
            ...sent,
            scope: options.scoped === false ? undefined : scope.profileId,
          });
          recorded ??= write.items;
          throw new Recorded();
        }
        if (method !== "GET" && options.idempotent !== true) {
          throw new Error("The request cannot be read back");
        }
        return await scope.request(method, path, options);
      },
    },
  });
  try {
    if (op === "archive") {
      await wire.archive?.(recording, items.map((item) => requiredId(item, idField)), { signal });
    } else await wire[op](recording, items, { signal });
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    signal?.throwIfAborted();
  }
  return recorded;
}
