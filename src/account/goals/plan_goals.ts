import { type Day, startOfDay } from "../../base/time/calendar.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { KINDS } from "../../client/entities/kinds/kinds.ts";
import { evidence } from "../../plans/review/evidence_of.ts";
import { type JobPlanOptions, type JobResult, judgedBy, type LeftOut } from "../jobs/job_result.ts";
import { withoutDenied } from "../jobs/without_denied.ts";
import { placementBidding } from "./campaign_placements.ts";
import { decideGoal } from "./decide.ts";
import { type DecidedGoal, decidedRows } from "./decided_goal.ts";
import type { DecisionRow } from "./decision.ts";
import { type GoalFigures, targetTotal } from "./goal_figures.ts";
import { heldBackTexts, holdBackOf, placementsStay } from "./goal_hold_back.ts";
import { goalInput } from "./goal_input.ts";
import { figureWarnings, goalNotes, priceWarnings } from "./goal_notes.ts";
import { type GoalOutcome, goalOutcomes } from "./goal_outcome.ts";
import { budgetReason, keptText, placementReason, rowReason } from "./goal_reasons.ts";
import type { GoalsFile } from "./goals_file.ts";
import { goalsNote } from "./open_plan.ts";
import { COOLING_LOCK } from "./quiet_groups.ts";
import { readGoalFigures } from "./read_goal_figures.ts";
import { type GoalEntity, readGoals } from "./read_goals.ts";

/** Options of {@linkcode planGoals}. */
export interface GoalsOptions extends JobPlanOptions {
  /** Goals of a file; `loadGoals` reads one. */
  readonly file: GoalsFile;
  /** Reason for the plan. @default the names of the goals */
  readonly note?: string | undefined;
  /** Ids of keywords and targets to explain, for which stored daily figures are read as well. @default none */
  readonly explained?: readonly string[] | undefined;
  /** True to plan goals even if their held-back parts show harm. @default false: their bids stay */
  readonly despiteHarm?: boolean | undefined;
}

/** A plan of bids and budgets. */
export interface GoalsResult extends JobResult {
  /** Remarks about each goal. */
  readonly notes: readonly string[];
}

export interface DecidedGoals extends GoalsResult {
  readonly goals: readonly DecidedGoal[];
  readonly decidedBy: GoalFigures;
  readonly outcomes: readonly GoalOutcome[];
}

/**
 * Plans bids and daily budgets of Sponsored Products that maximize each goal within its limits. Figures come from a
 * store, which is brought up to date first; missing days are reported and left out. Sends nothing.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { loadGoals, planGoals } from "@platform/ads/account";
 * import { Warehouse } from "@platform/ads/store";
 *
 * async function plan(us: ProfileClient): Promise<void> {
 *   await using store = await Warehouse.open("ads.sqlite");
 *   const { plan, notes } = await planGoals(us, { store, file: await loadGoals("goals.yaml") });
 *   console.log(notes.join("\n"), plan.toMarkdown());
 * }
 * ```
 * @throws {ConfigurationError} for goals that do not fit the account, and too few stored days.
 */
export function planGoals(profile: ProfileClient, options: GoalsOptions): Promise<GoalsResult> {
  return planDecidedGoals(profile, options);
}

export async function planDecidedGoals(profile: ProfileClient, options: GoalsOptions): Promise<DecidedGoals> {
  const { file, signal } = options;
  const today = options.today ?? profile.reports.today;
  const scheduled = await options.scheduled?.(profile.profileId) ?? new Set<string>();
  const paced = await options.paced?.(profile.profileId, today) ?? new Map<string, string>();
  const accounts = await readGoals(profile, file, { scheduled, paced, signal });
  const { figures, stored, missing } = await readGoalFigures(profile, options, { today, accounts });
  const outcomes = await outcomesOf(profile, options, today);
  const harmful = new Set(
    outcomes.flatMap(({ name, verdict }) => verdict === "less" && !options.despiteHarm ? [name] : []),
  );
  const held = heldBackTexts(accounts);
  const inputs = accounts.map((account) => {
    const { targets, ...input } = goalInput(profile, account, figures);
    return {
      ...input,
      targets: options.again ? targets.map(withoutCooling) : targets,
      isHarmful: harmful.has(account.goal.name),
    };
  });
  const decide = (placements: boolean): DecidedGoal[] =>
    accounts.map((account, at) => {
      const input = inputs[at]!;
      return { goal: account.goal, account, input, decision: decideGoal(input, { placements }) };
    });
  const withPlacements = decide(true);
  const keepsPlacements = placementsStay(options, { held, decided: withPlacements });
  const decided = keepsPlacements === undefined ? withPlacements : decide(false);

  const draft = profile.plan();
  const days = { from: figures.range.start, to: figures.range.end };
  const leftOut = decided.flatMap(({ account }) => account.leftOut);
  for (const one of decided) {
    for (const { entity, row, target } of decidedRows(one)) {
      if (row.kept !== null) leftOut.push(leftOutOf(entity, row, one));
      else {
        draft.update(entity.kind, { [KINDS[entity.kind].idField]: entity.id, bid: row.next }, {
          evidence: evidence(days, {
            ...targetTotal(figures, entity.id),
            goal: one.goal.name,
            isTrial: row.isTrial,
            reason: rowReason({ row, target, entity }, one),
          }),
        });
      }
    }
    for (const { id, fields } of one.account.campaigns) {
      const budget = one.decision.budgets.get(id);
      const adjustments = one.decision.adjustments.get(id);
      if (budget === undefined && adjustments === undefined) continue;
      draft.update("sp.campaigns", {
        campaignId: id,
        ...(budget === undefined ? {} : { budget: { budget } }),
        ...(adjustments === undefined
          ? {}
          : { dynamicBidding: { placementBidding: placementBidding(fields, adjustments) } }),
      }, {
        evidence: evidence(days, {
          cost: (figures.campaigns.get(id) ?? []).reduce((all, { cost }) => all + cost, 0),
          goal: one.goal.name,
          reason: [
            ...(budget === undefined ? [] : [`${one.goal.name}: ${budgetReason(one)}`]),
            ...(adjustments === undefined ? [] : [placementReason(id, one)]),
          ].join("; "),
        }),
      });
    }
  }
  const holdBack = holdBackOf(options, {
    held,
    decided,
    // The same files and store give the same plan.
    seed: `goals-${profile.profileId}-${today}`,
  });
  const judging = { signal, ...judgedBy({ ...options, holdBack: holdBack.drawn }), changes: figures.changes };
  const whole = await draft.build({
    note: options.note ?? goalsNote(file),
    ...judging,
    more: {
      warnings: [
        ...accounts.flatMap(({ warnings }) => warnings),
        ...accounts.flatMap((account) => priceWarnings(account, figures)),
        ...figureWarnings(figures, missing),
        ...holdBack.warnings,
        ...(keepsPlacements === undefined ? [] : [keepsPlacements]),
      ],
    },
  });
  const { plan, denied } = await withoutDenied(whole, profile, judging);
  leftOut.push(...denied);
  const considered = decided.reduce(
    (all, { account }) => all + account.entities.length + account.leftOut.length,
    0,
  );
  const notes = decided.flatMap((one) => goalNotes(one, { plan, figures, leftOut, outcomes }));
  return { plan, considered, leftOut, figures: stored, goals: decided, decidedBy: figures, outcomes, notes };
}

async function outcomesOf(
  profile: ProfileClient,
  { file, store, plans }: GoalsOptions,
  today: Day,
): Promise<readonly GoalOutcome[]> {
  if (plans === undefined) return [];
  return await goalOutcomes(store, {
    names: file.goals.map(({ name }) => name),
    share: file.holdBack,
    profileId: profile.profileId,
    plans: await plans(),
    now: startOfDay(today, profile.timeZone),
  });
}

function withoutCooling<Of extends { readonly locked?: string | undefined }>(target: Of): Of {
  return target.locked === COOLING_LOCK ? { ...target, locked: undefined } : target;
}

function leftOutOf(
  { kind, id, label, campaignId, adGroupId, locked }: GoalEntity,
  row: DecisionRow,
  one: DecidedGoal,
): LeftOut {
  return { ...(locked ?? keptText(row, one)), kind, id, label, campaignId, adGroupId };
}
