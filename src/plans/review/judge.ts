import { quotedName } from "../../base/text/visible_text.ts";
import { ConfigurationError } from "../../errors.ts";
import { canonicalJson } from "../../base/json/canonical_json.ts";
import { sha256 } from "../../base/text/sha256.ts";
import type { Change, Evidence } from "../model/change.ts";
import type { ChangeResult, PlacedChange } from "../model/change_result.ts";
import { type Finding, keepsBack } from "../model/finding.ts";
import { changeGraph, idsByRef, withIds } from "../model/change_ref.ts";
import type { MoneyAtRisk, PlanData, PlanNames } from "../model/plan_data.ts";
import type { PlanTarget } from "../model/plan_target.ts";
import type { SentWrite } from "../state/day_ledger.ts";
import { AccountReading } from "../state/account_reading.ts";
import type { HeldElsewhere } from "../model/experiment.ts";
import { heldFindings } from "./hold_back.ts";
import { planState } from "../state/plan_state.ts";
import { readAccountScale } from "../state/account_scale.ts";
import { type Drift, driftError, driftText, findDrift } from "../state/drift.ts";
import { changesAsSent, requestsHash, wholeBodies } from "../state/changes_as_sent.ts";
import { namesNow } from "../state/names.ts";
import { readChanged, readPriorState } from "../state/read_prior_state.ts";
import { DEFAULT_CODES } from "./default_findings.ts";
import type { PlanReview, ReviewOptions } from "./review_plan.ts";
import type { JudgeablePlan } from "../model/write_policy.ts";

export interface ReviewTarget extends PlanTarget {
  review(
    plan: JudgeablePlan & { readonly findings?: readonly Finding[] },
    options?: Pick<ReviewOptions, "account" | "sent" | "partOf" | "signal">,
  ): Promise<PlanReview>;
  heldElsewhere?(): Promise<HeldElsewhere>;
}

export interface Review {
  readonly plan: PlanData;
  /** The plan as shown: names, labels, findings and money come from the account, never from the plan file. */
  readonly shown: PlanData;
  readonly findings: readonly Finding[];
  readonly asks: readonly Finding[];
  readonly denied: readonly Finding[];
  readonly drift: ReadonlyMap<number, Drift>;
  readonly bodies: ReadonlyMap<number, Change>;
  readonly open: ReadonlySet<number>;
  readonly unsent: ReadonlySet<number>;
  /** Findings of the plan's policy that could not be repeated, because the client has no policy. */
  readonly unjudged: readonly Finding[];
  readonly takesClient: boolean;
  readonly names: PlanNames;
  readonly money: MoneyAtRisk;
  readonly evidence: Readonly<Record<string, Evidence>>;
  readonly parts: Readonly<Record<string, string>>;
  readonly digest: string;
}

export interface JudgeOptions {
  readonly found?: { readonly changes: readonly ChangeResult[] } | undefined;
  /**
   * Writes of the plan being undone; restoring them raises no default warning.
   *
   * @default none
   */
  readonly sent?: readonly SentWrite[] | undefined;
  /**
   * Findings on calls that another plan put back, which are left out.
   *
   * @default none
   */
  readonly putBack?: readonly Finding[] | undefined;
  readonly checkDrift?: boolean | undefined;
  readonly skipDrifted?: boolean | undefined;
  readonly sendAnyway?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the account once. Trusts only changes, note and warnings of the plan file. Sends nothing.
 *
 * @throws {PlanDriftError} with `checkDrift`, when the account changed.
 * @throws {TypeError} for references to missing changes.
 */
export async function judge(
  plan: PlanData,
  client: ReviewTarget,
  options: JudgeOptions = {},
): Promise<Review> {
  const { found, skipDrifted = false, sendAnyway = false, signal } = options;
  const account = new AccountReading().by(client, signal);
  const open = await changesAsSent(plan.id, openChanges(plan, found), { client, account, signal });
  const changes = open.map(({ change }) => change);
  if ((options.sent ?? []).length === 0) await readAccountScale(changes, client, { account, signal });
  await readPriorState(changes, client, { account, signal, surroundings: client.preflight !== undefined });
  await readChanged(changes, account);
  const drift = findDrift(open, account, client);
  const isOpen = new Set(open.map(({ at }) => at));
  const putBack = (options.putBack ?? []).filter(({ change = -1 }) => isOpen.has(change));
  const putBackAt = new Set(putBack.map(({ change }) => change));
  for (const at of drift.keys()) {
    if (found?.changes[at]?.outcome === "unknown" || putBackAt.has(at)) drift.delete(at);
  }
  if (options.checkDrift && !skipDrifted && drift.size > 0) {
    throw driftError(plan.id, [...drift.values()].flatMap(({ fields }) => fields));
  }
  const foreseen = [...await foreseenIn(plan, { open, client, account, signal }), ...putBack];
  const { unsent, why } = unsentOf(plan, { open, foreseen, drift, skipDrifted, sendAnyway });
  // What the platform would refuse is judged with the rest, and weighed apart from it; what drifted or was put back is
  // left out.
  const judged = open.filter(({ at }) => !(skipDrifted && drift.has(at)) && !putBackAt.has(at));
  const unsentFindings = [...foreseen, ...why].filter((finding) => keepsBack(finding, sendAnyway));
  const { findings: said, money, takesClient = false } = await client.review(
    partOf(plan, judged, indexed(unsentFindings, judged)),
    {
      account,
      sent: options.sent,
      partOf: { plan, open: new Set(judged.map(({ at }) => at)), resumes: found !== undefined },
      signal,
    },
  );
  await readPriorState(plan.changes, client, { account, signal });
  const { names, corrected } = namesNow(plan.changes, account, client);
  const weighed = said.map((finding) => placed(finding, judged));
  const findings = [...foreseen, ...why, ...await heldIn(plan, { judged, client, account }), ...weighed];
  const evidence = Object.fromEntries(
    plan.changes.flatMap(({ evidence }, at) => evidence === undefined ? [] : [[String(at), evidence]]),
  );
  const shown: PlanData = {
    ...plan,
    changes: corrected.size === 0
      ? plan.changes
      : plan.changes.map((change, at) => ({ ...change, ...corrected.get(at) })),
    names,
    findings: findings.map(({ refused: _, ...finding }, at) =>
      keepsBack(findings[at]!, sendAnyway) ? { ...finding, refused: true } : finding
    ),
    money,
  };
  const parts = {
    "the note": hash(plan.note),
    "the warnings": hash([plan.warnings, plan.missing]),
    "the names": hash([names, [...corrected]]),
    "the evidence": hash(evidence),
    "the plan file": hash([plan.names, plan.findings, plan.money]),
    // Of a plan that was cut off only the rest is encoded.
    ...(found === undefined ? { "the requests": requestsHash(open) } : {}),
  };
  return {
    plan,
    shown,
    findings,
    asks: findings.filter(({ level }) => level === "approve"),
    denied: findings.filter(({ level }) => level === "deny"),
    drift,
    bodies: wholeBodies(open),
    open: isOpen,
    unsent,
    unjudged: unjudgedFindings(plan, client),
    takesClient,
    names,
    money,
    evidence,
    parts,
    digest: hash([plan.fingerprint, parts, findings, money]),
  };
}

export function unjudgedFindings(
  { findings }: Pick<PlanData, "findings">,
  client: Pick<PlanTarget, "judge">,
): readonly Finding[] {
  return client.judge === undefined ? findings.filter(isOfPolicy) : [];
}

function isOfPolicy({ code, level }: Finding): boolean {
  return code.startsWith("POLICY") && (level === "deny" || level === "approve");
}

function openChanges(plan: PlanData, found: JudgeOptions["found"]): PlacedChange[] {
  const all = plan.changes.map((change, at) => ({ at, change }));
  if (found === undefined) return all;
  const ids = idsByRef(found.changes);
  // What is unknown may turn out not to have been done, and is sent then.
  return all.filter(({ at }) => ["not_sent", "unknown"].includes(found.changes[at]?.outcome ?? "not_sent"))
    .map(({ at, change }) => ({ at, change: withIds(change, ids) }));
}

async function foreseenIn(
  plan: PlanData,
  { open, client, account, signal }: {
    open: readonly PlacedChange[];
    client: PlanTarget;
    account: AccountReading;
    signal: AbortSignal | undefined;
  },
): Promise<Finding[]> {
  const isOpen = new Set(open.map(({ at }) => at));
  const own = plan.findings.filter(({ code, change }) =>
    !/^POLICY/.test(code) && !DEFAULT_CODES.has(code) && (change === undefined || isOpen.has(change))
  );
  if (client.preflight === undefined) return own;
  const entities = open.filter(({ change }) => change.op !== "call");
  if (entities.length === 0) return [];
  const { findings, left } = await client.preflight(entities.map(({ change }) => change), {
    account,
    signal,
  });
  const kept = entities.filter((_, index) => left?.has(index) !== true);
  return findings.map((finding) => placed(finding, kept));
}

async function heldIn(
  { id, profileId }: PlanData,
  { judged, client, account }: {
    judged: readonly PlacedChange[];
    client: ReviewTarget;
    account: AccountReading;
  },
): Promise<Finding[]> {
  let held: HeldElsewhere | undefined;
  try {
    held = await client.heldElsewhere?.();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    // A damaged record stops new plans, not the sending or the undoing of one.
    return [{ code: "HELD_BACK_ELSEWHERE", level: "advise", message: error.message }];
  }
  if (held === undefined || held.size === 0) return [];
  const { steps } = planState(judged.map(({ change }) => change), account);
  return heldFindings(steps, { held, planId: id, profileId }).map((finding) => placed(finding, judged));
}

function unsentOf(
  plan: PlanData,
  { open, foreseen, drift, skipDrifted, sendAnyway }: {
    open: readonly PlacedChange[];
    foreseen: readonly Finding[];
    drift: ReadonlyMap<number, Drift>;
    skipDrifted: boolean;
    sendAnyway: boolean;
  },
): { unsent: Set<number>; why: Finding[] } {
  const unsent = new Set<number>();
  const blocked = new Set<number>();
  const why: Finding[] = [];
  for (const finding of foreseen) {
    if (finding.change !== undefined && keepsBack(finding, sendAnyway)) blocked.add(finding.change);
  }
  for (const [at, { fields, already }] of drift) {
    if (skipDrifted && !already) blocked.add(at);
    if (skipDrifted) unsent.add(at);
    const message = already
      ? "the account already has this value"
      : `changed since the plan was made: ${fields.map(driftText).join("; ")}`;
    why.push({ code: "DRIFTED", level: "note", change: at, message, ...(skipDrifted && { refused: true }) });
  }
  const { needs } = changeGraph(plan.changes);
  for (let grows = true; grows;) {
    grows = false;
    for (const { at } of open) {
      const need = blocked.has(at) ? undefined : needs[at]?.find((one) => blocked.has(one));
      if (need === undefined) continue;
      blocked.add(at);
      grows = true;
      const message = `it waits for ${quotedName(plan.changes[need]!.label)}, which is not sent`;
      why.push({ code: "DEPENDS_ON_UNSENT", level: "note", change: at, message, refused: true });
    }
  }
  for (const at of blocked) unsent.add(at);
  return { unsent, why };
}

function partOf(
  plan: PlanData,
  sent: readonly PlacedChange[],
  findings: readonly Finding[],
): JudgeablePlan & { readonly findings: readonly Finding[] } {
  const names = new Set(sent.map(({ change }) => change.ref));
  // What is there already is referred to by its id; only that is left out and still referred to.
  const ids = new Map(
    plan.changes.flatMap(({ ref, id }) =>
      ref === undefined || id === null || names.has(ref) ? [] : [[ref, id]]
    ),
  );
  const { profileId, countryCode, note, reverses } = plan;
  const changes = sent.map(({ change }) => withIds(change, ids));
  return { profileId, countryCode, note, reverses, changes, findings };
}

function indexed(findings: readonly Finding[], changes: readonly PlacedChange[]): Finding[] {
  const indexes = new Map(changes.map(({ at }, index) => [at, index]));
  return findings.flatMap((finding) => {
    const change = indexes.get(finding.change ?? -1);
    return change === undefined ? [] : [{ ...finding, change }];
  });
}

function placed(finding: Finding, changes: readonly PlacedChange[]): Finding {
  if (finding.change === undefined) return finding;
  return { ...finding, change: changes[finding.change]?.at ?? finding.change };
}

function hash(value: unknown): string {
  return sha256(canonicalJson(value));
}
