import { fileSystem } from "../connection/file_system.ts";
import { readNamedFile } from "../connection/read_named_file.ts";
import { stateFolder } from "../connection/user_folders.ts";
import { ConfigurationError } from "../errors.ts";
import type { ApplyOptions } from "./apply_plan.ts";
import { type Approval, checkApproval } from "./approval.ts";
import { ChangePlan } from "./change_plan.ts";
import type { PlanResult } from "./plan_result.ts";
import type { PlanStatus } from "./plan_status.ts";
import type { PlanTarget } from "./plan_target.ts";

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

interface Claim {
  readonly state: "applied" | "refused";
  readonly at: string;
  readonly fingerprint: string;
}

/**
 * A folder of plans that are each applied once at the most, whoever applies them: `plan-<id>.json` is the plan,
 * `applied-<id>.lock` says that somebody applies it or that it was refused, `journal-<id>.jsonl` is kept while
 * it is sent, `result-<id>.json` is what came of it, and `approval-<id>.json` a person's yes.
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
    const claim = await this.#claim(id);
    if (claim === undefined) {
      const began = await readIfThere(this.#path("journal", id, "jsonl"));
      return began === undefined ? { state: "open" } : { state: "unfinished", at: "an unknown time" };
    }
    if (claim.state === "refused") return { state: "refused", at: claim.at };
    const text = await readIfThere(this.#path("result", id));
    if (text === undefined) return { state: "unfinished", at: claim.at };
    const { ok, summary, rollback_plan_id: rollback } = JSON.parse(text) as Record<string, unknown>;
    return {
      state: "applied",
      at: claim.at,
      ok: ok === true,
      summary: String(summary),
      rollbackPlanId: typeof rollback === "string" ? rollback : undefined,
    };
  }

  /**
   * Applies a plan of this folder: claims it, sends it with a journal, saves the result and the plan that undoes it.
   * Of several who try at the same moment, in this process or another, exactly one gets to send. When nothing was done
   * because of a failure, the claim is given back and the plan stays open.
   *
   * @throws {ConfigurationError} when the plan was applied or refused before.
   * @throws whatever `plan.apply` throws; nothing was sent then.
   */
  async apply(
    plan: ChangePlan,
    client: PlanTarget,
    options: Omit<ApplyOptions, "journal" | "positions"> = {},
  ): Promise<AppliedPlan> {
    const journal = this.#path("journal", plan.id, "jsonl");
    if (await readIfThere(journal) !== undefined || !await this.#take(plan, "applied")) {
      throw await this.#notOpen(plan.id);
    }
    let result: PlanResult;
    try {
      result = await plan.apply(client, { ...options, journal });
    } catch (error) {
      await fileSystem().remove(journal);
      await fileSystem().remove(this.#path("applied", plan.id, "lock"));
      throw error;
    }
    const undo = result.rollbackPlan();
    const rollback = undo.changes.length > 0 ? undo : undefined;
    const resultPath = this.#path("result", plan.id);
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

  /** Writes down that a person refused the plan, so that it can never be applied; false when it was not open. */
  refuse(plan: ChangePlan): Promise<boolean> {
    return this.#take(plan, "refused");
  }

  /**
   * Throws when the plan cannot be applied any more.
   *
   * @throws {ConfigurationError} that says what became of it.
   */
  async ensureOpen(id: string): Promise<void> {
    if ((await this.status(id)).state !== "open") throw await this.#notOpen(id);
  }

  /** Saves a person's approval of a plan and returns its path. */
  async saveApproval(approval: Approval): Promise<string> {
    const path = this.#path("approval", approval.plan_id);
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
    const text = await readIfThere(this.#path("approval", plan.id));
    if (text === undefined) {
      throw new ConfigurationError(`Cannot apply plan ${plan.id}: nobody has approved it yet`);
    }
    await checkApproval(plan, parsed(text), { ...options, now: this.#now });
  }

  /**
   * Path of a plan's file.
   *
   * @throws {ConfigurationError} when the id could leave the folder.
   */
  planPath(id: string): string {
    return this.#path("plan", id);
  }

  #path(what: string, id: string, extension = "json"): string {
    if (!PLAN_ID.test(id)) {
      throw new ConfigurationError(
        `Cannot find plan ${JSON.stringify(id)}: a plan id is letters, digits and hyphens, 64 at the most`,
      );
    }
    return fileSystem().join(this.path, `${what}-${id}.${extension}`);
  }

  #take(plan: ChangePlan, state: Claim["state"]): Promise<boolean> {
    const claim: Claim = { state, at: new Date(this.#now()).toISOString(), fingerprint: plan.fingerprint };
    const text = JSON.stringify(claim) + "\n";
    return fileSystem().createText(this.#path("applied", plan.id, "lock"), text, { mode: 0o600 });
  }

  async #claim(id: string): Promise<Claim | undefined> {
    const text = await readIfThere(this.#path("applied", id, "lock"));
    if (text === undefined) return undefined;
    // A lock that is being written this very moment is empty: somebody has the plan all the same.
    return parsed(text) as Claim | undefined ?? { state: "applied", at: "this moment", fingerprint: "" };
  }

  async #notOpen(id: string): Promise<ConfigurationError> {
    const status = await this.status(id);
    const why = status.state === "refused"
      ? `a person refused it at ${status.at}, which is final. Make a new plan`
      : status.state === "applied"
      ? `it was applied at ${status.at} (${status.summary.replaceAll("\n", "; ")}). Make a new plan`
      : status.state === "unfinished"
      ? `its application began at ${status.at} and no result is saved yet. Either it is still running, or it was cut ` +
        `off: "adsctl plan resume" finds out what was done`
      : "somebody else was applying it a moment ago. Try again";
    return new ConfigurationError(`Cannot apply plan ${id}: ${why}`);
  }
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
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
