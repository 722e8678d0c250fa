import { requiredId } from "../../../base/json/id_of.ts";
import { isObject } from "../../../base/json/fields_of.ts";
import type { BatchError } from "../../../platform/batch/batch_error.ts";
import { failure } from "../../../platform/batch/item_error.ts";
import { mergeFields } from "../../../plans/state/merge_fields.ts";
import { withoutComputed } from "../model/check_items.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import { needsWhole, type WireName } from "../wire/object_fields.ts";
import type { Fields, ResourceWire } from "../model/resource_wire.ts";

interface CompletedUpdates {
  readonly whole: readonly Fields[];
  readonly unsendable: BatchError<Fields>[];
}

export async function completeUpdates(
  spec: ResourceSpec,
  updates: readonly Fields[],
  account: {
    readonly getMany: (ids: readonly string[]) => Promise<ReadonlyMap<string, Fields>>;
    readonly repeats?: ResourceWire["repeats"];
    readonly wire: WireName;
    readonly judged?: ReadonlySet<number> | undefined;
  },
): Promise<CompletedUpdates> {
  const { repeats } = account;
  const repeatedBy = (update: Fields): readonly string[] =>
    repeats === undefined ? spec.repeated ?? [] : Object.keys(repeats(update));
  const wholeIn = (update: Fields): readonly string[] =>
    Object.keys(update).filter((field) =>
      update[field] !== undefined &&
      (spec.whole?.includes(field) ||
        needsWhole(spec.kind, field, account.wire) && lacksParts(spec, field, update[field]))
    );
  const isWhole = (update: Fields): boolean =>
    wholeIn(update).length === 0 && repeatedBy(update).every((field) => update[field] !== undefined);
  const partial = updates.filter((update) => !isWhole(update));
  if (partial.length === 0) return { whole: updates, unsendable: [] };

  const found = await account.getMany(partial.map((update) => requiredId(update, spec.idField)));
  const unsendable: BatchError<Fields>[] = [];
  const whole = updates.map((update, index) => {
    if (isWhole(update)) return update;
    const id = requiredId(update, spec.idField);
    const entity = found.get(id);
    const place = { index, item: update, outcome: "not_sent" as const };
    if (entity === undefined) {
      const message = `Never sent: the account has no ${spec.noun} ${id}`;
      unsendable.push(
        failure(place, { errorType: "entityNotFoundError", code: "NOT_FOUND", message }),
      );
      return update;
    }
    const why = spec.refuses?.(update, entity);
    if (why !== undefined) {
      unsendable.push(failure(place, { code: "ACTION_NOT_SUPPORTED", message: `Never sent: ${why}` }));
      return update;
    }
    const parents = Object.fromEntries(
      repeatedBy(update).map((field) => [field, update[field] ?? entity[field]]),
    );
    if (account.judged?.has(index)) return { ...update, ...parents };
    const now = withoutComputed(spec, entity);
    const parts = Object.fromEntries(
      wholeIn(update).map((field) => [field, mergeFields(now[field], update[field])]),
    );
    return { ...update, ...parents, ...parts };
  });
  return { whole, unsendable };
}

function lacksParts(spec: ResourceSpec, field: string, value: unknown): boolean {
  if (!isObject(value)) return false;
  const computed = spec.computed?.[field] ?? [];
  const parts = [...spec.columns, ...spec.moreFields ?? []].flatMap((path) =>
    path.startsWith(`${field}.`) ? [path.slice(field.length + 1)] : []
  );
  return parts.length === 0 || parts.some((part) => !computed.includes(part) && !(part in value));
}
