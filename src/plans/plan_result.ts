import type { BatchResult } from "../batch/batch_result.ts";
import { PartialFailureError } from "../errors.ts";
import type { ChangePlan, ChangePlanFields } from "./change_plan.ts";
import type { Change } from "./change.ts";
import { invertChange } from "./inverse.ts";

/**
 * What became of a plan: a verdict for every change.
 *
 * @example
 * ```ts
 * import type { ChangePlan, ProfileClient } from "@platform/ads";
 *
 * async function applied(plan: ChangePlan, us: ProfileClient): Promise<void> {
 *   const result = await plan.apply(us, { checkDrift: true });
 *   for (const [what, batch] of result.results) console.log(what, batch.summary()); // update sp.keywords ...
 *   if (!result.ok) await result.rollbackPlan().save("plans/"); // undoes what was accepted, and only that
 * }
 * ```
 */
export class PlanResult {
  /** The plan that was applied. */
  readonly plan: ChangePlan;
  /** The verdicts of each group, by `<op> <kind>`; indexes are positions inside the group. */
  readonly results: ReadonlyMap<string, BatchResult>;
  readonly #newPlan: (fields: ChangePlanFields) => ChangePlan;
  readonly #canArchive: (kind: string) => boolean;

  /**
   * Gathers what became of a plan.
   *
   * @param parts The plan, its verdicts, and how to make the plan that undoes it.
   */
  constructor(parts: {
    plan: ChangePlan;
    results: ReadonlyMap<string, BatchResult>;
    newPlan: (fields: ChangePlanFields) => ChangePlan;
    canArchive: (kind: string) => boolean;
  }) {
    this.plan = parts.plan;
    this.results = parts.results;
    this.#newPlan = parts.newPlan;
    this.#canArchive = parts.canArchive;
  }

  /** True when every change was accepted. */
  get ok(): boolean {
    return [...this.results.values()].every((result) => result.ok);
  }

  /** Counts in words, a group a line. */
  summary(): string {
    if (this.results.size === 0) return "Nothing to do";
    return [...this.results].map(([group, result]) => `${group}: ${result.summary()}`).join("\n");
  }

  /**
   * Does nothing when every change was accepted.
   *
   * @throws {PartialFailureError} that holds this result.
   */
  raiseForErrors(): void {
    if (this.ok) return;
    const cause = [...this.results.values()].find((result) => result.stoppedBy !== undefined)?.stoppedBy;
    throw new PartialFailureError(
      `Plan ${this.plan.id} was not accepted whole. ${this.summary().replaceAll("\n", "; ")}`,
      this,
      cause === undefined ? undefined : { cause },
    );
  }

  /**
   * The plan that undoes what was accepted, and only that: updates go back to their `before` values, created
   * entities are archived. Archives, and changes whose outcome is unknown, are told in its warnings.
   */
  rollbackPlan(): ChangePlan {
    const warnings: string[] = [];
    const changes: Change[] = [];
    for (const [group, planned] of [...this.plan.grouped()].reverse()) {
      const result = this.results.get(group);
      for (const success of [...(result?.successes ?? [])].reverse()) {
        const change = planned[success.index]!;
        if (change.op === "create") changes.push(...this.#archive(change, success.id, warnings));
        else changes.push(...invertChange(change, warnings));
      }
      for (const error of result?.errors ?? []) {
        if (error.outcome !== "unknown" && error.outcome !== "partial") continue;
        const change = planned[error.index]!;
        warnings.push(
          `${change.kind} ${
            change.id ?? ""
          } ${change.label}: it may have been done in whole or in part, for no clear ` +
            "answer came. Read the account and undo it by hand if it was",
        );
      }
    }
    return this.#newPlan({
      profileId: this.plan.profileId,
      countryCode: this.plan.countryCode,
      changes,
      warnings,
      note: `Undo of plan ${this.plan.id}`,
      reverses: this.plan.id,
    });
  }

  #archive(change: Change, id: string | undefined, warnings: string[]): Change[] {
    if (id === undefined) {
      warnings.push(`${change.kind} ${change.label}: it was created, but its id did not come back`);
      return [];
    }
    if (!this.#canArchive(change.kind)) {
      warnings.push(
        `${change.kind} ${id} ${change.label}: it was created, and the platform has no way to archive it`,
      );
      return [];
    }
    return [{ ...change, op: "archive", id, before: {}, after: { state: "ARCHIVED" } }];
  }

  /** The result as data, with the field names of result files and `--json`. */
  toData(): Record<string, unknown> {
    return {
      plan_id: this.plan.id,
      fingerprint: this.plan.fingerprint,
      profile_id: this.plan.profileId,
      ok: this.ok,
      summary: this.summary(),
      results: Object.fromEntries([...this.results].map(([group, result]) => [group, result.toData()])),
    };
  }
}
