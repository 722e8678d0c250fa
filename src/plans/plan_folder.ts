import { fileSystem } from "../runtime/file_system.ts";
import { readNamedFile } from "../runtime/read_named_file.ts";
import { stateFolder } from "../runtime/user_folders.ts";
import { ConfigurationError } from "../errors.ts";
import type { ApplyOptions } from "./apply_plan.ts";
import { type Approval, checkApproval } from "./approval.ts";
import { ChangePlan, type PlanResult } from "./change_plan.ts";
import type { PlanStatus } from "./plan_status.ts";
import type { PlanTarget } from "./plan_target.ts";

const UNKNOWN_TIME = "an unknown time";
const PLAN_ID = /^[A-Za-z0-9-]{1,64}$/;

/** What was made of a plan that was applied. */
export interface AppliedPlan {
  /** A verdict for every change. */
  readonly result: PlanResult;
  /** Path of the file that holds it. */
  readonly resultPath: string;
  /** Why the result or the rollback plan could not be saved; `undefined` when both were. */
  readonly notSaved: Error | undefined;
  /** The plan that undoes what was accepted, saved in the same folder; `undefined` when there is nothing to undo. */
  readonly rollback: ChangePlan | undefined;
  /** What that plan does not undo. */
  readonly rollbackWarnings: readonly string[];
}

/** What of a result's file this folder reads, whoever wrote it. */
interface ResultFile {
  readonly ok?: unknown;
  readonly summary?: unknown;
  readonly applied_at?: unknown;
  readonly rollback_plan_id?: unknown;
}

/**
 * A folder of plans that are each applied once at the most, whoever applies them. Beside `plan-<id>.json` stand, once
 * they exist, `plan-<id>.journal.jsonl`, which its one application keeps, `plan-<id>.result.json`, what came of it,
 * `plan-<id>.approval.json`, a person's yes, and `plan-<id>.refused.json`, a person's no.
 */
export class PlanFolder {
  /** Path of the folder; it is made when the first plan is saved. */
  readonly path: string;
  readonly #now: () => number;

  /** @param options.now Milliseconds since the epoch. @default Date.now */
  constructor(path: string, options: { now?: () => number } = {}) {
    this.path = path;
    this.#now = options.now ?? Date.now;
  }

  /** Where plans lie when nobody says otherwise: `plans` below the user's state folder. */
  static defaultPath(env: Readonly<Record<string, string | undefined>>): string {
    return fileSystem().join(stateFolder(env), "plans");
  }

  /** Saves a plan and returns the path of its file. */
  async save(plan: ChangePlan): Promise<string> {
    const path = this.planPath(plan.id);
    await fileSystem().writeText(path, plan.toJson(), { mode: 0o600 });
    return path;
  }

  /**
   * Reads a plan.
   *
   * @throws {ConfigurationError} when the id is none, there is no such plan, or its file was edited or renamed.
   */
  async load(id: string): Promise<ChangePlan> {
    const plan = await ChangePlan.load(this.planPath(id));
    if (plan.id !== id) {
      throw new ConfigurationError(`Cannot use the plan file of "${id}": it holds plan "${plan.id}"`);
    }
    return plan;
  }

  /** Ids of the plans, newest first. */
  async ids(): Promise<string[]> {
    const names = await fileSystem().list(this.path);
    const ids = names.flatMap((name) => /^plan-([A-Za-z0-9-]{1,64})\.json$/.exec(name)?.[1] ?? []);
    // An id begins with the time it was made at.
    return ids.sort().reverse();
  }

  /** How far a plan got. */
  async status(id: string): Promise<PlanStatus> {
    const result = await this.#read<ResultFile>(id, "result.json");
    const journal = await readIfThere(this.#path(id, "journal.jsonl"));
    const began = journal === undefined ? undefined : timeOf(journal);
    if (result !== undefined) {
      const { ok, summary, applied_at: at, rollback_plan_id: rollback } = result;
      return {
        state: "applied",
        at: typeof at === "string" ? at : began ?? UNKNOWN_TIME,
        ok: ok === true,
        summary: typeof summary === "string" ? summary : "its result file is damaged",
        rollbackPlanId: await this.#has(rollback) ? rollback as string : undefined,
      };
    }
    if (journal !== undefined) return { state: "unfinished", at: began ?? "this moment" };
    const refusal = await this.#read<{ refused_at?: unknown }>(id, "refused.json");
    if (refusal === undefined) return { state: "open" };
    const { refused_at: at } = refusal;
    return { state: "refused", at: typeof at === "string" ? at : UNKNOWN_TIME };
  }

  /**
   * Applies a plan of this folder: sends it with a journal, saves the result and the plan that undoes it. Of several who
   * try at the same moment, in this process or another, exactly one gets to send, for only one can make the journal.
   * When nothing was done because of a failure, the plan stays open.
   *
   * @throws {ConfigurationError} when the plan was applied or refused before.
   * @throws whatever `plan.apply` throws; nothing was done then.
   */
  async apply(
    plan: ChangePlan,
    client: PlanTarget,
    options: Omit<ApplyOptions, "journal"> = {},
  ): Promise<AppliedPlan> {
    await this.ensureOpen(plan.id);
    let result: PlanResult;
    try {
      result = await plan.apply(client, { ...options, journal: this.#path(plan.id, "journal.jsonl") });
    } catch (error) {
      // Somebody else may have been faster by a moment; that is what the caller wants to know then.
      await this.ensureOpen(plan.id);
      throw error;
    }
    const undo = result.rollbackPlan();
    const rollback = undo.changes.length > 0 ? undo : undefined;
    const resultPath = this.#path(plan.id, "result.json");
    const applied = { result, resultPath, rollback, rollbackWarnings: undo.warnings };
    try {
      if (rollback !== undefined) await this.save(rollback);
      const data = {
        ...result.toData(),
        applied_at: new Date(this.#now()).toISOString(),
        rollback_plan_id: rollback?.id ?? null,
        rollback_warnings: undo.warnings,
      };
      await fileSystem().writeText(resultPath, JSON.stringify(data, null, 2) + "\n", { mode: 0o600 });
      return { ...applied, notSaved: undefined };
    } catch (error) {
      // What was done must be told even where it cannot be written down.
      return { ...applied, notSaved: error as Error };
    }
  }

  /** Writes down that a person refused the plan, so that agents can never apply it. */
  async refuse(plan: ChangePlan): Promise<void> {
    const refusal = { plan_id: plan.id, refused_at: new Date(this.#now()).toISOString() };
    await fileSystem().createText(this.#path(plan.id, "refused.json"), JSON.stringify(refusal) + "\n");
  }

  /**
   * Throws when the plan cannot be applied any more.
   *
   * @throws {ConfigurationError} that says what became of it.
   */
  async ensureOpen(id: string): Promise<void> {
    const status = await this.status(id);
    if (status.state === "open") return;
    throw new ConfigurationError(`Cannot apply plan ${id}: ${closedBecause(status, this.planPath(id))}`);
  }

  /** Saves a person's approval of a plan and returns its path. */
  async saveApproval(approval: Approval): Promise<string> {
    const path = this.#path(approval.plan_id, "approval.json");
    await fileSystem().writeText(path, JSON.stringify(approval, null, 2) + "\n");
    return path;
  }

  /**
   * Throws unless a person approved the plan as it is and the approval still holds.
   *
   * @param options.publicKey Path of the public half of the person's key.
   * @throws {ConfigurationError} that says what is missing or wrong.
   */
  async ensureApproved(plan: ChangePlan, options: { publicKey: string }): Promise<void> {
    const approval = await this.#read<unknown>(plan.id, "approval.json");
    if (approval === undefined) {
      throw new ConfigurationError(`Cannot apply plan ${plan.id}: nobody has approved it yet`);
    }
    await checkApproval(plan, approval, { ...options, now: this.#now });
  }

  /**
   * Path of a plan's file.
   *
   * @throws {ConfigurationError} when the id could leave the folder.
   */
  planPath(id: string): string {
    return this.#path(id, "json");
  }

  #path(id: string, ending: string): string {
    if (!PLAN_ID.test(id)) {
      throw new ConfigurationError(
        `Cannot find plan ${JSON.stringify(id)}: a plan id is letters, digits and hyphens, 64 at the most`,
      );
    }
    return fileSystem().join(this.path, `plan-${id}.${ending}`);
  }

  /** True for the id of a plan of this folder. The command line keeps the undoing under a name of its own. */
  async #has(id: unknown): Promise<boolean> {
    if (typeof id !== "string" || !PLAN_ID.test(id)) return false;
    return await readIfThere(this.planPath(id)) !== undefined;
  }

  /** The data of a file; `undefined` without one, an empty record for one that is no JSON. */
  async #read<Data>(id: string, ending: string): Promise<Data | undefined> {
    const text = await readIfThere(this.#path(id, ending));
    return text === undefined ? undefined : parsed(text) as Data;
  }
}

function closedBecause(status: Exclude<PlanStatus, { state: "open" }>, path: string): string {
  switch (status.state) {
    case "refused":
      return `a person refused it at ${status.at}, which is final. Make a new plan`;
    case "applied":
      return `it was applied at ${status.at} (${status.summary.replaceAll("\n", "; ")}). Make a new plan`;
    case "unfinished":
      return `its application began at ${status.at} and no result is saved yet. Either it is still running, or it was ` +
        `cut off: "adsctl plan resume ${path}" finds out what was done`;
  }
}

function timeOf(journal: string): string | undefined {
  const at = (parsed(journal.split("\n")[0]!) as { at?: unknown }).at;
  return typeof at === "string" ? at : undefined;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readNamedFile(path, "the file");
  } catch (error) {
    if (((error as Error).cause as { code?: string } | undefined)?.code === "ENOENT") return undefined;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
