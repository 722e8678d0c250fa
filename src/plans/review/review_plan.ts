import { marketOf } from "../../markets.ts";
import type { EntityFields, Evidence } from "../change.ts";
import { type Finding, unsentChanges } from "../finding.ts";
import type { MoneyAtRisk } from "../money_at_risk.ts";
import type { PlanData } from "../plan_data.ts";
import type { PlanTarget } from "../plan_target.ts";
import { isRestoring } from "../restoring_plans.ts";
import type { JudgeablePlan, WritePolicy } from "../write_policy.ts";
import { planState } from "../state/plan_state.ts";
import { claimedState } from "../state/prior_state.ts";
import { readPriorState } from "../state/read_prior_state.ts";
import { readAccountScale } from "./account_scale.ts";
import { DEFAULT_CODES, defaultFindings } from "./default_findings.ts";
import { dayIn } from "../../internal/calendar.ts";
import { figureEntities, type FiguresSource } from "./figures_source.ts";
import { estimateMoney } from "./estimate_money.ts";
import { evidenceOf } from "./evidence_of.ts";
import type { HeldElsewhere, HoldBack } from "../experiment/experiment.ts";
import { type KeptPart, keptPart } from "../experiment/hold_back.ts";

/** Review of a plan before it is sent. */
export interface PlanReview {
  /** Findings of the default warnings, and of the policy where there is one. */
  readonly findings: readonly Finding[];
  /** Possible change in spend a day. */
  readonly money: MoneyAtRisk;
  /** Figures of the entities that change, by position, where the store has them. */
  readonly evidence?: ReadonlyMap<number, Evidence> | undefined;
  /** Rest of the plan without its held-back part, or the part another plan holds back. */
  readonly kept?: KeptPart | undefined;
  /** When the copy of the account was taken that the review looked at; absent for the account itself. */
  readonly rehearsal?: string | undefined;
  /** True where the policy takes the yes of a person that a client reports, unsigned. */
  readonly takesClient?: boolean;
}

/** Sources of a review. */
export interface ReviewOptions {
  /** Judges beside the default warnings. */
  readonly policy?: WritePolicy | undefined;
  /** Figures of entities by id. @default none: bids cannot be weighed */
  readonly figures?: FiguresSource | undefined;
  /** Entities that were read just now, by kind and id. */
  readonly known?: ReadonlyMap<string, ReadonlyMap<string, EntityFields>> | undefined;
  /** Holds a part of the plan back for comparison. */
  readonly holdBack?: HoldBack | undefined;
  /** Units held back by other plans; changes of these are left out. */
  readonly heldElsewhere?: HeldElsewhere | undefined;
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined;
}

/** A plan with what a review says of it now, in place of what one said before; evidence that is there already stays. */
export function withReview(
  whole: PlanData,
  { kept, findings, money, evidence, rehearsal = whole.rehearsal ?? undefined }: PlanReview,
): PlanData {
  const plan = kept === undefined
    ? whole
    : { ...whole, ...kept, warnings: [...whole.warnings, ...kept.warnings] };
  const others = plan.findings.filter(({ code }) => !/^POLICY/.test(code) && !DEFAULT_CODES.has(code));
  const changes = evidence === undefined || evidence.size === 0
    ? plan.changes
    : plan.changes.map((change, at) => {
      const figures = change.evidence === undefined ? evidence.get(at) : undefined;
      return figures === undefined ? change : { ...change, evidence: figures };
    });
  return { ...plan, changes, findings: [...others, ...findings], money, rehearsal: rehearsal ?? null };
}

/** A larger plan is not weighed without a policy: reading everything again would take minutes. */
const MAX_CHANGES = 20_000;

/** Judges and weighs a plan for its readers, by the present account. Sends nothing. */
export async function reviewPlan(
  whole: JudgeablePlan & { readonly findings?: readonly Finding[] },
  client: PlanTarget,
  options: ReviewOptions = {},
): Promise<PlanReview> {
  const { policy, signal, known } = options;
  const currency = marketOf(whole.countryCode)?.currency ?? "";
  if (whole.changes.length === 0) return { findings: [], money: estimateMoney([], { currency }) };
  const isLarge = whole.changes.length > MAX_CHANGES && policy === undefined;
  const account = isLarge
    ? claimedState(whole.changes)
    : await readPriorState(whole.changes, client, { known, signal, below: policy?.judgesBelow });
  const all = planState(whole.changes, account).steps;
  const today = dayIn(
    client.timeZone ?? marketOf(whole.countryCode)?.timeZone ?? "UTC",
    client.transport?.now() ?? Date.now(),
  );
  const figures = await options.figures?.({
    profileId: whole.profileId,
    today,
    get entities() {
      return figureEntities(all);
    },
  });
  const { holdBack, heldElsewhere } = options;
  const kept = holdBack === undefined && !heldElsewhere?.size
    ? undefined
    : keptPart(all, { holdBack, heldElsewhere, figures, findings: whole.findings });
  const plan = kept === undefined ? whole : { ...whole, changes: kept.changes, findings: kept.findings };
  const { changes } = plan;
  const steps = changes.length === all.length ? all : planState(changes, account).steps;
  const unsent = unsentChanges(plan.findings ?? []);
  const money = isLarge
    ? notWeighed(changes.length, currency)
    : estimateMoney(steps.filter(({ at }) => !unsent.has(at)), { currency, figures, today });
  const evidence = isLarge ? undefined : evidenceOf(steps, { figures, today });
  const found = await policy?.review(plan, client, { signal, account }) ?? [];
  const takesClient = policy?.approval === "client";
  const { rehearsal } = client;
  if (isRestoring(plan)) return { kept, findings: found, money, evidence, rehearsal, takesClient };
  const scale = await readAccountScale(changes, client, { signal });
  // A policy judges calls by name: it denies those that it does not list.
  const warnings = defaultFindings(steps, { currency, scale })
    .filter(({ code }) => policy === undefined || code !== "CALL_NOT_JUDGED");
  return { kept, findings: [...warnings, ...found], money, evidence, rehearsal, takesClient };
}

function notWeighed(count: number, currency: string): MoneyAtRisk {
  const basis = [`Plans of more than ${MAX_CHANGES} changes are not weighed`];
  return { currency, perDay: { low: 0, high: 0 }, known: 0, unknown: count, basis };
}
