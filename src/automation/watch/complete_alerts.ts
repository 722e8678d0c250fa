import { idOf } from "../../base/json/id_of.ts";
import { COOLING, Cooling } from "../../account/jobs/cooling.ts";
import type { JobResult, LeftOut } from "../../account/jobs/job_result.ts";
import { addDays, type DayRange } from "../../base/time/calendar.ts";
import { scheduledIn } from "../schedules/scheduled_ids.ts";
import { planBids } from "../../account/jobs/plan_bids.ts";
import { planBudgets } from "../../account/jobs/plan_budgets.ts";
import { planNegatives } from "../../account/jobs/plan_negatives.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { KINDS, type ResourceKind } from "../../client/entities/kinds/kinds.ts";
import { figuresOf } from "../../store/figures/entity_figures.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import type { Alert } from "./alert.ts";
import type { WatchRule } from "./watch_file.ts";
import { accountDrift } from "../../account/diff/account_drift.ts";
import { entityKey, partOf, unaskedPart } from "../../plans/change_plan/unasked_part.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import { changeLine, NAMED } from "./own_facts.ts";
import { isFigureOver } from "./watch_names.ts";
import type { WatchState } from "./watch_state.ts";

interface CompleteParts {
  readonly profile: ProfileClient;
  readonly store: Warehouse;
  readonly place?: string | undefined;
  readonly state: WatchState;
  readonly plans: readonly PlanStore[];
  readonly byName: ReadonlyMap<string, WatchRule>;
  readonly now: number;
  readonly signal: AbortSignal | undefined;
  readonly words: (advice: string) => string;
}

const BEFORE = 3;
const DAY = 86_400_000;

/**
 * Adds recent changes and one proposed plan per rule to the alerts. If the policy allows a rule by name, its plan is
 * applied.
 */
export async function completeAlerts(
  alerts: readonly Alert[],
  parts: CompleteParts,
): Promise<Map<string, Alert>> {
  const done = new Map<string, Alert>();
  const changes = new ChangesBefore(parts);
  // Alerts with a plan were left by a look that was killed after it had saved that plan.
  const before = new Map<string, readonly string[]>();
  for (const alert of alerts) before.set(alert.id, isFigureOver(alert.over) ? await changes.of(alert) : []);
  for (const [, own] of Map.groupBy(alerts, ({ rule, planId }) => `${rule} ${planId ?? ""}`)) {
    const { rule: name, planId: begun } = own[0]!;
    const rule = parts.byName.get(name);
    const { lines, planId } = rule === undefined
      ? { lines: ["No plan: the rule was removed from the file"], planId: begun }
      : await proposal(rule, own, parts);
    for (const alert of own) {
      const complete = {
        ...alert,
        planId,
        text: completeText(alert.text, { before: before.get(alert.id) ?? [], lines }),
      };
      await parts.state.complete(complete);
      done.set(alert.id, complete);
    }
  }
  return done;
}

function completeText(
  text: string,
  { before, lines }: { readonly before: readonly string[]; readonly lines: readonly string[] },
): string {
  const parts = text.split("\n");
  const advice = parts.findIndex((line) => line.startsWith("To do: "));
  const at = advice < 0 ? parts.length : advice;
  const changed = before.length === 0
    ? []
    : ["Changed in the three days before:", ...before.map((line) => `  ${line}`)];
  return [...parts.slice(0, at), ...changed, ...parts.slice(at), ...lines].join("\n");
}

class ChangesBefore {
  readonly #parts: CompleteParts;
  #plans: Promise<string[]> | undefined;
  #others: Promise<readonly { readonly campaign: string | undefined; readonly line: string }[]> | undefined;

  constructor(parts: CompleteParts) {
    this.#parts = parts;
  }

  async of({ facts: { campaign } }: Alert): Promise<string[]> {
    const others = (await (this.#others ??= this.#readOthers())).filter((one) =>
      campaign === undefined || one.campaign === undefined || one.campaign === campaign
    ).map(({ line }) => line);
    const more = others.length - NAMED;
    return [
      ...await (this.#plans ??= this.#readPlans()),
      ...others.slice(0, NAMED),
      ...(more > 0 ? [this.#parts.words(`and ${more} more: accountDrift() since -${BEFORE}d`)] : []),
    ];
  }

  async #readPlans(): Promise<string[]> {
    const { plans, profile: { profileId }, now } = this.#parts;
    const lines: string[] = [];
    for (const store of plans) {
      for (const found of await store.list()) {
        if (!("plan" in found) || found.plan.profileId !== profileId || found.status.state !== "applied") {
          continue;
        }
        if (now - Date.parse(found.status.at) > BEFORE * DAY) continue;
        const { id, note, changes } = found.plan;
        const count = `${changes.length} ${changes.length === 1 ? "change" : "changes"}`;
        lines.push(
          `plan ${id} at ${found.status.at.slice(0, 16).replace("T", " ")}: ${count}${
            note === null ? "" : `, "${note}"`
          }`,
        );
      }
    }
    return lines;
  }

  async #readOthers(): Promise<{ campaign: string | undefined; line: string }[]> {
    const { profile, plans, now, signal } = this.#parts;
    try {
      const { entries } = await accountDrift(profile, { since: new Date(now - BEFORE * DAY), plans, signal });
      return entries.filter(({ by }) => by === "other").map((entry) => ({
        campaign: entry.campaign,
        line: `not by a plan, ${changeLine(entry)}`,
      }));
    } catch (error) {
      signal?.throwIfAborted();
      return [{
        campaign: undefined,
        line: `changes by others could not be read: ${(error as Error).message.split("\n")[0]}`,
      }];
    }
  }
}

interface Proposal {
  readonly lines: readonly string[];
  readonly planId: string | null;
}

async function proposal(rule: WatchRule, own: readonly Alert[], parts: CompleteParts): Promise<Proposal> {
  const { plans: [folder], signal } = parts;
  const [{ planId: begun }] = own as [Alert];
  if (rule.propose === undefined || folder === undefined) return { lines: [], planId: begun };
  try {
    if (begun !== null) return await applied(await folder.get(begun), folder, parts);
    const { plan, leftOut } = await proposePlan(rule, own, parts);
    if (plan.changes.length === 0) {
      const cooling = leftOut.filter(({ reason }) => reason === COOLING);
      const why = cooling.length === 0
        ? "the job found nothing to change"
        : `${cooling.length} left alone: ${cooling[0]?.message.toLowerCase()}`;
      return { lines: [`Proposed: nothing, because ${why}`], planId: null };
    }
    return rule.propose.auto
      ? await alone(plan, { rule, own, folder, ...parts })
      : await waiting(plan, folder);
  } catch (error) {
    signal?.throwIfAborted();
    return { lines: [`No plan could be made: ${(error as Error).message}`], planId: begun };
  }
}

async function waiting(plan: ChangePlan, folder: PlanStore, why = ""): Promise<Proposal> {
  await folder.save(plan);
  return {
    lines: [`Proposed: plan ${plan.id} with ${countOf(plan)}, which waits for approval${why}`],
    planId: plan.id,
  };
}

async function alone(
  plan: ChangePlan,
  { rule, own, folder, ...parts }: CompleteParts & {
    readonly rule: WatchRule;
    readonly own: readonly Alert[];
    readonly folder: PlanStore;
  },
): Promise<Proposal> {
  if (!parts.profile.allowsAuto(rule.name)) {
    return await waiting(plan, folder, `: no policy names ${rule.name} under allow_auto`);
  }
  const { plan: part, left } = unaskedPart(plan, { warningsAsk: true });
  const [why] = left.values();
  if (part === undefined) return await waiting(plan, folder, `: ${why}`);
  const rest = partOf(plan, (change) => left.has(entityKey(change)));
  const restLines = rest === undefined ? [] : (await waiting(rest, folder, `: ${why}`)).lines;
  await folder.save(part);
  // A look that is killed from here on is finished with this plan, and makes no second one.
  for (const alert of own) {
    await parts.state.complete({ ...alert, planId: part.id }, { isComplete: false });
  }
  const done = await applied(part, folder, parts);
  return { ...done, lines: [...done.lines, ...restLines] };
}

async function applied(plan: ChangePlan, folder: PlanStore, parts: CompleteParts): Promise<Proposal> {
  const { profile, signal } = parts;
  const status = await folder.status(plan.id);
  const undo = parts.words(`To undo it: undo() of "${plan.id}"`);
  try {
    if (status.state === "open") {
      await folder.apply(plan, profile, { checkDrift: true, skipDrifted: true, stop: signal });
    } else if (status.state === "unfinished") await folder.resume(plan, profile, { stop: signal });
  } catch (error) {
    signal?.throwIfAborted();
    return {
      lines: [`Plan ${plan.id} with ${countOf(plan)} waits for approval: ${(error as Error).message}`],
      planId: plan.id,
    };
  }
  signal?.throwIfAborted();
  const after = await folder.status(plan.id);
  const result = after.state === "applied" ? after.summary.split("\n").join("; ") : after.state;
  return {
    lines: [`Applied automatically, as the policy allows: plan ${plan.id}: ${result}`, undo],
    planId: plan.id,
  };
}

function countOf({ changes: { length } }: ChangePlan): string {
  return `${length} ${length === 1 ? "change" : "changes"}`;
}

const PAUSED: Readonly<Record<string, readonly ResourceKind[]>> = {
  campaign: ["sp.campaigns", "sb.campaigns", "sd.campaigns"],
  keyword: ["sp.keywords", "sp.targets", "sb.keywords", "sb.targets", "sd.targets"],
};

async function proposePlan(
  rule: WatchRule,
  alerts: readonly Alert[],
  { profile, store, place, signal }: Pick<CompleteParts, "profile" | "store" | "place" | "signal">,
): Promise<Pick<JobResult, "plan" | "leftOut">> {
  const { job, change } = rule.propose!;
  const note = `Proposed by the rule ${rule.name}: ${rule.when}`.slice(0, 500);
  const ids = [...new Set(alerts.map(({ key }) => key))];
  const judged = daysOf(rule, alerts);
  const figures = { store, scheduled: place === undefined ? undefined : scheduledIn(place), note, signal };
  if (job === "bids") {
    // The rule has chosen the keywords; clicks are there to say which figures stand beside the bids.
    const where = "figures.clicks30d >= 0";
    return await planBids(profile, { ...figures, where, change: change!, ids, judged });
  }
  if (job === "budgets") {
    return await planBudgets(profile, { ...figures, change, days: 7, minDays: 1, campaignIds: ids });
  }
  if (job === "negatives") {
    const campaignIds = [...new Set(alerts.flatMap(({ facts }) => idOf(facts, "campaign_id") ?? []))];
    return await planNegatives(profile, { ...figures, campaignIds });
  }
  const cooling = await Cooling.read(profile, { ...figures, judged, today: profile.reports.today });
  const draft = profile.plan();
  const leftOut: LeftOut[] = [];
  const open = new Set(ids);
  for (const kind of PAUSED[rule.over] ?? []) {
    if (open.size === 0) break;
    for (const [id, entity] of await profile.resource(kind as string).getMany([...open], { signal })) {
      open.delete(id);
      const { state, name } = entity as { readonly state?: unknown; readonly name?: unknown };
      if (String(state).toUpperCase() !== "ENABLED") continue;
      // A person who enabled it since has seen these figures.
      const refusal = cooling.refusal([{ id, parts: ["state"] }]);
      if (refusal !== undefined) leftOut.push({ ...refusal, kind, id, label: String(name ?? id) });
      else draft.update(kind as string, { [KINDS[kind].idField]: id, state: "PAUSED" });
    }
  }
  const { changes, warnings } = cooling;
  const judging = { note, signal, figures: figuresOf(store), changes, more: { warnings } };
  return { plan: await draft.build(judging), leftOut };
}

function daysOf({ figures }: WatchRule, alerts: readonly Alert[]): DayRange | undefined {
  const days = Math.max(
    0,
    ...figures.filter(({ of }) => of !== "median" && of !== "mad").map(({ days }) => days),
  );
  const end = alerts.map(({ day }) => day).sort().at(-1);
  return days === 0 || end === undefined ? undefined : { start: addDays(end, 1 - days), end };
}
