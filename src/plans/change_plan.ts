import { fileSystem } from "../runtime/file_system.ts";
import { readNamedFile } from "../runtime/read_named_file.ts";
import { type ApplyOptions, applyPlan } from "./apply_plan.ts";
import { canonicalJson } from "../internal/canonical_json.ts";
import type { Change, ChangeRow } from "./change.ts";
import { changeRows } from "./change_rows.ts";
import { frozenJson } from "../internal/frozen_json.ts";
import { inverseOf } from "./inverse.ts";
import { planMarkdown } from "./plan_markdown.ts";
import { parsePlanFile, type PlanFile, planFileText } from "./plan_file.ts";
import type { PlanResult } from "./plan_result.ts";
import type { PlanTarget } from "./plan_target.ts";
import { sha256 } from "../internal/sha256.ts";

/** What a plan is made of. */
export interface ChangePlanFields {
  /** Id of the profile the plan is for. */
  readonly profileId: string;
  /** Country of that profile. */
  readonly countryCode: string;
  /** What is changed, in the order in which it will be sent. */
  readonly changes: readonly Change[];
  /** Ids that were asked for and that the platform did not return. */
  readonly missing?: readonly string[];
  /** What the reader should know before applying. */
  readonly warnings?: readonly string[];
  /** Why the plan was made, in the maker's words. */
  readonly note?: string | null;
  /** Id of the plan that this one undoes. */
  readonly reverses?: string | null;
  /** Id; made up when absent. */
  readonly id?: string;
  /** When the plan was made, ISO 8601; now when absent. */
  readonly createdAt?: string;
}

/**
 * Changes to one profile before they happen: what will be sent, what is there now, and a fingerprint that tells
 * whether two plans would do the same.
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
export class ChangePlan {
  /** Id of the plan; safe as a part of a file name. */
  readonly id: string;
  /** When the plan was made, ISO 8601. */
  readonly createdAt: string;
  /** Id of the profile the plan is for. */
  readonly profileId: string;
  /** Country of that profile. */
  readonly countryCode: string;
  /** What is changed, in the order in which it will be sent. */
  readonly changes: readonly Change[];
  /** Ids that were asked for and that the platform did not return. */
  readonly missing: readonly string[];
  /** What the reader should know before applying. */
  readonly warnings: readonly string[];
  /** Why the plan was made; `null` when nobody said. */
  readonly note: string | null;
  /** Id of the plan that this one undoes; `null` for a plan of its own. */
  readonly reverses: string | null;
  /** SHA-256 over profile, country and changes, independent of id, time and note. */
  readonly fingerprint: string;
  #applied = false;

  /**
   * Makes a plan. The changes are copied and frozen: nothing can be altered between review and sending.
   *
   * @param fields What the plan is made of.
   * @throws {TypeError} when a change holds a value that JSON cannot.
   */
  constructor(fields: ChangePlanFields) {
    this.createdAt = fields.createdAt ?? new Date().toISOString();
    this.id = fields.id ?? newPlanId(this.createdAt);
    this.profileId = fields.profileId;
    this.countryCode = fields.countryCode;
    this.changes = Object.freeze(
      fields.changes.map((change, index) => frozenJson(change, `change ${index}`)),
    );
    this.missing = Object.freeze([...(fields.missing ?? [])]);
    this.warnings = Object.freeze([...(fields.warnings ?? [])]);
    this.note = fields.note ?? null;
    this.reverses = fields.reverses ?? null;
    this.fingerprint = fingerprint(this);
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
    return Map.groupBy(this.changes, (change) => `${change.op} ${change.kind}`);
  }

  /**
   * The plan that restores every `before` value. Fields that had no value before, creates and archives cannot be
   * undone that way and are told in its warnings.
   */
  inverse(): ChangePlan {
    return new ChangePlan({ ...inverseOf(this), reverses: this.id });
  }

  /**
   * Sends the plan. The result holds a verdict for every change, whatever happens on the way.
   *
   * @param client The client of the profile the plan is for.
   * @throws {PlanDriftError} with `checkDrift`, when the account no longer holds a `before` value. Nothing was sent.
   * @throws {ConfigurationError} when the plan is for another profile or was applied before.
   */
  apply(client: PlanTarget, options: ApplyOptions = {}): Promise<PlanResult> {
    return applyPlan(this, client, {
      ...options,
      newPlan: (fields) => new ChangePlan(fields),
      claim: () => {
        if (this.#applied) return false;
        return this.#applied = true;
      },
      release: () => this.#applied = false,
    });
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
   * Writes the plan file so that no reader sees a part of it, and returns its path.
   *
   * @param path A file; or a folder (existing, ending in a slash, or without an extension), which gets
   * `plan-<id>.json`.
   */
  async save(path: string): Promise<string> {
    const files = fileSystem();
    // A dot that begins a name begins no extension: ".plans" is a folder.
    const isFolder = /[\\/]$/.test(path) || !/[^\\/]\.[^\\/.]+$/.test(path) || await files.isDirectory(path);
    const target = isFolder ? files.join(path, `plan-${this.id}.json`) : path;
    await files.writeText(target, this.toJson());
    return target;
  }

  /**
   * Reads a plan file.
   *
   * @throws {ConfigurationError} when the file cannot be read, is no plan, or was edited after it was made.
   */
  static async load(path: string): Promise<ChangePlan> {
    const text = await readNamedFile(path, "the plan file");
    return new ChangePlan(parsePlanFile(text, { fingerprint, path }));
  }

  /**
   * Reads the text of a plan file.
   *
   * @throws {ConfigurationError} when the text is no plan, or was edited after it was made.
   */
  static fromJson(text: string): ChangePlan {
    return new ChangePlan(parsePlanFile(text, { fingerprint }));
  }
}

function fingerprint(plan: Pick<ChangePlan, "profileId" | "countryCode" | "changes">): string {
  const { profileId, countryCode, changes } = plan;
  return sha256(canonicalJson({ profile_id: profileId, country_code: countryCode, changes }));
}

function newPlanId(createdAt: string): string {
  const time = createdAt.replace(/\D/g, "").slice(0, 14);
  return `${time.slice(0, 8)}-${time.slice(8)}-${crypto.randomUUID().slice(0, 8)}`;
}
