import { ApprovalError, PlanStateError } from "../model/plan_errors.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";
import { stateFolder } from "../../base/runtime/user_folders.ts";
import type { ApplyOptions } from "../apply/apply_plan.ts";
import type { AppliedRecord } from "./applied_record.ts";
import type { Review } from "../approve/judge.ts";
import type { Approval } from "../model/approval.ts";
import type { ChangePlan, PlanResult } from "../change_plan/change_plan.ts";
import { undoId } from "../change_plan/inverse.ts";
import { isApproval } from "../model/override.ts";
import { isPlanId, PlanPlaces } from "./plan_places.ts";
import { readIfThere } from "../../base/runtime/read_named_file.ts";
import { closedBecause, type PlanStatus } from "./plan_status.ts";
import type { SentWrite } from "../state/day_ledger.ts";
import type { PlanData } from "../model/plan_data.ts";
import type { PlanTarget } from "../model/plan_target.ts";
import type { ResumeOptions } from "../change_plan/resume_sending.ts";
import { resumePlan } from "../change_plan/resume_plan.ts";
import { queueOf, readAttempt, readRecord, timeOf } from "./read_record.ts";
import { ReadPlans } from "./read_plans.ts";
import type { AppliedPlan } from "./write_result.ts";

const UNKNOWN_TIME = "an unknown time";
const MAX_PLAN_FILE = 64_000_000;

/** Options for applying a plan of a store. */
export type StoreApplyOptions = Omit<ApplyOptions, "journal">;

/** Options for finishing or undoing a plan of a store. */
export type StoreResumeOptions = Omit<ResumeOptions, "journal" | "lookOnly" | "abandon">;

/** A plan of a store, as listed. */
export type StoredPlan =
  & {
    /** Id of the plan, or the id in its file name. */
    readonly id: string;
  }
  & (
    | {
      readonly path: string;
      readonly plan: ChangePlan;
      readonly status: PlanStatus;
    }
    | {
      /** Reason why the plan's files are unusable. */
      readonly problem: Error;
    }
  );

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
  readonly #places: PlanPlaces;
  readonly #now: () => number;
  readonly #readPlans = new ReadPlans();

  private constructor(path: string, now: () => number) {
    this.path = path;
    this.#places = new PlanPlaces(path);
    this.#now = now;
  }

  /** Returns the store of a folder; nothing is created or read. */
  static open(
    path: string,
    options: {
      /** Current time in milliseconds since the epoch. @default Date.now */ now?: () => number;
    } = {},
  ): PlanStore {
    return new PlanStore(path, options.now ?? Date.now);
  }

  /** Returns the store that contains a plan file. */
  static around(planFile: string, options: { now?: () => number } = {}): PlanStore {
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
    return await plan.save(this.#places.plan(plan.id));
  }

  /** Ids of the plans that are saved under their own name, newest first. */
  async ids(): Promise<string[]> {
    return await this.#places.ids();
  }

  /** The plans of the folder, under any file name, newest first. Other files are ignored. */
  async list(): Promise<StoredPlan[]> {
    const others = await this.#otherPlans();
    const misnamed = new Set(
      others.filter(({ path, plan }) => path !== this.#places.plan(plan.id)).map(({ path }) => path),
    );
    const named = (await this.ids()).filter((id) => !misnamed.has(this.#places.plan(id)));
    const ids = [...new Set([...named, ...others.map(({ plan }) => plan.id)])];
    const found = await Promise.all(ids.map((id) => this.entry(id)));
    const order = (one: StoredPlan): string => `${"plan" in one ? one.plan.createdAt : ""} ${one.id}`;
    return found.sort((a, b) => order(a) < order(b) ? 1 : -1);
  }

  /** Returns one plan, as listed. Never fails, so that a damaged file does not hide the other plans. */
  async entry(id: string): Promise<StoredPlan> {
    try {
      const found = await this.find(id);
      if (found === undefined) throw this.#noPlan(id);
      return { id, ...found, status: await this.status(id) };
    } catch (error) {
      return { id, problem: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  /** Reads a plan; throws a {@linkcode PlanStateError} if there is none, or it was edited or renamed. */
  async get(id: string): Promise<ChangePlan> {
    const found = await this.find(id);
    if (found !== undefined) return found.plan;
    throw this.#noPlan(id);
  }

  /**
   * Reads a plan and returns it with the path of its file; `undefined` if there is no such plan.
   *
   * @throws {PlanStateError} when the id is none, or the file was edited or renamed.
   */
  async find(id: string): Promise<{ path: string; plan: ChangePlan } | undefined> {
    for (const path of [this.#places.plan(id), this.#places.rollback(id)]) {
      const plan = await this.#readPlans.read(path);
      if (plan === undefined) continue;
      if (plan.id === id) return { path, plan };
      throw new PlanStateError(`Cannot use the plan file of "${id}": it holds plan "${plan.id}"`, "edited");
    }
    return (await this.#otherPlans()).find(({ plan }) => plan.id === id);
  }

  /** Reads the progress of a plan. */
  async status(id: string): Promise<PlanStatus> {
    const result = await readRecord(this.#places.result(id));
    const journal = await readAttempt(this.#places.journal(id));
    const began = journal === undefined ? undefined : timeOf(journal);
    if (result !== undefined) {
      const { ok, summary, applied_at: at, rollback_plan_id: rollback } = result;
      return {
        state: "applied",
        at: typeof at === "string" ? at : began ?? UNKNOWN_TIME,
        ok: ok === true,
        summary: typeof summary === "string" ? summary : "its result file is damaged",
        ...await this.#undoOf(id, rollback),
      };
    }
    const where = journal === undefined ? undefined : queueOf(journal);
    if (where !== undefined) return { state: "queued", at: began ?? UNKNOWN_TIME, where };
    if (journal !== undefined) return { state: "unfinished", at: began ?? "this moment" };
    const refusal = await readRecord(this.#places.refusal(id));
    if (refusal === undefined) return await this.#awaited(id) ?? { state: "open" };
    const { refused_at: at, replaced_by: replacedBy } = refusal;
    return {
      state: "refused",
      at: typeof at === "string" ? at : UNKNOWN_TIME,
      ...(isPlanId(replacedBy) ? { replacedBy } : {}),
    };
  }

  /** Status of a plan that is to replace another one, as long as the other one is still open. */
  async #awaited(id: string): Promise<PlanStatus | undefined> {
    const { replaces, made_at: at } = await readRecord(this.#places.replaces(id)) ?? {};
    if (!isPlanId(replaces)) return undefined;
    const old = await this.status(replaces);
    if (old.state === "refused" && old.replacedBy === id) return undefined;
    return { state: "refused", at: typeof at === "string" ? at : UNKNOWN_TIME, awaits: replaces };
  }

  /** Reads the result file of a plan; `undefined` when the plan was not applied, or the file is damaged. */
  async applied(id: string): Promise<AppliedRecord | undefined> {
    const { appliedRecord } = await import("./applied_record.ts");
    const result = await readRecord(this.#places.result(id));
    const record = result === undefined ? undefined : appliedRecord(result);
    if (record === undefined) return undefined;
    const { undoStatus } = await import("./undo_chain.ts");
    const { undone } = await undoStatus(id, this.#places);
    return { ...record, ...(undone === undefined ? {} : { undoneAt: undone.at }) };
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
    await this.ensureOpen(plan.id);
    let result: PlanResult;
    try {
      const approval = await this.#approval(plan);
      result = await plan.apply(client, {
        approval,
        ...options,
        journal: this.#places.journal(plan.id),
        // A person may have refused it while the account was read.
        begun: () => this.#ensureNotRefused(plan.id),
      });
    } catch (error) {
      // Another process may have been faster by a moment; that is what the caller wants to know then.
      if (error instanceof PlanStateError) await this.ensureOpen(plan.id);
      throw error;
    }
    return await this.#finish(result);
  }

  /**
   * Determines which changes an interrupted run made. Writes nothing.
   *
   * @throws {PlanStateError} when it was never begun.
   */
  async look(plan: ChangePlan, client: PlanTarget, options: StoreResumeOptions = {}): Promise<PlanResult> {
    return await resumePlan(plan, client, { ...options, ...await this.#begun(plan), lookOnly: true });
  }

  /**
   * Finishes an interrupted plan, and saves the result of both runs.
   *
   * @throws {PlanStateError} when it was never begun, or is being undone.
   */
  async resume(plan: ChangePlan, client: PlanTarget, options: StoreResumeOptions = {}): Promise<AppliedPlan> {
    const journal = await this.#begun(plan);
    await this.ensureNotUndone(plan);
    const approval = await this.#approval(plan);
    return await this.#finish(await resumePlan(plan, client, { approval, ...options, ...journal }));
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
    const { rollback } = await this.abandon(plan, client, options);
    return rollback === undefined ? undefined : await this.apply(rollback, client, options);
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
    const journal = await this.#begun(plan);
    await this.ensureNotUndone(plan, { orInPart: true });
    const rest = await this.restOfUndo(plan);
    const isEnded = await this.#isEnded(plan.id);
    const result = await resumePlan(plan, client, {
      ...options,
      ...journal,
      ...(isEnded ? { lookOnly: true } : { abandon: true }),
    });
    const { endedPlan } = await import("./write_result.ts");
    const given = isEnded ? endedPlan(result, this.#places) : await this.#finish(result, { keepsTime: true });
    // The attempt may just have settled what was unknown when the refused undo was made.
    const isLater = rest !== undefined && !isEnded && (await this.applied(plan.id))?.undoneAt === undefined;
    const left = isLater ? await this.restOfUndo(plan) : rest;
    const undo = left ?? (isEnded ? given.rollback : undefined);
    if (undo === undefined) return given;
    return {
      ...given,
      rollback: undo,
      rollbackPath: await this.#saveUndo(undo),
      rollbackWarnings: undo.warnings,
    };
  }

  /**
   * Returns the open plan that undoes an applied one. Saves it if it is new: the remainder of an incomplete undo, or a
   * copy of one that a person refused. Reads nothing from the platform.
   *
   * @returns `undefined` when there is nothing to undo.
   * @throws {PlanStateError} when the plan was not applied to its end, or is undone.
   */
  async openUndo(plan: ChangePlan): Promise<ChangePlan | undefined> {
    const status = await this.status(plan.id);
    if (status.state !== "applied") {
      throw new PlanStateError(
        `Cannot undo plan ${plan.id}: it is ${status.state}, so it has no result to undo`,
        status.state === "unfinished" ? "applied" : "unknown",
      );
    }
    await this.ensureNotUndone(plan, { orInPart: true });
    const rest = await this.restOfUndo(plan);
    if (rest !== undefined) await this.#saveUndo(rest);
    return rest ?? (await this.find(undoId(plan.id)))?.plan;
  }

  /**
   * Records that a person refused the plan, so it can never be applied.
   *
   * @param options.replacedBy Id of the plan that was made of it.
   */
  async refuse(plan: Pick<PlanData, "id">, options: { replacedBy?: string } = {}): Promise<void> {
    const { replacedBy } = options;
    const refusal = {
      plan_id: plan.id,
      refused_at: new Date(this.#now()).toISOString(),
      ...(replacedBy === undefined ? {} : { replaced_by: replacedBy }),
    };
    const path = this.#places.refusal(plan.id);
    await fileSystem().createText(path, JSON.stringify(refusal) + "\n", { mode: 0o600 });
    if (replacedBy === undefined) await this.#dropDraft(plan.id);
  }

  /** Deletes the edits of a plan that can no longer be edited. */
  async #dropDraft(id: string): Promise<void> {
    await fileSystem().remove(this.#places.draft(id)).catch(() => {});
  }

  async #ensureNotRefused(id: string): Promise<void> {
    if (await readRecord(this.#places.refusal(id)) === undefined) return;
    throw new ApprovalError(
      `Cannot apply plan ${id}: a person refused or replaced it meanwhile. Nothing was sent`,
      "declined",
    );
  }

  /** Throws if a plan was applied, started, or refused by a person. */
  async ensureOpen(id: string): Promise<void> {
    const status = await this.status(id);
    if (status.state === "open") return;
    const found = await this.find(id).catch(() => undefined);
    const reverses = found?.plan.reverses ?? undefined;
    const message = `Cannot apply plan ${id}: ${
      closedBecause(status, { path: found?.path ?? id, reverses })
    }`;
    if (status.state === "refused") throw new ApprovalError(message, "declined");
    throw new PlanStateError(message, "applied");
  }

  /**
   * Throws if undoing the plan was started: undone changes must not be made again.
   *
   * @param options.orInPart True to accept a finished undo that did not restore everything.
   * @default false
   * @throws {PlanStateError} that names the plan to go on with.
   */
  async ensureNotUndone(plan: ChangePlan, { orInPart = false }: { orInPart?: boolean } = {}): Promise<void> {
    if (orInPart && await this.restOfUndo(plan) !== undefined) return;
    const { undoStatus } = await import("./undo_chain.ts");
    const { id: last, undone } = await undoStatus(plan.id, this.#places);
    const isBegun = (await this.status(last)).state === "unfinished";
    const id = isBegun ? last : undone?.by ?? last;
    const status = await this.status(id);
    if (status.state !== "unfinished" && status.state !== "applied") return;
    const is = status.state === "applied" ? "it was undone" : "its undo was started";
    throw new PlanStateError(
      `Cannot resume or undo plan ${plan.id}: ${is} at ${status.at}. ` +
        `resumePlan("${this.#places.rollback(id)}") with lookOnly shows what was undone`,
      "applied",
    );
  }

  /**
   * Creates a plan of everything that a completed undo could not restore, or that a person refused to restore;
   * `undefined` if there is nothing.
   */
  async restOfUndo(plan: Pick<PlanData, "id">): Promise<ChangePlan | undefined> {
    const { restOfUndo } = await import("./undo_chain.ts");
    return await restOfUndo(undoId(plan.id), this);
  }

  /** Saves a person's approval of a plan and returns its path. */
  async saveApproval(approval: Approval): Promise<string> {
    const path = this.#places.approval(approval.plan_id);
    await fileSystem().writeText(path, JSON.stringify(approval, null, 2) + "\n", { mode: 0o600 });
    return path;
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
    const { id } = review.plan;
    const found = await readRecord(this.#places.approval(id));
    if (found === undefined) {
      throw new ApprovalError(`Cannot apply plan ${id}: it is not approved yet`, "missing");
    }
    const { checkApproval, ensureCurrent } = await import("../approve/approval.ts");
    const approval = await checkApproval(review.plan, found, { ...options, now: this.#now });
    ensureCurrent(approval, review);
    return approval;
  }

  /**
   * Returns the writes of the plan that another one undoes, from its journal; none if it was not applied here.
   *
   * @internal
   */
  async sentBefore({ reverses, profileId }: PlanData): Promise<readonly SentWrite[]> {
    if (!isPlanId(reverses)) return [];
    const original = await this.find(reverses).catch(() => undefined);
    if (original?.plan.profileId !== profileId) return [];
    const { sentByJournal } = await import("./sent_by_journal.ts");
    return await sentByJournal(original.plan, this.#places.journal(reverses)).catch(() => []);
  }

  async #approval({ id, fingerprint }: ChangePlan): Promise<Approval | undefined> {
    const approval = await readRecord(this.#places.approval(id));
    return isApproval(approval) && approval.fingerprint === fingerprint ? approval : undefined;
  }

  async #finish(result: PlanResult, options: { keepsTime?: boolean } = {}): Promise<AppliedPlan> {
    const { writeResult } = await import("./write_result.ts");
    await this.#dropDraft(result.plan.id);
    return await writeResult(result, this.#places, { now: this.#now, ...options });
  }

  async #isEnded(id: string): Promise<boolean> {
    const record = await this.applied(id);
    return record !== undefined &&
      record.changes.every(({ outcome }) => outcome !== "unknown" && outcome !== "not_sent");
  }

  async #undoOf(
    id: string,
    rollback: unknown,
  ): Promise<Pick<PlanStatus & { state: "applied" }, "rollbackPlanId" | "undone">> {
    if (!isPlanId(rollback) || !await this.#has(rollback)) return { rollbackPlanId: undefined };
    if (rollback !== undoId(id)) return { rollbackPlanId: rollback };
    const { undoStatus } = await import("./undo_chain.ts");
    const { id: last, undone } = await undoStatus(id, this.#places);
    return { rollbackPlanId: last, ...(undone === undefined ? {} : { undone }) };
  }

  async #saveUndo(undo: ChangePlan): Promise<string> {
    const found = await this.find(undo.id).catch(() => undefined);
    if (found?.plan.fingerprint === undo.fingerprint) return found.path;
    const path = this.#places.rollback(undo.id);
    await fileSystem().writeText(path, undo.toJson(), { mode: 0o600 });
    return path;
  }

  async #begun(plan: ChangePlan): Promise<{ journal: string }> {
    const journal = this.#places.journal(plan.id);
    if (await readAttempt(journal) !== undefined) return { journal };
    throw new PlanStateError(
      `Cannot resume plan ${plan.id}: it was never started, according to "${journal}". Apply it`,
      "unknown",
    );
  }

  async #otherPlans(): Promise<{ path: string; plan: ChangePlan }[]> {
    const files = fileSystem();
    const found: { path: string; plan: ChangePlan }[] = [];
    for (const path of await this.#places.otherFiles()) {
      try {
        if (await files.size(path) > MAX_PLAN_FILE) continue;
        found.push({ path, plan: this.#readPlans.plan(await files.readText(path), path) });
      } catch {
        // Not a plan, or not one that can be used.
      }
    }
    return found;
  }

  #noPlan(id: string): PlanStateError {
    return new PlanStateError(`Cannot find plan ${id}: there is no such plan in "${this.path}"`, "unknown");
  }

  async #has(id: string): Promise<boolean> {
    return await readIfThere(this.#places.plan(id)) !== undefined ||
      await readIfThere(this.#places.rollback(id)) !== undefined;
  }
}
