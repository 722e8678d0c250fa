import type { ChangeRef } from "../../plans/model/change_ref.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import type { Drafted, DraftOptions, DraftTarget } from "./build_draft.ts";
import type { ResourceKind, ResourceOf } from "./kinds/kinds.ts";
import type { PlanOptions } from "./resource/plan_writes.ts";

/** Fields to write; each may refer to an entity that another change of the plan creates. */
export type Referring<Item> = Item extends object
  ? { readonly [Field in keyof Item]: Item[Field] | ChangeRef }
  : Item;

/** A new entity of a kind. */
export type DraftedCreate<Kind extends ResourceKind> = Parameters<ResourceOf<Kind>["create"]>[0] extends
  readonly (infer Item)[] ? Referring<Item> : never;

/** An update of an entity of a kind: its id and the fields to change. */
export type DraftedUpdate<Kind extends ResourceKind> = Parameters<ResourceOf<Kind>["update"]>[0] extends
  readonly (infer Item)[] ? Referring<Item> : never;

/**
 * Collects changes of any kinds for one plan. Nothing is read or sent before `build`.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function newCampaign(us: ProfileClient): Promise<void> {
 *   const draft = us.plan();
 *   draft.create("sp.campaigns", {
 *     name: "Spring",
 *     state: "ENABLED",
 *     targetingType: "MANUAL",
 *     startDate: "2027-03-01",
 *     budget: { budget: 20, budgetType: "DAILY" },
 *   }, { as: "spring" });
 *   draft.create("sp.ad_groups", {
 *     campaignId: { ref: "spring" },
 *     name: "Shoes",
 *     state: "ENABLED",
 *     defaultBid: 0.5,
 *   }, { as: "shoes" });
 *   const plan = await draft.build({ note: "Spring is coming" });
 *   const result = await plan.apply(us); // the ad group goes out once its campaign has an id
 *   console.log(result.summary());
 * }
 * ```
 */
export class PlanDraft {
  readonly #target: DraftTarget;
  readonly #drafted: Drafted[] = [];

  /** Creates an empty draft for a profile. */
  constructor(target: DraftTarget) {
    this.#target = target;
  }

  /** Adds a new entity. To refer to an entity that another change creates, use `{ ref: name }` in place of an id. */
  create<Kind extends ResourceKind>(kind: Kind, fields: DraftedCreate<Kind>, options?: DraftOptions): this;
  /** Adds a new entity of a kind whose name is known only at run time. */
  create(kind: string, fields: object, options?: DraftOptions): this;
  create(kind: string, fields: object, options: DraftOptions = {}): this {
    return this.#add({ kind, op: "create", item: { ...fields }, options });
  }

  /** Adds an update: the id and the fields to change. */
  update<Kind extends ResourceKind>(kind: Kind, fields: DraftedUpdate<Kind>, options?: DraftOptions): this;
  /** Adds an update of a kind whose name is known only at run time. */
  update(kind: string, fields: object, options?: DraftOptions): this;
  update(kind: string, fields: object, options: DraftOptions = {}): this {
    return this.#add({ kind, op: "update", item: { ...fields }, options });
  }

  /** Adds an archive, which is permanent. */
  archive(
    kind: ResourceKind | (string & Record<never, never>),
    id: string,
    options: DraftOptions = {},
  ): this {
    return this.#add({ kind, op: "archive", item: { id }, options });
  }

  /**
   * Reads the account and builds the plan, with its changes in draft order. Changes that are already in effect are
   * left out; changes that depend on them do not wait for them.
   *
   * @throws {TypeError} when an item is malformed, or a reference cannot be resolved. Nothing was sent.
   */
  async build(options: PlanOptions = {}): Promise<ChangePlan> {
    const { buildDraft } = await import("./build_draft.ts");
    return await buildDraft(this.#target, [...this.#drafted], options);
  }

  #add(drafted: Drafted): this {
    this.#drafted.push(drafted);
    return this;
  }
}
