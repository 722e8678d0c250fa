import { idOf, requiredId } from "../../../base/json/id_of.ts";
import type { BatchError } from "../../../platform/batch/batch_error.ts";
import { BatchResult } from "../../../platform/batch/batch_result.ts";
import { failure } from "../../../platform/batch/item_error.ts";
import { PlatformAdsError } from "../../../errors.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields, ListQuery, ResourceWire, SendOptions } from "../model/resource_wire.ts";
import { refusingWire } from "./not_on_wire.ts";
import { plainNumbers } from "./wire_differences.ts";

const SAMPLE = 100;

/**
 * Compares a sample of target ids on both wires before the first unified write, because it is not documented that the
 * ids are the same. A wrong id would change another target.
 *
 * @throws {PlatformAdsError} naming the first mismatch; nothing is sent.
 */
export async function proveIds(
  spec: ResourceSpec,
  scope: ProfileScope,
  { ids, signal }: { ids: readonly string[]; signal?: AbortSignal | undefined },
): Promise<void> {
  const { kind, unified, idField, noun } = spec;
  if (unified?.sharesIds !== true || scope.provenIds?.has(kind)) return;
  const query = { ids: [...new Set(ids)].slice(0, SAMPLE), states: null, signal };
  if (query.ids.length === 0) return;
  const [oldWire, newWire] = await Promise.all([spec.wire.load(), unified.load()]);
  const [older, newer] = [await readAll(oldWire, scope, query), await readAll(newWire, scope, query)];
  const byId = new Map(newer.map((entity) => [idOf(entity, idField), entity]));
  const known = new Set(older.map((entity) => idOf(entity, idField)));
  for (const entity of older) {
    const id = idOf(entity, idField);
    if (id === undefined) continue;
    const other = byId.get(id);
    if (other !== undefined && contentOf(spec, other) === contentOf(spec, entity)) continue;
    const there = other === undefined ? "is not there" : `is ${spec.label(other)}`;
    throw new PlatformAdsError(
      `Cannot write ${spec.plural} by the unified family: ${noun} ${id} is ${
        spec.label(entity)
      } in the older one and ` +
        `${there} in the unified one, so their ids differ. ${ADVICE}`,
    );
  }
  const foreign = [...byId.keys()].find((id) => !known.has(id));
  if (foreign !== undefined) {
    throw new PlatformAdsError(
      `Cannot write ${spec.plural} by the unified family: it has ${noun} ${foreign}, which the older one lacks, so their ` +
        `ids differ. ${ADVICE}`,
    );
  }
  if (older.length > 0) scope.provenIds?.add(kind);
}

const ADVICE =
  'Use wireIds: "mapped" (PLATFORM_ADS_WIRE_IDS=mapped), which reads by the older family and finds each ' +
  "target of the unified one by its content, or the legacy wire for this kind";

/**
 * Creates a wire that reads with the older family's ids and finds unified targets by content for writes. Missing or
 * ambiguous targets are not sent.
 */
export function mappedWire(spec: ResourceSpec, wire: ResourceWire, unified: ResourceWire): ResourceWire {
  const { idField, noun } = spec;

  async function send(
    scope: ProfileScope,
    ids: readonly string[],
    { options, write }: {
      options: SendOptions;
      write: (ids: readonly string[], places: readonly number[]) => Promise<BatchResult<Fields>>;
    },
  ): Promise<BatchResult<Fields>> {
    const older = await readAll(wire, scope, {
      ids: [...new Set(ids)],
      states: null,
      signal: options.signal,
    });
    const byId = new Map(older.map((entity) => [idOf(entity, idField), entity]));
    const there = await contents(unified, scope, older, options.signal);
    const open: BatchError<Fields>[] = [];
    const places: number[] = [];
    const found: string[] = [];
    for (const [index, id] of ids.entries()) {
      const entity = byId.get(id);
      const matches = entity === undefined ? [] : there.get(contentOf(spec, entity)) ?? [];
      if (matches.length === 1) {
        places.push(index);
        found.push(matches[0]!);
        continue;
      }
      const message = entity === undefined
        ? `Never sent: the account has no ${noun} ${id}`
        : `Never sent: the unified family has ${matches.length} entities like ${noun} ${id}`;
      const what = { errorType: "entityNotFoundError", code: "NOT_FOUND", message };
      open.push(failure({ index, item: { [idField]: id }, outcome: "not_sent" }, what));
    }
    if (found.length === 0) return new BatchResult([], open);
    const result = await write(found, places);
    return new BatchResult(
      result.successes.map((one) => ({
        ...one,
        index: places[one.index]!,
        id: ids[places[one.index]!],
        entity: undefined,
      })),
      [...open, ...result.errors.map((one) => ({ ...one, index: places[one.index]! }))].sort((a, b) =>
        a.index - b.index
      ),
    );
  }

  async function contents(
    from: ResourceWire,
    scope: ProfileScope,
    entities: readonly Fields[],
    signal: AbortSignal | undefined,
  ): Promise<Map<string, string[]>> {
    const parent = entities.some((entity) => typeof entity["adGroupId"] === "string")
      ? "adGroupId"
      : "campaignId";
    const parents = [...new Set(entities.flatMap((entity) => entity[parent] ?? []))].map(String);
    const found = new Map<string, string[]>();
    if (parents.length === 0) return found;
    const query = { [`${parent}s`]: parents, states: null, signal } as ListQuery;
    const live = await readAll(from, scope, query);
    for (const entity of live) {
      const id = idOf(entity, idField);
      if (id === undefined) continue;
      const key = contentOf(spec, entity);
      found.set(key, [...found.get(key) ?? [], id]);
    }
    return found;
  }

  const mapped: ResourceWire = {
    ...unified,
    encoding: unified,
    pages: wire.pages,
    listSizes: wire.listSizes,
    create: async (scope, items, options) => {
      const result = await unified.create(scope, items, options);
      const made = result.successes.map(({ index }) => items[index]!);
      const ids = await contents(wire, scope, made, options.signal);
      const idOf = (item: Fields): string | undefined => {
        const matches = ids.get(contentOf(spec, item)) ?? [];
        return matches.length === 1 ? matches[0] : undefined;
      };
      const successes = result.successes.map((one) => ({
        ...one,
        id: idOf(items[one.index]!),
        entity: undefined,
      }));
      return new BatchResult(successes, [...result.errors], result.stoppedBy);
    },
    update: (scope, items, options) =>
      send(scope, items.map((item) => requiredId(item, idField)), {
        options,
        write: async (ids, places) => {
          const result = await unified.update(
            scope,
            ids.map((id, at) => ({ ...items[places[at]!], [idField]: id })),
            options,
          );
          return new BatchResult(
            result.successes.map((one) => ({ ...one, item: items[places[one.index]!] })),
            result.errors.map((one) => ({ ...one, item: items[places[one.index]!] })),
          );
        },
      }),
    archive: (scope, ids, options) =>
      send(scope, ids, {
        options,
        write: async (found, places) => {
          const result = await unified.archive!(scope, found, options);
          const itemAt = (index: number): Fields => ({ [idField]: ids[places[index]!] });
          return new BatchResult(
            result.successes.map((one) => ({ ...one, item: itemAt(one.index) })),
            result.errors.map((one) => ({ ...one, item: itemAt(one.index) })),
          );
        },
      }),
  };
  // What cannot be read back is not written either.
  return wire.problems === undefined ? mapped : refusingWire(mapped, wire.problems);
}

function contentOf({ identity }: ResourceSpec, entity: Fields): string {
  const plain = Object.fromEntries(
    Object.entries(entity).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map((part) => ({ ...fieldsOf(part), value: plainNumbers(fieldsOf(part)["value"]) }))
        : value,
    ]),
  );
  return identity!(plain);
}

async function readAll(wire: ResourceWire, scope: ProfileScope, query: ListQuery): Promise<Fields[]> {
  const found: Fields[] = [];
  for await (const page of wire.pages(scope, query)) found.push(...page);
  return found;
}
