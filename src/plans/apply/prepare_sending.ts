import { ConfigurationError } from "../../errors.ts";
import { type ChangeResult, ownResult, type PlacedChange } from "../model/change_result.ts";
import { driftError, driftText, findDrift } from "../state/drift.ts";
import { type Finding, findingKey, keepsBack, type Override, overrideOf } from "../model/finding.ts";
import { changeGraph, idsByRef, withIds } from "../model/change_ref.ts";
import type { Change } from "../model/change.ts";
import type { PlanData } from "../model/plan_data.ts";
import type { Judgement, PlanTarget } from "../model/plan_target.ts";
import { AccountReading } from "../state/account_reading.ts";
import { changesAsSent, requestsHash, wholeBodies } from "../state/changes_as_sent.ts";
import { readChanged } from "../state/read_prior_state.ts";
import type { Approval } from "../model/approval.ts";
import { ensureAccepted } from "../review/approval.ts";

/** Options of the check before the changes of a plan are sent. */
export interface CheckOptions {
  /** Re-read every entity first and refuse when one no longer holds its `before` value. @default false */
  readonly checkDrift?: boolean | undefined;
  /** Re-read every entity first and leave out those that no longer hold their `before` value. @default false */
  readonly skipDrifted?: boolean | undefined;
  /** Also send changes that the platform will refuse according to the findings. @default false */
  readonly sendAnyway?: boolean | undefined;
  /** Name of the approver, for a policy that needs a person's approval; stored with the result. */
  readonly approvedBy?: string | undefined;
  /** A person's signed approval, stored with the result. A store passes the one saved with the plan. */
  readonly approval?: Approval | undefined;
  /** Findings that the approver has seen and accepted, in addition to those of a policy; kept with the result. */
  readonly accepted?: readonly Finding[] | undefined;
  /** Findings of a review made just now, in place of the findings in the plan. */
  readonly reviewed?: readonly Finding[] | undefined;
  /**
   * Findings on calls that another plan put back, which are never sent.
   *
   * @internal
   */
  readonly putBack?: readonly Finding[] | undefined;
  /**
   * Positions of the changes that were shown as left out because the account changed, or as put back by another plan.
   *
   * @default those in `reviewed`
   *
   * @internal
   */
  readonly leftOut?: readonly number[] | undefined;
  /**
   * Changes as encoded in their request bodies, by position, if they have just been judged and shown.
   *
   * @default they are encoded
   *
   * @internal
   */
  readonly bodies?: ReadonlyMap<number, Change> | undefined;
  /** Aborts the checks before anything is sent. */
  readonly signal?: AbortSignal | undefined;
}

export interface Prepared {
  readonly known: ReadonlyMap<number, ChangeResult>;
  readonly judgement: Judgement;
  readonly approvedBy: string | undefined;
  readonly override: Override | undefined;
  readonly bodies: ReadonlyMap<number, Change>;
  readonly requests: string;
}

const UNJUDGED: Judgement = { findings: [], settle: () => Promise.resolve() };

/**
 * The only place where changes are judged, both for applying and for resuming.
 *
 * @param known Existing verdicts by position; all other changes are open.
 * @throws {TypeError} for missing or circular references.
 * @throws {ConfigurationError} for an unknown kind.
 * @throws {PlanDriftError} with `checkDrift`, when the account changed.
 * @throws {ApprovalError} when the policy asks about something that was not accepted.
 * @throws whatever the client's judge throws.
 */
export async function prepareSending(
  plan: PlanData,
  client: PlanTarget,
  { known, options, resumes = false, exclusive = resumes }: {
    known: ReadonlyMap<number, ChangeResult>;
    options: CheckOptions;
    resumes?: boolean;
    exclusive?: boolean;
  },
): Promise<Prepared> {
  const { signal } = options;
  const results = new Map(known);
  const account = new AccountReading().by(client, signal);
  const open = (): PlacedChange[] =>
    plan.changes.map((change, at) => ({ at, change })).filter(({ at }) => !results.has(at));

  changeGraph(plan.changes);
  const entities = open().filter(({ change }) => change.op !== "call");
  for (const kind of new Set(entities.map(({ change }) => change.kind))) client.resource(kind);
  if (entities.length < open().length && client.calls === undefined) {
    throw new ConfigurationError(`Cannot send plan ${plan.id}: this client cannot call operations`);
  }
  const ofUndo = options.reviewed !== undefined || plan.reverses === null || options.sendAnyway
    ? []
    : await refusalsOfUndo(open(), client, { account, signal });
  // What drifted is looked at below: some of it may be done already.
  const refusals = [...options.reviewed ?? plan.findings, ...ofUndo, ...options.putBack ?? []].filter((
    finding,
  ) => finding.code !== "DRIFTED" && keepsBack(finding, options.sendAnyway === true));
  for (const [at, result] of foreseenRefusals(refusals, open())) results.set(at, result);
  if (options.checkDrift || options.skipDrifted) {
    await readChanged(open().map(({ change }) => change), account);
    const drifted = findDrift(open(), account, client);
    if (drifted.size > 0 && !options.skipDrifted) {
      throw driftError(plan.id, [...drifted.values()].flatMap(({ fields }) => fields));
    }
    for (const placed of open()) {
      const drift = drifted.get(placed.at);
      if (drift === undefined) continue;
      const result: ChangeResult = drift.already
        ? { change: placed.change, outcome: "already", ...(placed.change.id && { id: placed.change.id }) }
        : ownResult(placed, "not_sent", {
          code: "DRIFTED",
          message: `Never sent, because the account changed: ${drift.fields.map(driftText).join("; ")}`,
          hint: "Make a new plan for this change, or keep the account as it is",
        });
      results.set(placed.at, result);
    }
    // What stays as it is may be why the rest is not possible.
    const more = drifted.size > 0 && plan.reverses !== null && !options.sendAnyway
      ? await refusalsOfUndo(open(), client, { account, signal })
      : [];
    for (const [at, result] of foreseenRefusals(more, open())) results.set(at, result);
  }
  // What was shown as left out stays out, even where the account has moved back since.
  const leftOut = (options.reviewed ?? []).filter(({ code }) => code === "DRIFTED");
  for (const [at, result] of foreseenRefusals(leftOut, open())) results.set(at, result);
  const shownOut = new Set(options.leftOut ?? leftOutOf(options.reviewed ?? []));
  for (const [at, result] of results) {
    if (isLeftOut(result.error) && shownOut.has(at)) results.set(at, { ...result, leftOut: true });
  }
  const { approvedBy, approval, accepted = [], sendAnyway, reviewed = plan.findings } = options;
  const isOpen = new Set(open().map(({ at }) => at));
  const foreseen = reviewed.filter(({ refused, change }) =>
    sendAnyway === true && refused === true && change !== undefined && isOpen.has(change)
  );
  const ids = idsByRef(results.values());
  const shown = options.bodies;
  const left = open().map(({ at, change }) => ({ at, change: withIds(shown?.get(at) ?? change, ids) }));
  const fresh = left.filter(({ at }) => shown?.has(at) !== true);
  const encoded = new Map(
    (await changesAsSent(plan.id, fresh, { client, account, signal })).map((placed) => [placed.at, placed]),
  );
  const asSent = left.map((placed) => encoded.get(placed.at) ?? { ...placed, isWhole: true });
  const judgement = await client.judge?.({
    plan,
    open: asSent,
    client,
    approvedBy,
    resumes,
    exclusive,
    account,
    signal,
  }) ?? UNJUDGED;
  try {
    signal?.throwIfAborted();
    if (options.reviewed !== undefined) ensureShown(plan, { judgement, accepted });
  } catch (error) {
    await judgement.withdraw?.().catch(() => {});
    throw error;
  }
  const asking = approvedBy === undefined
    ? []
    : [...accepted, ...judgement.findings].filter(({ level }) => level === "approve");
  const override = overrideOf([...asking, ...foreseen], {
    by: approvedBy ?? "an unnamed sender",
    approval,
  });
  return {
    known: results,
    judgement,
    approvedBy,
    override,
    bodies: wholeBodies(asSent),
    requests: requestsHash(asSent),
  };
}

/**
 * Checks that the person accepted everything that the policy asks about now, which may be more than when the person
 * was asked.
 */
function ensureShown(
  plan: PlanData,
  { judgement, accepted }: { judgement: Judgement; accepted: readonly Finding[] },
): void {
  const asks = judgement.findings.filter(({ level }) => level === "approve");
  ensureAccepted({ plan, asks }, accepted.map(findingKey));
}

async function refusalsOfUndo(
  open: readonly PlacedChange[],
  client: PlanTarget,
  reading: { account: AccountReading; signal: AbortSignal | undefined },
): Promise<Finding[]> {
  const existing = open.filter(({ change }) => change.op === "update" || change.op === "archive");
  if (client.preflight === undefined || existing.length === 0) return [];
  const changes = existing.map(({ change: { ref: _ref, dependsOn: _dependsOn, ...change } }) => change);
  const { findings } = await client.preflight(changes, { ...reading, reorder: false });
  return findings.flatMap((finding) => {
    const placed = finding.change === undefined ? undefined : existing[finding.change];
    return placed === undefined ? [] : [{ ...finding, change: placed.at }];
  });
}

/** Positions of the changes that findings leave out: the account changed, or another plan put them back. */
export function leftOutOf(findings: readonly Finding[]): number[] {
  return findings.flatMap(({ change, ...finding }) =>
    isLeftOut(finding) && change !== undefined ? [change] : []
  );
}

function isLeftOut(why: { readonly code: string | undefined } | undefined): boolean {
  return why?.code === "DRIFTED" || why?.code === "PUT_BACK";
}

function foreseenRefusals(
  findings: readonly Finding[],
  open: readonly PlacedChange[],
): Map<number, ChangeResult> {
  const refusals = new Map<number, Finding>();
  for (const finding of findings) {
    if (finding.refused && finding.change !== undefined) refusals.set(finding.change, finding);
  }
  return new Map(open.flatMap((placed) => {
    const finding = refusals.get(placed.at);
    if (finding === undefined) return [];
    const { code, message, hint, allowed = "" } = finding;
    const [, lowerLimit, upperLimit] = /^([\d.]+) to ([\d.]+)\b/.exec(allowed) ?? [];
    const reason = code === "REPLACEMENT_REFUSED"
      ? "the entity would be lost: "
      : isLeftOut(finding)
      ? ""
      : "the platform would refuse it: ";
    const text = `Never sent, because ${reason}${message}`;
    const why = { code, message: text, hint, lowerLimit, upperLimit };
    return [[placed.at, ownResult(placed, "not_sent", why)] as const];
  }));
}
