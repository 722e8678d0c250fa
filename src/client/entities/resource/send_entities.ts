import { requiredId } from "../../../base/json/id_of.ts";
import type { WriteOptions } from "../../../plans/model/plan_target.ts";
import type { BatchError } from "../../../platform/batch/batch_error.ts";
import { BatchResult } from "../../../platform/batch/batch_result.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields, LateWire, ResourceWire } from "../model/resource_wire.ts";
import { proveIds } from "../wire/target_ids.ts";
import { prepareUpdates } from "../model/check_items.ts";
import { completeUpdates } from "./complete_updates.ts";
import { type EntitySource, findEqual } from "./find_equal.ts";
import { sendOnce } from "./send_once.ts";
import { writeBatch, type WriteBatchOptions } from "./write_batch.ts";

/** A kind in a profile, with its wire and a way to read what is in the account. */
export interface EntitySender {
  readonly spec: ResourceSpec;
  readonly scope: ProfileScope;
  readonly wire: LateWire;
  /** Reads what is in the account. */
  readonly source: EntitySource;
}

/** @param items Prepared items. */
export async function sendCreates(
  sender: EntitySender,
  items: readonly Fields[],
  options: WriteOptions,
): Promise<BatchResult> {
  return await write(sender, await sender.wire.load(), { op: "create", items, options });
}

/** @param items Prepared items, which have ids. */
export async function sendUpdates(
  sender: EntitySender,
  items: readonly Fields[],
  options: WriteOptions,
): Promise<BatchResult> {
  const { spec, source } = sender;
  const wire = await sender.wire.load();
  const { whole, unsendable } = await completeUpdates(spec, items, {
    repeats: wire.repeats,
    wire: sender.wire.name,
    judged: options.whole,
    getMany: (ids) => source.getMany(ids, options),
  });
  await proved(sender, items.map((item) => requiredId(item, spec.idField)), options.signal);
  return await write(sender, wire, { op: "update", items: whole, options: { ...options, unsendable } });
}

/** Sets one state on all entities. */
export async function sendState(
  sender: EntitySender,
  { ids, state }: { readonly ids: readonly string[]; readonly state: string },
  options: WriteOptions,
): Promise<BatchResult> {
  const { spec } = sender;
  return await sendOnce(ids, options, async (unique, watched) => {
    const items = prepareUpdates(spec, unique.map((id) => ({ [spec.idField]: id, state })));
    return await sendUpdates(sender, items, watched);
  });
}

/** Archives entities of a kind that can be archived. */
export async function sendArchives(
  sender: EntitySender,
  ids: readonly string[],
  options: WriteOptions,
): Promise<BatchResult> {
  const { scope } = sender;
  const { signal } = options;
  const wire = await sender.wire.load();
  await proved(sender, ids, signal);
  return await sendOnce(ids, options, (unique, watched) =>
    batch(sender, unique, {
      ...watched,
      limit: wire.writeLimits.archive,
      send: (part, watch) => wire.archive!(scope, part, { signal, ...watch }),
      resendInternalErrors: true,
    }));
}

async function proved(
  { spec, scope, wire }: EntitySender,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (wire === spec.unified) await proveIds(spec, scope, { ids, signal });
}

async function write(
  sender: EntitySender,
  wire: ResourceWire,
  { op, items, options }: {
    op: "create" | "update";
    items: readonly Fields[];
    options: WriteOptions & { readonly unsendable?: readonly BatchError<Fields>[] };
  },
): Promise<BatchResult> {
  const { spec: { repeatable, createGroup }, scope, source } = sender;
  const { signal } = options;
  const lookFirst = repeatable === true && op === "create";
  return await batch(sender, items, {
    ...options,
    limit: wire.writeLimits[op],
    groupOf: op === "create" && sender.wire.name !== "unified" ? createGroup : undefined,
    send: (part, watch) => wire[op](scope, part, { signal, ...watch, retryThrottled: !lookFirst }),
    resendInternalErrors: op === "update",
    ...(lookFirst ? { findEqual: (part) => findEqual(source, part, { signal }) } : {}),
  });
}

async function batch<Item>(
  { scope: { transport } }: EntitySender,
  items: readonly Item[],
  options: Omit<WriteBatchOptions<Item>, "transport">,
): Promise<BatchResult> {
  return items.length === 0 ? new BatchResult([], []) : await writeBatch(items, { ...options, transport });
}
