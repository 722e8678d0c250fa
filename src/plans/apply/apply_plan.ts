import { normalizeCountry } from "../../base/markets/markets.ts";
import { ConfigurationError } from "../../errors.ts";
import { type ChangeResult, doneResult, ownResult } from "../model/change_result.ts";
import type { Finding, Override } from "../model/finding.ts";
import type { PlanData } from "../model/plan_data.ts";
import { PlanStateError } from "../model/plan_errors.ts";
import type { PlanTarget } from "../model/plan_target.ts";
import { ApplyJournal } from "./apply_journal.ts";
import type { JournalFile } from "./journal_file.ts";
import type { ChangeStatus } from "./journal_reading.ts";
import { type CheckOptions, type Prepared, prepareSending } from "./prepare_sending.ts";
import { sendChanges, type SendChangesOptions, type SendParts } from "./send_changes.ts";

/**
 * Also checks the country that the reader of the plan saw.
 *
 * @param verb Action for the message, such as `apply`.
 */
export function ensureOwnProfile(
  plan: Pick<PlanData, "id" | "profileId" | "countryCode" | "rehearsal">,
  client: PlanTarget,
  verb: string,
): void {
  const isSame = client.profileId === plan.profileId &&
    normalizeCountry(client.countryCode) === normalizeCountry(plan.countryCode);
  if (isSame) {
    if (plan.rehearsal === null || plan.rehearsal === client.rehearsal) return;
    throw new ConfigurationError(
      `Cannot ${verb} plan ${plan.id} here: it was made on the copy of the account of ${plan.rehearsal}, by figures of ` +
        "that copy. Make it again from the account, or use a client of the copy",
    );
  }
  throw new ConfigurationError(
    `Cannot ${verb} plan ${plan.id}: it was made for profile ${plan.profileId} (${plan.countryCode}), ` +
      `and the client's profile is ${client.profileId} (${client.countryCode})`,
  );
}

/** Options for applying a plan. */
export interface ApplyOptions extends CheckOptions, SendChangesOptions {
  /** Aborts the request in flight; its outcome is then unknown. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Path of a write-ahead journal, or a custom one. Every request is written to it before it is sent, so
   * {@linkcode resumePlan} can finish an interrupted run. It must not exist yet, except from a run that failed before
   * it did anything.
   */
  readonly journal?: string | JournalFile | undefined;
  /**
   * Called once the journal exists, or was taken up by {@linkcode resumePlan}, before anything is sent. If it throws,
   * nothing is sent, and the plan can be applied or resumed later.
   */
  readonly begun?: (() => Promise<void>) | undefined;
}

export interface AppliedChanges {
  readonly changes: readonly ChangeResult[];
  readonly stoppedBy: Error | undefined;
  /** Errors from writing the journal or the day's totals after the changes were sent. */
  readonly notWritten: readonly Error[];
  readonly findings: readonly Finding[];
  readonly approvedBy?: string | undefined;
  readonly override?: Override | undefined;
  readonly takenOver?: boolean;
}

interface ApplyParts extends ApplyOptions {
  readonly claim: () => boolean;
  readonly release: () => void;
}

export async function applyPlan(
  plan: PlanData,
  client: PlanTarget,
  parts: ApplyParts,
): Promise<AppliedChanges> {
  ensureOwnProfile(plan, client, "apply");
  const { requests, ...prepared } = await prepareSending(plan, client, {
    known: new Map(),
    options: parts,
    exclusive: parts.journal !== undefined,
  });
  if (!parts.claim()) {
    await prepared.judgement.withdraw?.().catch(() => {});
    throw new PlanStateError(
      `Cannot apply plan ${plan.id} again: it was applied before. Make a new plan`,
      "applied",
    );
  }
  const journal = parts.journal === undefined
    ? undefined
    : new ApplyJournal(parts.journal, client.transport?.now);
  try {
    await journal?.begin(plan, { requests });
    await parts.begun?.();
    return await sendToEnd(plan, { ...prepared, client, journal, options: parts });
  } catch (error) {
    // Nothing was done, so the plan can be applied another time.
    parts.release();
    await prepared.judgement.withdraw?.().catch(() => {});
    await journal?.discard();
    throw error;
  }
}

export async function sendToEnd(
  plan: PlanData,
  parts: SendParts & Pick<Prepared, "judgement" | "approvedBy" | "override">,
): Promise<AppliedChanges> {
  const { findings, client = parts.client } = parts.judgement;
  const { approvedBy, override } = parts;
  const sent = await sendChanges(plan.changes, { ...parts, client });
  const notWritten: Error[] = [];
  const keep = (error: Error): void => void notWritten.push(error);
  if (sent.stoppedBy === undefined) await parts.journal?.end().catch(keep);
  else await parts.journal?.stop();
  const statuses = await parts.journal?.takenOver(plan);
  if (statuses !== undefined) {
    // The other process settles the day's limits too, with what it knows.
    const changes = sent.changes.map((result, at) => sharedResult(result, { at, status: statuses[at] }));
    return { ...sent, changes, notWritten, findings, approvedBy, override, takenOver: true };
  }
  await parts.judgement.settle(sent.changes).catch(keep);
  return { ...sent, notWritten, findings, approvedBy, override };
}

function sharedResult(
  result: ChangeResult,
  { at, status }: { readonly at: number; readonly status: ChangeStatus | undefined },
): ChangeResult {
  const { change, outcome } = result;
  if (outcome === "done" || outcome === "already") return result;
  if (status?.state === "done") return doneResult({ at, change }, { id: status.id });
  if (status?.state === "refused") return ownResult({ at, change }, "refused", status);
  return ownResult({ at, change }, "unknown", {
    code: "TAKEN_OVER",
    message: "Another process took over the plan and may have sent this change",
  });
}
