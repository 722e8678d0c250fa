import { frozenJson } from "../../base/json/frozen_json.ts";
import { PartialFailureError } from "../../errors.ts";
import type { AppliedChanges, ApplyOptions } from "../apply/apply_plan.ts";
import { inverseOf, rollbackOf, type Undoable, undoableBy } from "./inverse.ts";
import { type PlanFile, planFileParts, planFileText, planFingerprint } from "./plan_file.ts";
import { PlanFileReader } from "./read_plan_file.ts";
import type { Change, ChangeRow } from "../model/change.ts";
import { type ChangeResult, changeResultData } from "../model/change_result.ts";
import { changeRows } from "../model/differences.ts";
import type { Experiment } from "../model/experiment.ts";
import type { Finding, Override } from "../model/finding.ts";
import { gatherChanges } from "../model/gathered_changes.ts";
import { mergedFields } from "../model/merge_plans.ts";
import {
  type ChangePlanFields,
  type MoneyAtRisk,
  NO_NAMES,
  type PlanData,
  type PlanNames,
} from "../model/plan_data.ts";
import type { PlanTarget } from "../model/plan_target.ts";
import { groupName } from "../model/planned_call.ts";
import type { RowVerdict } from "../model/row_verdicts.ts";
import { planMarkdown } from "../view/plan_markdown.ts";
import { BatchResult } from "../../platform/batch/batch_result.ts";

/**
 * Planned changes to one profile: current values, new values, and a fingerprint that is equal for plans that do the
 * same.
 *
 * @example
 * ```ts
 * import { ChangePlan, type ProfileClient } from "@platform/ads";
 *
 * async function raise(us: ProfileClient, keywordId: string): Promise<void> {
 *   const plan = await us.sp.keywords.planUpdate([{ keywordId, bid: 0.9 }], { note: "Raise one" });
 *   for (const { label, field, before, after } of plan.table()) console.log(label, field, before, after);
 *   const path = await plan.save("plans/"); // for somebody else to read
 *   const loaded = await ChangePlan.load(path); // an edited file is refused
 *   const result = await loaded.apply(us, { checkDrift: true });
 *   await result.rollbackPlan().apply(us);
 * }
 * ```
 */
export class ChangePlan implements PlanData {
  /** Id of the plan; safe as a part of a file name. */
  readonly id: string;
  /** When the plan was made, ISO 8601. */
  readonly createdAt: string;
  /** Id of the profile the plan is for. */
  readonly profileId: string;
  /** Country of that profile. */
  readonly countryCode: string;
  /** Changes in their sending order. */
  readonly changes: readonly Change[];
  /** Requested ids that the platform did not return. */
  readonly missing: readonly string[];
  /** Remarks to read before applying. */
  readonly warnings: readonly string[];
  /** Reason for the plan; `null` when none was given. */
  readonly note: string | null;
  /** Id of the plan that this one undoes; `null` if it undoes none. */
  readonly reverses: string | null;
  /** Findings about the changes from the time the plan was made. */
  readonly findings: readonly Finding[];
  /** Estimated change in daily spend; `null` without an estimate. */
  readonly money: MoneyAtRisk | null;
  /** Names of the campaigns and ad groups of the changed entities, as far as they were read. */
  readonly names: PlanNames;
  /** Experiment with the held-back part of the plan; `null` for none. */
  readonly experiment: Experiment | null;
  /** Time of the account copy that the plan was made on, ISO 8601; `null` for the real account. */
  readonly rehearsal: string | null;
  /** SHA-256 over profile, country, changes, experiment and rehearsal, independent of id, time and note. */
  readonly fingerprint: string;
  #applied = false;

  /**
   * Creates a plan as a deeply frozen copy: nothing can be altered between review and sending.
   *
   * @param fields Contents of the plan.
   * @throws {TypeError} if a change holds a value that JSON cannot represent, or lacks the id of an existing entity.
   */
  constructor(fields: ChangePlanFields) {
    this.createdAt = fields.createdAt ?? new Date().toISOString();
    this.id = fields.id ?? newPlanId(this.createdAt);
    this.profileId = fields.profileId;
    this.countryCode = fields.countryCode;
    this.changes = gatherChanges(fields.changes);
    this.missing = Object.freeze([...(fields.missing ?? [])]);
    this.warnings = Object.freeze([...(fields.warnings ?? [])]);
    this.note = fields.note ?? null;
    this.reverses = fields.reverses ?? null;
    this.findings = frozenJson(fields.findings ?? [], "findings");
    this.money = frozenJson(fields.money ?? null, "money");
    this.names = frozenJson(fields.names ?? NO_NAMES, "names");
    this.experiment = frozenJson(fields.experiment ?? null, "experiment");
    this.rehearsal = fields.rehearsal ?? null;
    this.fingerprint = planFingerprint(this);
    Object.freeze(this);
  }

  /** One row for each changed field. */
  table(): ChangeRow[] {
    return changeRows(this.changes);
  }

  /** The plan for people, as Markdown: heading, table, warnings, one closing line of counts. */
  toMarkdown(): string {
    return planMarkdown(this);
  }

  /** The changes by `<op> <kind>`, in the order in which the groups first appear. */
  grouped(): Map<string, Change[]> {
    return Map.groupBy(this.changes, groupName);
  }

  /**
   * Merges plans into one, in their order, to be applied and undone together. Identical changes are kept once, and
   * duplicate change names are renamed.
   *
   * @throws {TypeError} for plans of different profiles, or that change one entity in different ways.
   */
  static merge(plans: readonly ChangePlan[]): ChangePlan {
    return new ChangePlan(mergedFields(plans));
  }

  /**
   * Returns a plan that restores every `before` value. Creates, archives and fields without an earlier value cannot be
   * restored this way and are listed in its warnings.
   */
  inverse(): ChangePlan {
    return new ChangePlan(inverseOf(this));
  }

  /**
   * Sends the plan. The result has a verdict for every change, even if sending stops early.
   *
   * @param client The client of the profile the plan is for.
   * @throws {PlanDriftError} with `checkDrift`, when the account no longer holds a `before` value. Nothing was sent.
   * @throws {ConfigurationError} when the plan is for another profile.
   * @throws {PlanStateError} when it was applied before.
   */
  async apply(client: PlanTarget, options: ApplyOptions = {}): Promise<PlanResult> {
    const { applyPlan } = await import("../apply/apply_plan.ts");
    const applied = await applyPlan(this, client, {
      ...options,
      claim: () => {
        if (this.#applied) return false;
        return this.#applied = true;
      },
      release: () => this.#applied = false,
    });
    return new PlanResult(this, applied, undoableBy(client));
  }

  /** The plan as the text of a plan file. */
  toJson(): string {
    return planFileText(this);
  }

  /** The plan as the data of a plan file. */
  toData(): PlanFile {
    return JSON.parse(this.toJson()) as PlanFile;
  }

  /**
   * Writes the plan file atomically, readable only by its owner, and returns its path.
   *
   * @param path A file; or a folder (existing, ending in a slash, or without an extension), which gets
   * `plan-<id>.json`.
   */
  async save(path: string): Promise<string> {
    const { fileSystem } = await import("../../base/runtime/file_system.ts");
    const files = fileSystem();
    // A dot that begins a name begins no extension: ".plans" is a folder.
    const isFolder = /[\\/]$/.test(path) || !/[^\\/]\.[^\\/.]+$/.test(path) || await files.isDirectory(path);
    const target = isFolder ? files.join(path, `plan-${this.id}.json`) : path;
    await files.writeText(target, planFileParts(this), { mode: 0o600 });
    return target;
  }

  /**
   * Reads a plan file.
   *
   * @throws {ConfigurationError} when the file cannot be read, or is not a plan.
   * @throws {PlanStateError} when it was edited after it was made.
   */
  static async load(path: string): Promise<ChangePlan> {
    const { readNamedParts } = await import("../../base/runtime/read_named_file.ts");
    const reader = new PlanFileReader({ path });
    for await (const part of readNamedParts(path, "the plan file")) reader.add(part);
    return new ChangePlan(reader.end());
  }

  /**
   * Parses the text of a plan file.
   *
   * @throws {ConfigurationError} when the text is not a plan.
   * @throws {PlanStateError} when it was edited after it was made.
   */
  static fromJson(
    text: string,
    options: { /** Path of the file, for messages. */ path?: string } = {},
  ): ChangePlan {
    const reader = new PlanFileReader(options);
    reader.add(text);
    return new ChangePlan(reader.end());
  }
}

/**
 * The result of applying a plan: a verdict for every change.
 *
 * @example
 * ```ts
 * import type { ChangePlan, ProfileClient } from "@platform/ads";
 *
 * async function applied(plan: ChangePlan, us: ProfileClient): Promise<void> {
 *   const result = await plan.apply(us, { checkDrift: true });
 *   for (const { change, outcome, error } of result.changes) console.log(change.label, outcome, error?.message);
 *   if (!result.ok) await result.rollbackPlan().save("plans/"); // undoes what was accepted, and only that
 * }
 * ```
 */
export class PlanResult {
  /** The plan that was applied. */
  readonly plan: ChangePlan;
  /** One verdict for each change of the plan, by its position. */
  readonly changes: readonly ChangeResult[];
  /** The error that ended the sending before every change was sent; `undefined` when it completed. */
  readonly stoppedBy: Error | undefined;
  /** Errors while saving records of changes that had already been made; empty if all were saved. */
  readonly notWritten: readonly Error[];
  /** Findings of the check right before sending. */
  readonly findings: readonly Finding[];
  /** Name of the approver; `undefined` if the plan was sent without an approval. */
  readonly approvedBy: string | undefined;
  /** Overridden findings, with the person who decided; `undefined` for none. */
  readonly override: Override | undefined;
  /** True if another process took over the plan; that process determines and saves the result. */
  readonly takenOver: boolean;
  readonly #undoable: Undoable;

  /**
   * Collects the verdicts on a plan.
   *
   * @param undoable Operations that the platform can undo.
   */
  constructor(plan: ChangePlan, applied: AppliedChanges, undoable: Undoable) {
    this.plan = plan;
    this.changes = Object.freeze([...applied.changes]);
    this.stoppedBy = applied.stoppedBy;
    this.notWritten = applied.notWritten;
    this.findings = applied.findings;
    this.approvedBy = applied.approvedBy;
    this.override = applied.override;
    this.takenOver = applied.takenOver ?? false;
    this.#undoable = undoable;
  }

  /** True if every change is done or was already in place. */
  get ok(): boolean {
    return this.changes.every(({ outcome }) => outcome === "done" || outcome === "already");
  }

  /** The changes that are not done, in the order of the plan. */
  get failures(): (ChangeResult & Required<Pick<ChangeResult, "error">>)[] {
    return this.changes.flatMap(({ error, ...result }) => error === undefined ? [] : [{ ...result, error }]);
  }

  /** The same verdicts, grouped into batches by `<op> <kind>`; indexes are positions in the group. */
  get results(): ReadonlyMap<string, BatchResult> {
    const groups = Map.groupBy(this.changes, ({ change }) => groupName(change));
    return new Map([...groups].map(([group, results]) => {
      const placed = results.map((result, index) => ({ ...result, index }));
      const successes = placed.flatMap(({ error, index, id, change }) =>
        error === undefined ? [{ index, id, item: change.after, entity: undefined }] : []
      );
      const errors = placed.flatMap(({ error, index }) => error === undefined ? [] : [{ ...error, index }]);
      return [group, new BatchResult(successes, errors, this.stoppedBy)];
    }));
  }

  /** Counts as text, one line for each operation and kind. */
  summary(): string {
    if (this.changes.length === 0) return "Nothing to do";
    return [...this.results].map(([group, result]) => `${group}: ${result.summary()}`).join("\n");
  }

  /**
   * Throws if any change was not accepted.
   *
   * @throws {PartialFailureError} that holds this result.
   */
  raiseForErrors(): void {
    if (this.ok) return;
    throw new PartialFailureError(
      `Plan ${this.plan.id} was accepted only in part. ${this.summary().replaceAll("\n", "; ")}`,
      this,
      this.stoppedBy === undefined ? undefined : { cause: this.stoppedBy },
    );
  }

  /** Verdicts on the rows of uploads, in the order of the file; without values of the rows. */
  async rowVerdicts(): Promise<readonly RowVerdict[]> {
    const { rowVerdicts } = await import("../model/row_verdicts.ts");
    return [...rowVerdicts(this.plan.changes, this.changes)];
  }

  /**
   * The plan that undoes accepted changes, including partly accepted ones: updates return to their `before` values,
   * created entities are archived. Archives and changes with an unknown outcome are listed in its warnings.
   */
  rollbackPlan(): ChangePlan {
    return new ChangePlan(rollbackOf(this.plan, this.changes, this.#undoable));
  }

  /** The result as data, with the field names of result files and `--json`. */
  toData(): Record<string, unknown> {
    return {
      plan_id: this.plan.id,
      fingerprint: this.plan.fingerprint,
      profile_id: this.plan.profileId,
      ok: this.ok,
      summary: this.summary(),
      approved_by: this.approvedBy ?? null,
      missing: this.plan.missing,
      override: this.override ?? null,
      changes: this.changes.map(changeResultData),
    };
  }
}

function newPlanId(createdAt: string): string {
  const time = createdAt.replace(/\D/g, "").slice(0, 14);
  return `${time.slice(0, 8)}-${time.slice(8)}-${crypto.randomUUID().slice(0, 8)}`;
}
