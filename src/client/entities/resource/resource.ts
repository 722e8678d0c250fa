import { inPredicateOrder } from "../model/targeting_text.ts";
import { idOf } from "../../../base/json/id_of.ts";
import { withArticle } from "../../../platform/catalog/kind_names.ts";
import type { HeldElsewhere } from "../../../plans/model/experiment.ts";
import type { PlanReview, ReviewOptions } from "../../../plans/review/review_plan.ts";
import type { JudgeablePlan } from "../../../plans/model/write_policy.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import { BatchResult } from "../../../platform/batch/batch_result.ts";
import { UnsupportedOperationError } from "../../../errors.ts";
import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import type { ChangePlanFields } from "../../../plans/model/plan_data.ts";
import type { EncodedItem, WriteOptions } from "../../../plans/model/plan_target.ts";
import {
  checkIds,
  ignoredFields,
  prepareCreates,
  prepareUpdates,
  stateOnWire,
  withoutComputed,
} from "../model/check_items.ts";
import type { FindEqualOptions } from "./find_equal.ts";
import { withoutFields } from "../../../base/json/fields_of.ts";
import type { encodeItems } from "./encode_items.ts";
import type { ListOptions } from "../model/list_options.ts";
import { listQuery } from "./list_query.ts";
import type { OpenEnum } from "../model/entity_fields.ts";
import type { PlanOptions, PlanPlace } from "./plan_writes.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields, LateWire } from "../model/resource_wire.ts";
import { lostFields, wireOf } from "../wire/wire_of.ts";
import type { EntitySender } from "./send_entities.ts";

type PlanWrites = typeof import("./plan_writes.ts");

/** Options of a read request. */
export interface ReadOptions {
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Entities of one kind in one profile: the same interface for every kind. `New` is the input of a create, `Update` of
 * an update. Both accept camelCase and snake_case names and pass on unknown fields.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function lowerAll(us: ProfileClient): Promise<void> {
 *   const items: { keywordId: string; bid: number }[] = [];
 *   for await (const { keywordId, bid } of us.sp.keywords.iter({ states: ["ENABLED"] })) {
 *     if (bid !== undefined && bid > 1) items.push({ keywordId, bid: 1 });
 *   }
 *   const plan = await us.sp.keywords.planUpdate(items, { note: "At most 1.00" }); // nothing is sent
 *   console.log(plan.toMarkdown());
 *   const result = await us.sp.keywords.update(items); // sent at once
 *   for (const { item, code, hint } of result.errors) console.log(item, code, hint);
 * }
 * ```
 */
export class Resource<
  Entity extends Record<string, unknown> = Record<string, unknown>,
  New extends object = object,
  Update extends object = object,
> {
  /**
   * Description of this kind.
   *
   * @internal
   */
  readonly spec: ResourceSpec;
  /**
   * The profile, and how requests are sent for it.
   *
   * @internal
   */
  protected readonly scope: ResourceScope;

  /**
   * Called by `ProfileClient`; not meant to be called directly.
   *
   * @internal
   */
  constructor(scope: ResourceScope, spec: ResourceSpec) {
    this.scope = scope;
    this.spec = spec;
  }

  /** Kind as written in plans, for example `sp.ad_groups`. */
  get kind(): string {
    return this.spec.kind;
  }

  /** Name of the id field, for example `adGroupId`. */
  get idField(): string {
    return this.spec.idField;
  }

  get #wire(): LateWire {
    return wireOf(this.spec, this.scope);
  }

  /** False when the platform has no way to archive this kind. */
  get archivable(): boolean {
    return this.#wire.archivable !== false;
  }

  /** Fields that an update may clear with `null`. */
  get clearable(): readonly string[] {
    return this.spec.clearable ?? [];
  }

  /**
   * Key that no two live entities may share; `undefined` if the kind has no such key.
   *
   * @internal
   */
  identity(entity: Fields): string | undefined {
    return this.spec.identity?.(entity);
  }

  /**
   * Returns entities in any state that may be identical to the given items.
   *
   * @internal
   */
  async candidates(items: readonly Fields[], options: ReadOptions = {}): Promise<Fields[]> {
    const { candidatesFor } = await import("./find_equal.ts");
    return await candidatesFor(this, items, { signal: options.signal, inAnyCase: true });
  }

  /** Iterates over all matches, fetching pages on demand. */
  async *iter(options: ListOptions = {}): AsyncGenerator<Entity, void, undefined> {
    for await (const page of this.#pages(options)) for (const entity of page) yield entity;
  }

  /** Returns every match as a list. */
  async list(options: ListOptions = {}): Promise<Entity[]> {
    const found: Entity[] = [];
    for await (const page of this.#pages(options, { ahead: true })) {
      for (const entity of page) found.push(entity);
    }
    return found;
  }

  /** Returns one entity in any state; `undefined` if the profile has none with this id. */
  async get(id: string, options: ReadOptions = {}): Promise<Entity | undefined> {
    return (await this.getMany([id], options)).get(id);
  }

  /** Returns entities in any state by id; ids that the profile does not have are absent. */
  async getMany(ids: readonly string[], options: ReadOptions = {}): Promise<Map<string, Entity>> {
    const wanted = checkIds(this.spec, ids);
    const found = new Map<string, Entity>();
    if (wanted.length === 0) return found;
    const query = { ids: wanted, states: null, signal: options.signal, ahead: true };
    const wire = await this.#wire.load();
    for await (const page of wire.pages(this.scope, query)) {
      for (const entity of page as Entity[]) {
        const id = idOf(entity, this.idField);
        if (id !== undefined) found.set(id, inPredicateOrder(entity));
      }
    }
    return found;
  }

  /**
   * Encodes items as requests and returns them as read back from the bodies. Sends nothing.
   *
   * @internal
   */
  async encode(
    op: "create" | "update" | "archive",
    items: readonly Fields[],
    options: Pick<Parameters<typeof encodeItems>[1], "getMany" | "signal">,
  ): Promise<EncodedItem[]> {
    const late = this.#wire;
    const [{ encodeItems }, wire] = await Promise.all([import("./encode_items.ts"), late.load()]);
    const parts = {
      spec: this.spec,
      wire: wire.encoding ?? wire,
      wireName: late.name,
      scope: this.scope,
      op,
    };
    return await encodeItems(items, { ...options, ...parts });
  }

  /**
   * Creates entities. The result has a verdict for each; a refused item never throws.
   *
   * @throws {TypeError} when an item is malformed. Nothing was sent.
   */
  async create(items: readonly New[], options: WriteOptions = {}): Promise<BatchResult> {
    const ready = prepareCreates(this.spec, items);
    const { sendCreates } = await sending();
    return await sendCreates(this.#sender, ready, options);
  }

  /**
   * Updates entities: each item has the id and the fields to change. Fields that cannot be updated are left out and
   * listed in `ignored` of the result.
   *
   * @throws {TypeError} when an item is malformed, lacks its id or has nothing to change. Nothing was sent.
   */
  async update(items: readonly Update[], options: WriteOptions = {}): Promise<BatchResult> {
    const ready = prepareUpdates(this.spec, items);
    const ignored = new Set(items.flatMap((item) => ignoredFields(this.spec, item)));
    const { sendUpdates } = await sending();
    const result = await sendUpdates(this.#sender, ready, options);
    if (ignored.size === 0) return result;
    return new BatchResult(result.successes, result.errors, result.stoppedBy, [...ignored]);
  }

  /**
   * Archives entities, which is permanent.
   *
   * @throws {UnsupportedOperationError} for a kind that the platform cannot archive. Nothing was sent.
   */
  async delete(ids: readonly string[], options: WriteOptions = {}): Promise<BatchResult> {
    if (!this.archivable) {
      throw new UnsupportedOperationError(
        `Cannot archive ${withArticle(this.spec.noun)}: the platform has no operation for it`,
      );
    }
    checkIds(this.spec, ids);
    const given = [...ids];
    const { sendArchives } = await sending();
    return await sendArchives(this.#sender, given, options);
  }

  /**
   * Sets the state of entities to `ENABLED` or `PAUSED`, in either case.
   *
   * @throws {TypeError} for a state that cannot be set; archiving is `delete`. Nothing was sent.
   */
  async setState(
    ids: readonly string[],
    state: OpenEnum<"ENABLED" | "PAUSED">,
    options: WriteOptions = {},
  ): Promise<BatchResult> {
    const wireState = stateOnWire(this.spec, state);
    checkIds(this.spec, ids);
    const given = [...ids];
    const { sendState } = await sending();
    return await sendState(this.#sender, { ids: given, state: wireState }, options);
  }

  /** Pauses entities. */
  pause(ids: readonly string[], options: WriteOptions = {}): Promise<BatchResult> {
    return this.setState(ids, "PAUSED", options);
  }

  /** Enables entities. */
  enable(ids: readonly string[], options: WriteOptions = {}): Promise<BatchResult> {
    return this.setState(ids, "ENABLED", options);
  }

  /**
   * Plans updates without sending them: reads the entities, leaves out items that already match, and keeps the parts
   * of object-valued fields that the update omits. Ids that the platform does not return are in `plan.missing`.
   */
  planUpdate(items: readonly Update[], options: PlanOptions = {}): Promise<ChangePlan> {
    return this.#reviewed(({ planUpdate }, place) => planUpdate(this, items, place), options);
  }

  /** Plans creates without sending them; undoing the applied plan archives the created entities. */
  planCreate(items: readonly New[], options: PlanOptions = {}): Promise<ChangePlan> {
    return this.#reviewed(({ planCreate }, place) => planCreate(this, items, place), options);
  }

  /** Plans archives without sending them. Archiving cannot be undone; the plan warns about it. */
  planArchive(ids: readonly string[], options: PlanOptions = {}): Promise<ChangePlan> {
    return this.#reviewed(({ planArchive }, place) => planArchive(this, ids, place), options);
  }

  /**
   * Returns the fields of an entity that plans compare, without fields that the platform computes or that the entity's
   * wire does not return.
   */
  comparable(entity: Record<string, unknown>): Record<string, unknown> {
    return withoutFields(withoutComputed(this.spec, entity), lostFields(this.spec, this.scope, entity));
  }

  /** Display name of an entity, as shown in plans. */
  labelOf(entity: Record<string, unknown>): string {
    return this.spec.label(entity);
  }

  /** Finds ids of existing entities that equal each new item, to resolve creates that a crash left unresolved. */
  async findEqual(
    items: readonly Record<string, unknown>[],
    options: FindEqualOptions = {},
  ): Promise<string[][]> {
    const { findEqual } = await import("./find_equal.ts");
    return await findEqual(this, items, options);
  }

  /** Profile that the entities belong to; used by plans. */
  get profile(): { profileId: string; countryCode: string } {
    return { profileId: this.scope.profileId, countryCode: this.scope.countryCode };
  }

  async #reviewed(
    make: (writes: PlanWrites, options: PlanOptions & PlanPlace) => Promise<ChangePlanFields>,
    options: PlanOptions,
  ): Promise<ChangePlan> {
    // Planning is loaded with the first plan.
    const [writes, { AccountReading }, { reviewed }] = await Promise.all([
      import("./plan_writes.ts"),
      import("../../../plans/state/account_reading.ts"),
      import("../../../plans/change_plan/reviewed.ts"),
    ]);
    const { check, account = new AccountReading(), more } = options;
    const asked = writes.planning(options);
    const fields = writes.withMore(await make(writes, { ...options, account, scope: this.scope }), more);
    return await reviewed(fields, check === false ? {} : this.scope, { ...asked, account });
  }

  async *#pages(
    options: ListOptions,
    { ahead = false }: { ahead?: boolean } = {},
  ): AsyncGenerator<Entity[], void, undefined> {
    const query = listQuery(this.spec, options);
    if (query === undefined) return;
    const wire = await this.#wire.load();
    for await (const page of wire.pages(this.scope, { ...query, ahead })) {
      yield (page as Entity[]).map(inPredicateOrder);
    }
  }

  get #sender(): EntitySender {
    return { spec: this.spec, scope: this.scope, wire: this.#wire, source: this };
  }
}

/** Sending is loaded with the first write. */
const sending = (): Promise<typeof import("./send_entities.ts")> => import("./send_entities.ts");

export interface ResourceScope extends ProfileScope {
  readonly heldElsewhere?: (() => Promise<HeldElsewhere>) | undefined;
  readonly review?:
    | ((plan: JudgeablePlan, options: Pick<ReviewOptions, "account" | "signal">) => Promise<PlanReview>)
    | undefined;
}
