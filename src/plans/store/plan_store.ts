import { loadedOnce } from "../../base/json/kept_or.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";
import { stateFolder } from "../../base/runtime/user_folders.ts";
import type { Review } from "../review/judge.ts";
import type { ChangePlan, PlanResult } from "../change_plan/change_plan.ts";
import type { Approval } from "../model/approval.ts";
import type { Finding } from "../model/finding.ts";
import type { PlanData } from "../model/plan_data.ts";
import type { PlanTarget } from "../model/plan_target.ts";
import type { SentWrite } from "../state/day_ledger.ts";
import type { AppliedRecord } from "./applied_record.ts";
import type { PlanFolder, StoreApplyOptions, StoreResumeOptions } from "./plan_folder.ts";
import { PlanPlaces } from "./plan_places.ts";
import type { PlanStatus, StoredPlan } from "./plan_status.ts";
import type { AppliedPlan } from "./write_result.ts";

export type { StoreApplyOptions, StoreResumeOptions } from "./plan_folder.ts";
export type { StoredPlan } from "./plan_status.ts";

/** Options for opening a store of plans. */
export interface PlanStoreOptions {
  /** Current time in milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
  /**
   * Folders with plans that may have undone calls of this one, or a function that finds them anew for each plan. An undo
   * does not send these a second time.
   *
   * @default none
   */
  readonly beside?: readonly string[] | (() => Promise<readonly string[]>) | undefined;
}

/**
 * A folder of plans, each applied at most once, by any interface. A plan is one visible file, `plan-<id>.json` or any
 * other name. Its journal, its result, the plan that undoes it, and a person's approval or refusal are kept in the
 * folder `.plans` beside it. All files are readable only by their owner.
 *
 * @example
 * ```ts
 * import { PlanStore, type ProfileClient } from "@platform/ads";
 *
 * async function raise(us: ProfileClient, keywordId: string): Promise<void> {
 *   const store = PlanStore.open("plans");
 *   const plan = await us.sp.keywords.planUpdate([{ keywordId, bid: 0.9 }]);
 *   await store.save(plan);
 *   const { result } = await store.apply(plan, us, { checkDrift: true });
 *   if (!result.ok) await store.rollBack(plan, us);
 * }
 * ```
 */
export class PlanStore {
  /** Path of the folder; created when the first plan is saved. */
  readonly path: string;
  readonly #now: () => number;
  readonly #beside: NonNullable<PlanStoreOptions["beside"]>;
  readonly #folder: () => Promise<PlanFolder> = loadedOnce(async () => {
    const { PlanFolder } = await import("./plan_folder.ts");
    return new PlanFolder(this.path, this.#now, this.#beside);
  });

  private constructor(path: string, { now = Date.now, beside = [] }: PlanStoreOptions) {
    this.path = path;
    this.#now = now;
    this.#beside = beside;
  }

  /** Returns the store of a folder; nothing is created or read. */
  static open(path: string, options: PlanStoreOptions = {}): PlanStore {
    return new PlanStore(path, options);
  }

  /** Returns the store that contains a plan file. */
  static around(planFile: string, options: PlanStoreOptions = {}): PlanStore {
    return PlanStore.open(PlanPlaces.folderOf(planFile), options);
  }

  /** Default folder of plans: `plans` below the user's state folder, `demo-plans` for those of the demo account. */
  static defaultPath(
    env: Readonly<Record<string, string | undefined>>,
    options: { demo?: boolean; option?: string } = {},
  ): string {
    const { option } = options;
    const purpose = { of: "the plans", ...(option === undefined ? {} : { option }) };
    return fileSystem().join(stateFolder(env, purpose), options.demo ? "demo-plans" : "plans");
  }

  /** Saves a plan and returns the path of its file. */
  async save(plan: ChangePlan): Promise<string> {
    return await (await this.#folder()).save(plan);
  }

  /** Ids of the plans that are saved under their own name, newest first. */
  async ids(): Promise<string[]> {
    return await (await this.#folder()).ids();
  }

  /**
   * The plans of the folder, under any file name, newest first. Other files are ignored.
   *
   * @param isWanted Chooses plans; those that cannot be read are left out then. @default all
   */
  async list(isWanted?: (plan: ChangePlan) => boolean): Promise<StoredPlan[]> {
    return await (await this.#folder()).list(isWanted);
  }

  /** Returns one plan, as listed. Never fails, so that a damaged file does not hide the other plans. */
  async entry(id: string): Promise<StoredPlan> {
    return await (await this.#folder()).entry(id);
  }

  /** Reads a plan; throws a {@linkcode PlanStateError} if there is none, or it was edited or renamed. */
  async get(id: string): Promise<ChangePlan> {
    return await (await this.#folder()).get(id);
  }

  /**
   * Reads a plan and returns it with the path of its file; `undefined` if there is no such plan.
   *
   * @throws {PlanStateError} when the id is invalid, or the file was edited or renamed.
   */
  async find(id: string): Promise<{ path: string; plan: ChangePlan } | undefined> {
    return await (await this.#folder()).find(id);
  }

  /** Reads the progress of a plan. */
  async status(id: string): Promise<PlanStatus> {
    return await (await this.#folder()).status(id);
  }

  /** Reads the result file of a plan; `undefined` when the plan was not applied, or the file is damaged. */
  async applied(id: string): Promise<AppliedRecord | undefined> {
    return await (await this.#folder()).applied(id);
  }

  /**
   * Applies a plan: sends it with a journal, and saves the result and the plan that undoes it. If several processes try
   * at once, exactly one sends, because only one can create the journal. If a failure occurs before anything is done,
   * the plan stays open. The result is returned even if it cannot be saved.
   *
   * @throws {PlanStateError} when the plan was applied or refused before.
   * @throws whatever `plan.apply` throws; nothing was done then.
   */
  async apply(plan: ChangePlan, client: PlanTarget, options: StoreApplyOptions = {}): Promise<AppliedPlan> {
    return await (await this.#folder()).apply(plan, client, options);
  }

  /**
   * Determines which changes an interrupted run made. Writes nothing.
   *
   * @throws {PlanStateError} when it was never begun.
   */
  async look(plan: ChangePlan, client: PlanTarget, options: StoreResumeOptions = {}): Promise<PlanResult> {
    return await (await this.#folder()).look(plan, client, options);
  }

  /**
   * Finishes an interrupted plan, and saves the result of both runs.
   *
   * @throws {PlanStateError} when it was never begun, or is being undone.
   */
  async resume(plan: ChangePlan, client: PlanTarget, options: StoreResumeOptions = {}): Promise<AppliedPlan> {
    return await (await this.#folder()).resume(plan, client, options);
  }

  /**
   * Undoes a plan that was applied or interrupted; its unsent changes are never sent.
   *
   * @returns `undefined` when there is nothing to undo.
   * @throws {PlanStateError} when the plan was never begun, or is being undone already.
   */
  async rollBack(
    plan: ChangePlan,
    client: PlanTarget,
    options: StoreResumeOptions = {},
  ): Promise<AppliedPlan | undefined> {
    return await (await this.#folder()).rollBack(plan, client, options);
  }

  /**
   * Abandons the unsent changes of a plan and saves the plan that undoes the others: the first half of {@linkcode
   * PlanStore.rollBack}, for review before applying. For an incomplete undo, returns the remaining part; for one that
   * a person refused, the same changes under a new id. The record of a plan that ended stays unchanged.
   *
   * @throws {PlanStateError} when the plan was never begun, or is being undone already.
   */
  async abandon(
    plan: ChangePlan,
    client: PlanTarget,
    options: StoreResumeOptions = {},
  ): Promise<AppliedPlan> {
    return await (await this.#folder()).abandon(plan, client, options);
  }

  /**
   * Returns the open plan that undoes an applied one. Saves it if it is new: the remainder of an incomplete undo, or a
   * copy of one that a person refused. Reads nothing from the platform.
   *
   * @returns `undefined` when there is nothing to undo.
   * @throws {PlanStateError} when the plan was not applied to its end, or is undone.
   */
  async openUndo(plan: ChangePlan): Promise<ChangePlan | undefined> {
    return await (await this.#folder()).openUndo(plan);
  }

  /**
   * Records that a person refused the plan, so it can never be applied.
   *
   * @param options.replacedBy Id of the plan that was made of it.
   */
  async refuse(plan: Pick<PlanData, "id">, options: { replacedBy?: string } = {}): Promise<void> {
    return await (await this.#folder()).refuse(plan, options);
  }

  /** Throws if a plan was applied, started, or refused by a person. */
  async ensureOpen(id: string): Promise<void> {
    return await (await this.#folder()).ensureOpen(id);
  }

  /**
   * Throws if undoing the plan was started: undone changes must not be made again.
   *
   * @param options.orInPart True to accept a finished undo that did not restore everything.
   * @default false
   * @throws {PlanStateError} that names the plan to go on with.
   */
  async ensureNotUndone(plan: ChangePlan, options: { orInPart?: boolean } = {}): Promise<void> {
    return await (await this.#folder()).ensureNotUndone(plan, options);
  }

  /**
   * Creates a plan of everything that a completed undo could not restore, or that a person refused to restore;
   * `undefined` if there is nothing.
   */
  async restOfUndo(plan: Pick<PlanData, "id">): Promise<ChangePlan | undefined> {
    return await (await this.#folder()).restOfUndo(plan);
  }

  /** Saves a person's approval of a plan and returns its path. */
  async saveApproval(approval: Approval): Promise<string> {
    return await (await this.#folder()).saveApproval(approval);
  }

  /**
   * Returns the approval of a plan that covers the findings of a current review; `publicKey` is the path of the public
   * key.
   *
   * @throws {ApprovalError} when it is missing or outdated.
   * @internal
   */
  async ensureApproved(
    review: Pick<Review, "plan" | "asks" | "parts">,
    options: { publicKey: string },
  ): Promise<Approval> {
    return await (await this.#folder()).ensureApproved(review, options);
  }

  /**
   * Returns the writes of the plan that another one undoes, from its journal; none if it was not applied here.
   *
   * @internal
   */
  async sentBefore(plan: PlanData): Promise<readonly SentWrite[]> {
    return await (await this.#folder()).sentBefore(plan);
  }

  /**
   * Finds the calls of an undo that plans of other ids put back, or may have. {@linkcode PlanStore.apply} and
   * {@linkcode PlanStore.resume} do not send them.
   *
   * @internal
   */
  async putBackCalls(plan: PlanData): Promise<readonly Finding[]> {
    return await (await this.#folder()).putBackCalls(plan);
  }
}
