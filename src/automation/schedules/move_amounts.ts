import type { ProfileClient } from "../../client/profile_client.ts";
import { entityKey, type UnaskedPart, unaskedPart } from "../../plans/change_plan/unasked_part.ts";
import type { ChangePlan, PlanResult } from "../../plans/change_plan/change_plan.ts";
import type { HeldElsewhere } from "../../plans/model/experiment.ts";
import type { PlanTarget } from "../../plans/model/plan_target.ts";
import { reviewPlan } from "../../plans/review/review_plan.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import type { WritePolicy } from "../../plans/model/write_policy.ts";
import type { Schedule } from "./schedule.ts";
import type { KeptBase, ScheduleState } from "./schedule_state.ts";
import { fieldsFor, liveAmount, type Movable, movableKey, type WantedAmount } from "./scheduled_entities.ts";
import { amountFor, type AmountMarket, decimalsFor, factorAt, isInForce, localTime } from "./wanted_at.ts";

/** An amount that a tick left unchanged. */
export interface LeftAlone extends Pick<KeptBase, "kind" | "id" | "label" | "move"> {
  /** Name of the schedule. */
  readonly schedule: string;
  /** Current amount. */
  readonly live: number;
  /** Amount that the schedule would set. */
  readonly wanted: number;
  /** Reason, as text. */
  readonly why: string;
}

/** Platform rules that a tick sent, and those it left unchanged. */
export interface RuleResult {
  /** Results of the plans that were sent. */
  readonly results: readonly PlanResult[];
  /** Plans that were made but not sent, if the tick is a dry run. */
  readonly plans: readonly ChangePlan[];
  /** Rules and campaigns that were left alone or refused, and why. */
  readonly refused: readonly { readonly label: string; readonly why: string }[];
  /** Number of rules that schedules require. */
  readonly active: number;
}

/** The plan of a tick, its verdicts, and the amounts it left alone. */
export interface TickResult {
  /** Plan of the tick; `undefined` if live and wanted values are equal. */
  readonly plan: ChangePlan | undefined;
  /** Result of sending the plan, with its verdicts. */
  readonly result: PlanResult | undefined;
  /** Entities changed by others, left alone until a person decides. */
  readonly kept: readonly LeftAlone[];
  /** Changes that the policy denies or leaves to a person, and expected refusals of the platform. */
  readonly refused: readonly LeftAlone[];
  /** True if another process is running a tick for this profile; nothing was done. */
  readonly busy: boolean;
  /**
   * Number of scheduled amounts, how many of them are at their wanted value, and how many are held back by
   * experiments.
   */
  readonly counts: { readonly moved: number; readonly asWanted: number; readonly held: number };
  /**
   * Schedules without a tick for longer than `expiresHours`. Their base values were restored and the schedules
   * stopped.
   */
  readonly expired?: readonly string[] | undefined;
  /** Schedules that select nothing in this profile. */
  readonly idle?: readonly string[] | undefined;
  /** Platform rules of schedules with `on: platform`; `undefined` if there are none. */
  readonly rules?: RuleResult | undefined;
}

interface Wanted {
  readonly movable: Movable;
  readonly schedule: string;
  readonly base: KeptBase;
  readonly factor: number;
  readonly amount: number;
  readonly reason: string;
}

export const ANYTHING = -1;

export const NOTHING: TickResult = {
  plan: undefined,
  result: undefined,
  kept: [],
  refused: [],
  busy: false,
  counts: { moved: 0, asWanted: 0, held: 0 },
};

export interface MoveParts {
  readonly policy?: WritePolicy | undefined;
  readonly plans?: PlanStore | undefined;
  readonly send?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly state: ScheduleState;
  readonly now: number;
  readonly bases: ReadonlyMap<string, KeptBase>;
  readonly title?: "Schedules" | "Pacing" | undefined;
  /** Schedules whose bids must not be raised yet, because platform rules may still be active. */
  readonly held?: ReadonlySet<string> | undefined;
  readonly isStop?: boolean;
}

export async function moveAmounts(
  profile: ProfileClient,
  movables: readonly Movable[],
  parts: MoveParts,
): Promise<TickResult> {
  const { state, now, bases, signal, isStop = false, title = "Schedules" } = parts;
  const kept: LeftAlone[] = [];
  const refused: LeftAlone[] = [];
  const wanted: Wanted[] = [];
  const seen: (KeptBase & { why: string })[] = [];
  let asWanted = 0;
  let held = 0;
  for (const movable of movables) {
    const known = bases.get(movableKey(movable));
    if (known === undefined) continue;
    const found = judged(movable, known, { now, profile, isStop, title });
    if ("why" in found) {
      kept.push(found);
      if (known.kept === null) seen.push({ ...known, kept: found.why, why: found.why });
      continue;
    }
    const { base } = found;
    if (movable.live < found.amount && movable.move === "bid" && parts.held?.has(found.schedule)) {
      held += 1;
      continue;
    }
    if (movable.live === found.amount) {
      asWanted += 1;
      if (
        base.wrote !== movable.live || base.intends !== null || base.kept !== null ||
        base.factor !== found.factor
      ) {
        seen.push({
          ...base,
          factor: found.factor,
          wrote: movable.live,
          intends: null,
          kept: null,
          why: found.reason,
        });
      }
    } else wanted.push(found);
  }
  if (parts.send !== false) await state.keep(profile.profileId, seen, now);
  const counts = { moved: movables.length, asWanted, held };
  if (wanted.length === 0) return { ...NOTHING, kept, counts };

  const built = await planOf(profile, wanted, { isStop, signal, title });
  const { plan, left } = await allowed(built, profile, parts);
  for (const one of wanted) {
    const why = left.get(entityKey(one.movable));
    if (why !== undefined) refused.push(leftAlone(one, why));
  }
  if (plan === undefined || parts.send === false) return { ...NOTHING, plan, kept, refused, counts };
  const sending = wanted.filter(({ movable }) =>
    plan.changes.some((change) => entityKey(change) === entityKey(movable))
  );
  // Whoever is killed from here on leaves behind both what was live and what it was about to write.
  await state.keep(
    profile.profileId,
    sending.map(({ base, amount, factor, reason, schedule, movable }) => ({
      ...base,
      schedule,
      wrote: movable.live,
      // Until one of both is known to be in force, the higher one leads to the lower base.
      factor: Math.max(base.factor, factor),
      intends: amount,
      why: reason,
    })),
    now,
  );
  const result = await sendPlan(plan, profile, parts);
  const outcomes = new Map(result.changes.map((one) => [entityKey(one.change), one]));
  const settled = sending.flatMap((one) => {
    const { outcome, error } = outcomes.get(entityKey(one.movable)) ?? { outcome: "not_sent" as const };
    const { base, amount, factor, reason, schedule, movable } = one;
    if (outcome === "done" || outcome === "already") {
      return [{ ...base, schedule, factor, wrote: amount, intends: null, kept: null, why: reason }];
    }
    refused.push(leftAlone(one, error?.message ?? `it was ${outcome.replaceAll("_", " ")}`));
    // The next tick sees by what is live whether it was done.
    return outcome === "unknown"
      ? []
      : [{ ...base, wrote: movable.live, intends: null, why: "it was not accepted" }];
  });
  await state.keep(profile.profileId, settled, now);
  return { plan, result, kept, refused, busy: false, counts };
}

export async function sendPlan(
  plan: ChangePlan,
  profile: ProfileClient,
  { policy, plans, signal }: Pick<MoveParts, "policy" | "plans" | "signal">,
): Promise<PlanResult> {
  const target = judgedBy(profile, policy);
  const options = { checkDrift: true, skipDrifted: true, stop: signal } as const;
  if (plans === undefined) return await plan.apply(target, options);
  await plans.save(plan);
  return (await plans.apply(plan, target, options)).result;
}

function judged(
  movable: Movable,
  known: KeptBase,
  { now, profile, isStop, title }: {
    readonly now: number;
    readonly profile: ProfileClient;
    readonly isStop: boolean;
    readonly title: string;
  },
): Wanted | LeftAlone {
  const { live, schedules, move, set } = movable;
  if (set !== undefined && !isStop) return setAmount(movable, known, set);
  const isOver = isStop || schedules.length === 0;
  const market = marketOf(movable, profile);
  const { name, factor, bounds, zone, edits } = isOver
    ? { name: known.schedule, factor: 1, bounds: {}, zone: "UTC", edits: "keep" as const }
    : factorOf(schedules, now);
  let { base } = known;
  let why = "";
  if (!isOwn(known, live)) {
    const text = foreignText(known, live);
    // Whoever is paused by somebody else stays paused.
    const isPaused = move === "state" && live === 0;
    if (edits === "keep" || isPaused) {
      const wanted = amountFor(factor, base, { move, ...bounds, ...market });
      return leftAlone({ movable, schedule: name, amount: wanted }, text);
    }
    if (edits === "adopt") {
      // A base that no amount can be is never put back.
      base = known.factor > 0 && move !== "state"
        ? Number((live / known.factor).toFixed(decimalsFor(move, profile.countryCode)))
        : live;
      why = `; ${text}, so that its base is ${base}`;
    } else why = `; ${text}`;
  }
  const amount = amountFor(factor, base, { move, ...bounds, ...market });
  const { weekday, minute } = localTime(now, zone);
  const hour = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
  const reason = isOver
    ? title === "Pacing"
      ? `${name}: put back to ${base}`
      : `schedule ${name} ${isStop ? "was stopped" : "no longer selects it"}: base ${base}`
    : `schedule ${name}, ${weekday} ${hour}: base ${base} × ${factor}${why}`;
  return {
    movable,
    schedule: name,
    base: { ...known, base, schedule: name, kept: null },
    factor,
    amount,
    reason,
  };
}

export function marketOf({ kind, owner }: Movable, { countryCode, profile }: ProfileClient): AmountMarket {
  return { kind, ...owner, countryCode, accountType: profile.accountInfo.type };
}

/** Sets an amount, unless someone else has changed it. */
function setAmount(
  movable: Movable,
  known: KeptBase,
  { name, amount, reason }: WantedAmount,
): Wanted | LeftAlone {
  const { live } = movable;
  if (!isOwn(known, live)) return leftAlone({ movable, schedule: name, amount }, foreignText(known, live));
  const factor = known.base > 0 ? exact(amount / known.base) : 1;
  return { movable, schedule: name, base: { ...known, schedule: name, kept: null }, factor, amount, reason };
}

function isOwn({ wrote, intends }: KeptBase, live: number): boolean {
  return wrote === ANYTHING || live === wrote || live === intends;
}

function foreignText({ wrote, intends }: KeptBase, live: number): string {
  return `somebody else set it to ${live}; the last tick left ${intends ?? wrote}`;
}

function factorOf(
  schedules: readonly Schedule[],
  now: number,
): {
  name: string;
  factor: number;
  bounds: Pick<Schedule, "min" | "max"> & { roundDown?: boolean };
  zone: string;
  edits: NonNullable<Schedule["foreignEdits"]>;
} {
  const sorted = schedules.toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0));
  // Outside of its dates a schedule leaves the word to those below it.
  const inForce = sorted.filter((one) => isInForce(one, now));
  const byPriority = inForce.length > 0 ? inForce : sorted;
  const first = byPriority.find(({ combine }) => combine !== "multiply") ?? byPriority[0]!;
  const used = byPriority.filter((one) => one === first || one.combine === "multiply");
  const factor = exact(used.reduce((product, one) => product * factorAt(one, now), 1));
  const mins = used.flatMap(({ min }) => min ?? []);
  const maxes = used.flatMap(({ max }) => max ?? []);
  const bounds = {
    ...("roundDown" in first ? { roundDown: true } : {}),
    ...(mins.length === 0 ? {} : { min: Math.max(...mins) }),
    ...(maxes.length === 0 ? {} : { max: Math.min(...maxes) }),
  };
  return { name: first.name, factor, bounds, zone: first.zone ?? "UTC", edits: first.foreignEdits ?? "keep" };
}

export async function liveOf(profile: ProfileClient, bases: readonly KeptBase[]): Promise<Movable[]> {
  const found: Movable[] = [];
  for (const [kind, own] of Map.groupBy(bases, ({ kind }) => kind)) {
    const entities = await profile.resource(kind).getMany([...new Set(own.map(({ id }) => id))]);
    for (const { id, move, label } of own) {
      const fields = entities.get(id);
      const live = fields && liveAmount(kind, fields, move);
      if (fields !== undefined && live !== undefined) {
        found.push({ kind, id, move, label, live, fields, schedules: [] });
      }
    }
  }
  return found;
}

async function planOf(
  profile: ProfileClient,
  wanted: readonly Wanted[],
  { isStop, signal, title }: {
    readonly isStop: boolean;
    readonly signal: AbortSignal | undefined;
    readonly title: string;
  },
): Promise<ChangePlan> {
  const draft = profile.plan();
  for (const own of Map.groupBy(wanted, ({ movable }) => entityKey(movable)).values()) {
    const { kind, id, fields } = own[0]!.movable;
    const amounts = new Map(own.map(({ movable, amount }) => [movable.move, amount]));
    const reason = own.map((one) => one.reason).join("; ");
    draft.update(kind, { [profile.resource(kind).idField]: id, ...fieldsFor(kind, fields, amounts) }, {
      evidence: {
        reason,
        ...(title === "Pacing" ? {} : { factor: Math.max(...own.map(({ factor }) => factor)) }),
      },
    });
  }
  const names = [...new Set(wanted.map(({ schedule }) => schedule))].join(", ");
  return await draft.build({
    note: `${title}${isStop ? " stopped" : ""}: ${names}`,
    signal,
    heldElsewhere: NOTHING_HELD,
  });
}

export const NOTHING_HELD: HeldElsewhere = new Map();

async function allowed(
  built: ChangePlan,
  profile: ProfileClient,
  { policy, signal }: MoveParts,
): Promise<UnaskedPart> {
  const own = policy === undefined ? [] : (await reviewPlan(built, profile, { policy, signal })).findings;
  return unaskedPart(built, { own });
}

function judgedBy(profile: ProfileClient, policy: WritePolicy | undefined): PlanTarget {
  if (policy === undefined) return profile;
  const { profileId, countryCode, transport, timeZone, calls } = profile;
  return {
    profileId,
    countryCode,
    transport,
    timeZone,
    calls,
    resource: (kind) => profile.resource(kind),
    preflight: (changes, options) => profile.preflight(changes, options),
    judge: (request) => policy.admit(request),
  };
}

function leftAlone(
  { movable: { kind, id, label, move, live }, schedule, amount }: Pick<
    Wanted,
    "movable" | "schedule" | "amount"
  >,
  why: string,
): LeftAlone {
  return { kind, id, label, move, schedule, live, wanted: amount, why };
}

/** Removes binary rounding errors. */
function exact(value: number): number {
  return Number(value.toPrecision(12));
}
