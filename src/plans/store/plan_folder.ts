import { fieldsOf } from "../../base/json/fields_of.ts";
import type { ApplyOptions } from "../apply/apply_plan.ts";
import type { ResumeOptions } from "../change_plan/resume_sending.ts";
import { ApprovalError, PlanStateError } from "../model/plan_errors.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";
import type { AppliedRecord } from "./applied_record.ts";
import type { Review } from "../review/judge.ts";
import type { Approval } from "../model/approval.ts";
import type { ChangePlan, PlanResult } from "../change_plan/change_plan.ts";
import { resumePlan } from "../change_plan/resume_plan.ts";
import { undoId } from "../change_plan/inverse.ts";
import { type Finding, isApproval } from "../model/finding.ts";
import { isPlanId, PlanPlaces } from "./plan_places.ts";
import { readIfThere } from "../../base/runtime/read_named_file.ts";
import { closedBecause, type PlanStatus, type StoredPlan } from "./plan_status.ts";
import type { SentWrite } from "../state/day_ledger.ts";
import type { PlanData } from "../model/plan_data.ts";
import type { PlanTarget } from "../model/plan_target.ts";
import { queueOf, readAttempt, readRecord, timeOf } from "./read_record.ts";
import { ReadPlans } from "./read_plans.ts";
import type { LastWord } from "./undo_family.ts";
import type { AppliedPlan } from "./write_result.ts";

const UNKNOWN_TIME = "an unknown time";
const MAX_PLAN_FILE = 64_000_000;

/** Options for applying a plan of a store. */
export type StoreApplyOptions = Omit<ApplyOptions, "journal">;

/** Options for finishing or undoing a plan of a store. */
export type StoreResumeOptions = Omit<ResumeOptions, "journal" | "lookOnly" | "abandon">;

/** The work of {@linkcode PlanStore}, which documents the methods. */
export class PlanFolder {
  readonly path: string;
  readonly #places: PlanPlaces;
  readonly #now: () => number;
  readonly #beside: readonly string[] | (() => Promise<readonly string[]>);
  readonly #readPlans = new ReadPlans();

  constructor(
    path: string,
    now: () => number,
    beside: readonly string[] | (() => Promise<readonly string[]>) = [],
  ) {
    this.path = path;
    this.#beside = beside;
    this.#places = new PlanPlaces(path);
    this.#now = now;
  }

  async save(plan: ChangePlan): Promise<string> {
    return await plan.save(this.#places.plan(plan.id));
  }

  async ids(): Promise<string[]> {
    return await this.#places.ids();
  }

  async list(isWanted?: (plan: ChangePlan) => boolean): Promise<StoredPlan[]> {
    const others = await this.#otherPlans();
    const misnamed = new Set(
      others.filter(({ path, plan }) => path !== this.#places.plan(plan.id)).map(({ path }) => path),
    );
    const named = (await this.ids()).filter((id) => !misnamed.has(this.#places.plan(id)));
    let ids = [...new Set([...named, ...others.map(({ plan }) => plan.id)])];
    if (isWanted !== undefined) ids = await this.#wanted(ids, isWanted);
    const found = await Promise.all(ids.map((id) => this.entry(id)));
    const order = (one: StoredPlan): string => `${"plan" in one ? one.plan.createdAt : ""} ${one.id}`;
    return found.sort((a, b) => order(a) < order(b) ? 1 : -1);
  }

  /** Reads one plan after the other, because only few are kept. */
  async #wanted(ids: readonly string[], isWanted: (plan: ChangePlan) => boolean): Promise<string[]> {
    const wanted: string[] = [];
    for (const id of ids) {
      const found = await this.find(id).catch(() => undefined);
      if (found !== undefined && isWanted(found.plan)) wanted.push(id);
    }
    return wanted;
  }

  async entry(id: string): Promise<StoredPlan> {
    try {
      const found = await this.find(id);
      if (found === undefined) throw this.#noPlan(id);
      return { id, ...found, status: await this.status(id) };
    } catch (error) {
      return { id, problem: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  async get(id: string): Promise<ChangePlan> {
    const found = await this.find(id);
    if (found !== undefined) return found.plan;
    throw this.#noPlan(id);
  }

  async find(id: string): Promise<{ path: string; plan: ChangePlan } | undefined> {
    for (const path of [this.#places.plan(id), this.#places.rollback(id)]) {
      const plan = await this.#readPlans.read(path);
      if (plan === undefined) continue;
      if (plan.id === id) return { path, plan };
      throw new PlanStateError(`Cannot use the plan file of "${id}": it holds plan "${plan.id}"`, "edited");
    }
    return (await this.#otherPlans()).find(({ plan }) => plan.id === id);
  }

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
        ...(isCutOff(result) ? { isCutOff: true } : {}),
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

  async applied(id: string): Promise<AppliedRecord | undefined> {
    const { appliedRecord } = await import("./applied_record.ts");
    const result = await readRecord(this.#places.result(id));
    const record = result === undefined ? undefined : appliedRecord(result);
    if (record === undefined) return undefined;
    const { undoStatus } = await import("./undo_chain.ts");
    const { undone } = await undoStatus(id, this.#places);
    if (undone === undefined) return record;
    return { ...record, undoneAt: undone.at, ...(undone.isPart ? { isUndoneInPart: true } : {}) };
  }

  async apply(plan: ChangePlan, client: PlanTarget, options: StoreApplyOptions = {}): Promise<AppliedPlan> {
    await this.ensureOpen(plan.id);
    let result: PlanResult;
    try {
      const approval = await this.#approval(plan);
      const putBack = await this.putBackCalls(plan);
      result = await plan.apply(client, {
        approval,
        ...options,
        putBack,
        journal: this.#places.journal(plan.id),
        // While the account was read, a person may have refused it, or another plan may have begun to send its calls.
        begun: async () => {
          await this.#ensureNotRefused(plan.id);
          await this.#ensureNoOtherPutBack(plan, putBack);
        },
      });
    } catch (error) {
      // Another process may have been faster by a moment; that is what the caller wants to know then.
      if (error instanceof PlanStateError) await this.ensureOpen(plan.id);
      throw error;
    }
    return await this.#finish(result);
  }

  async look(plan: ChangePlan, client: PlanTarget, options: StoreResumeOptions = {}): Promise<PlanResult> {
    return await resumePlan(plan, client, { ...options, ...await this.#begun(plan), lookOnly: true });
  }

  async resume(plan: ChangePlan, client: PlanTarget, options: StoreResumeOptions = {}): Promise<AppliedPlan> {
    const journal = await this.#begun(plan);
    await this.ensureNotUndone(plan);
    const approval = await this.#approval(plan);
    const putBack = await this.putBackCalls(plan);
    const result = await resumePlan(plan, client, {
      approval,
      ...options,
      putBack,
      ...journal,
      // While the account was read, another plan may have begun to send its calls.
      begun: () => this.#ensureNoOtherPutBack(plan, putBack, "resume"),
    });
    return await this.#finish(result);
  }

  async rollBack(
    plan: ChangePlan,
    client: PlanTarget,
    options: StoreResumeOptions = {},
  ): Promise<AppliedPlan | undefined> {
    const { rollback } = await this.abandon(plan, client, options);
    return rollback === undefined ? undefined : await this.apply(rollback, client, options);
  }

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

  async ensureNotUndone(plan: ChangePlan, { orInPart = false }: { orInPart?: boolean } = {}): Promise<void> {
    if (orInPart && await this.restOfUndo(plan) !== undefined) return;
    const { undoStatus } = await import("./undo_chain.ts");
    const { id: last, undone, unsure } = await undoStatus(plan.id, this.#places);
    const isBegun = (await this.status(last)).state === "unfinished";
    const id = isBegun ? last : unsure ?? undone?.by ?? last;
    const status = await this.status(id);
    if (status.state !== "unfinished" && status.state !== "applied") return;
    const is = status.state === "applied" ? "it was undone" : "its undo was started";
    const resume = `resumePlan("${this.#places.rollback(id)}")`;
    const again = id === unsure ? undefined : await this.#madeAgain(plan);
    throw new PlanStateError(
      `Cannot resume or undo plan ${plan.id}: ${is} at ${status.at}` +
        (again !== undefined
          ? `, and plan ${again.by} made its changes again at ${again.at}. Undo plan ${again.by}`
          : id === unsure
          ? `, but the outcome of a call of plan ${id} is unknown. ${resume} finds out`
          : `. ${resume} with lookOnly shows what was undone`),
      "applied",
    );
  }

  /** Finds the last plan that undid an undo of a plan. */
  async #madeAgain({ id, profileId }: ChangePlan): Promise<LastWord | undefined> {
    const { UndoFamilies } = await import("./undo_family.ts");
    const undos = await this.#known(({ reverses }) => reverses !== null);
    const families = new UndoFamilies(undos.filter((one) => "status" in one));
    return [...(await families.lastWords(profileId, id)).values()]
      .filter(({ isIn, by }) => isIn === true && by !== id)
      .sort((a, b) => a.at < b.at ? 1 : -1)[0];
  }

  async restOfUndo(plan: Pick<PlanData, "id">): Promise<ChangePlan | undefined> {
    const { restOfUndo } = await import("./undo_chain.ts");
    return await restOfUndo(undoId(plan.id), this);
  }

  async saveApproval(approval: Approval): Promise<string> {
    const path = this.#places.approval(approval.plan_id);
    await fileSystem().writeText(path, JSON.stringify(approval, null, 2) + "\n", { mode: 0o600 });
    return path;
  }

  async ensureApproved(
    review: Pick<Review, "plan" | "asks" | "parts">,
    options: { publicKey: string },
  ): Promise<Approval> {
    const { id } = review.plan;
    const found = await readRecord(this.#places.approval(id));
    if (found === undefined) {
      throw new ApprovalError(`Cannot apply plan ${id}: it is not approved yet`, "missing");
    }
    const { checkApproval, ensureCurrent } = await import("../review/approval.ts");
    const approval = await checkApproval(review.plan, found, { ...options, now: this.#now });
    ensureCurrent(approval, review);
    return approval;
  }

  async sentBefore({ reverses, profileId }: PlanData): Promise<readonly SentWrite[]> {
    if (!isPlanId(reverses)) return [];
    const original = await this.find(reverses).catch(() => undefined);
    if (original?.plan.profileId !== profileId) return [];
    const { sentByJournal } = await import("./sent_by_journal.ts");
    return await sentByJournal(original.plan, this.#places.journal(reverses)).catch(() => []);
  }

  async putBackCalls(plan: PlanData): Promise<readonly Finding[]> {
    const { putBackCalls } = await import("./put_back_calls.ts");
    return await putBackCalls(plan, (isWanted) => this.#known(isWanted, { except: plan.id }));
  }

  /** Plans of this folder, except one, and of those beside it. */
  async #known(
    isWanted: (plan: ChangePlan) => boolean,
    { except }: { readonly except?: string } = {},
  ): Promise<StoredPlan[]> {
    const beside = typeof this.#beside === "function" ? await this.#beside() : this.#beside;
    const { realPath } = fileSystem();
    const own = await realPath(this.path);
    const paths = await Promise.all(beside.map(realPath));
    const others = [...new Set(paths)].filter((path) => path !== own);
    const lists = [
      this.list((plan) => plan.id !== except && isWanted(plan)),
      ...others.map((path) => new PlanFolder(path, this.#now).list(isWanted).catch(() => [])),
    ];
    return (await Promise.all(lists)).flat();
  }

  /** Status of a plan that is to replace another one, as long as the other one is still open. */
  async #awaited(id: string): Promise<PlanStatus | undefined> {
    const { replaces, made_at: at } = await readRecord(this.#places.replaces(id)) ?? {};
    if (!isPlanId(replaces)) return undefined;
    const old = await this.status(replaces);
    if (old.state === "refused" && old.replacedBy === id) return undefined;
    return { state: "refused", at: typeof at === "string" ? at : UNKNOWN_TIME, awaits: replaces };
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

  async #ensureNoOtherPutBack(
    plan: ChangePlan,
    known: readonly Finding[],
    what: "apply" | "resume" = "apply",
  ): Promise<void> {
    const found = await this.putBackCalls(plan);
    const other = found.find(({ change }) => known.every((finding) => finding.change !== change));
    if (other === undefined) return;
    throw new PlanStateError(
      `Cannot ${what} plan ${plan.id}: it has a call, and ${other.message}. Nothing was sent`,
      "applied",
    );
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

/** True if changes were not sent or their outcome is unknown; resuming resolves both. */
function isCutOff({ changes }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(changes) && changes.some((change: unknown) => {
    const { outcome, error } = fieldsOf(change);
    return outcome === "unknown" || fieldsOf(error)["code"] === "NOT_SENT";
  });
}
