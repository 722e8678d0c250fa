import { fieldsOf, isObject } from "../../base/json/fields_of.ts";
import { addDays } from "../../base/time/calendar.ts";
import type { Change } from "./change.ts";

/** Randomization unit; `keyword` includes targets, `profile` covers all changes of a rollout in one profile. */
export type ExperimentUnitKind = "campaign" | "ad_group" | "keyword" | "ad" | "search_term" | "profile";

export const EXPERIMENT_UNITS: readonly ExperimentUnitKind[] = [
  "campaign",
  "ad_group",
  "keyword",
  "ad",
  "search_term",
  "profile",
];

/** A randomly held-back part of a plan, for comparison. The plan's fingerprint covers it. */
export interface Experiment {
  /** Seed that makes the draw repeatable. */
  readonly seed: string;
  /** Share that was to be held back, more than 0 and less than 1. */
  readonly share: number;
  /** Kind of the drawn units. */
  readonly unit: ExperimentUnitKind;
  /** Reason for the choice of unit, for readers. */
  readonly why: string;
  /** Weeks after the application during which the held-back units stay unchanged. */
  readonly weeks: number;
  /** Ids of the held-back units; for search terms, the terms. */
  readonly held: readonly string[];
  /** Stratum of every unit, including the held-back ones, by its id. */
  readonly strata: Readonly<Record<string, number>>;
  /** Changes left out for the held-back units; absent if whole profiles are held back. */
  readonly changes?: readonly HeldChange[] | undefined;
  /** Goals that the plan follows, judged one by one; absent for a plan that follows none. */
  readonly goals?: readonly ExperimentGoal[] | undefined;
}

/** A goal of a plan, with the price by which its result is judged; fixed before anything is sent. */
export interface ExperimentGoal {
  /** Name, as in the goals file. */
  readonly name: string;
  /** Figure that the worth refers to. */
  readonly figure: "sales" | "orders";
  /** Worth of one unit of the figure, in the account's currency, by the id of each drawn unit of the goal. */
  readonly worth: Readonly<Record<string, number>>;
}

/** A change that an experiment holds back. */
export type HeldChange = Pick<
  Change,
  "kind" | "op" | "id" | "before" | "after" | "label" | "ref" | "dependsOn"
>;

export function lastDayOf({ weeks }: Pick<Experiment, "weeks">, day: string): string {
  return addDays(day, weeks * 7);
}

export function heldChange({ kind, op, id, before, after, label, ref, dependsOn }: Change): HeldChange {
  return {
    ...{ kind, op, id, before, after, label },
    ...(ref === undefined ? {} : { ref }),
    ...(dependsOn === undefined ? {} : { dependsOn }),
  };
}

/** Options for holding back part of a plan for comparison. */
export interface HoldBack {
  /** Share to hold back, for example 0.25: more than 0, less than 1. */
  readonly share: number;
  /** Seed of the draw. @default a random one, saved in the plan */
  readonly seed?: string | undefined;
  /** Weeks during which the held-back units stay unchanged. @default 4 */
  readonly weeks?: number | undefined;
  /** Kind of units to draw. @default campaigns where budgets bind, otherwise what the plan changes */
  readonly unit?: ExperimentUnitKind | undefined;
  /**
   * Kinds, or fields such as `sp.campaigns.budget`, whose changes are always made, such as budgets shared by both groups.
   *
   * @default none
   */
  readonly shared?: readonly string[] | undefined;
  /** Goals whose results are judged one by one. @default none */
  readonly goals?: readonly ExperimentGoal[] | undefined;
}

/** A plan that holds an entity back, with the last day of the hold. */
export interface Holder {
  /** The plan that holds the entity back. */
  readonly planId: string;
  /** Last day of the hold, in the profile's time zone. */
  readonly until: string;
}

/** Entities held back by experiments: the holding plan by entity id, profile id or search term. */
export type HeldElsewhere = ReadonlyMap<string, Holder>;

/** Finds the entities of a profile held back by running experiments. */
export type HeldSource = (profileId: string) => Promise<HeldElsewhere>;

export function holderOf(held: HeldElsewhere, names: readonly string[]): Holder | undefined {
  for (const name of names) {
    const holder = held.get(name);
    if (holder !== undefined) return holder;
  }
  return undefined;
}

export function holderText({ planId, until }: Holder): string {
  return `plan ${planId} holds it back for comparison until ${until}`;
}

const WORD = /^[\w .:@-]{1,64}$/;
const MAX_WEEKS = 52;

export function readExperiment(value: unknown): Experiment | null | undefined {
  if (value === undefined || value === null) return null;
  const { seed, share, unit, why, weeks, held, strata, changes, goals } = fieldsOf(value);
  const known = EXPERIMENT_UNITS.find((one) => one === unit);
  if (typeof seed !== "string" || !WORD.test(seed) || !isShare(share) || known === undefined) {
    return undefined;
  }
  if (typeof why !== "string" || !isWeeks(weeks)) return undefined;
  if (!Array.isArray(held) || !held.every((id) => typeof id === "string")) return undefined;
  if (!isObject(strata)) return undefined;
  const numbers = Object.entries(strata);
  if (!numbers.every(([, stratum]) => Number.isInteger(stratum) && (stratum as number) >= 0)) {
    return undefined;
  }
  if (!held.every((id) => Object.hasOwn(strata, id))) return undefined;
  const isGoals = Array.isArray(goals) && goals.every(isExperimentGoal);
  if (goals !== undefined && !isGoals) return undefined;
  const drawn = {
    ...{ seed, share, unit: known, why, weeks, held, strata: strata as Record<string, number> },
    ...(isGoals ? { goals } : {}),
  };
  if (changes === undefined) return drawn;
  return Array.isArray(changes) && changes.every(isHeldChange) ? { ...drawn, changes } : undefined;
}

function isExperimentGoal(value: unknown): value is ExperimentGoal {
  const { name, figure, worth } = fieldsOf(value);
  return typeof name === "string" && (figure === "sales" || figure === "orders") && isObject(worth) &&
    Object.values(worth).every((one) => typeof one === "number" && one >= 0);
}

function isHeldChange(value: unknown): value is HeldChange {
  const { kind, op, id, before, after, label, ref, dependsOn } = fieldsOf(value);
  const isText = (one: unknown): boolean => typeof one === "string";
  return isText(kind) && isText(label) && isObject(before) && isObject(after) &&
    ["create", "update", "archive"].includes(String(op)) && (op === "create" ? id === null : isText(id)) &&
    (ref === undefined || isText(ref)) &&
    (dependsOn === undefined || Array.isArray(dependsOn) && dependsOn.every(isText));
}

export function checkHoldBack({ share, seed, weeks }: HoldBack): void {
  if (!isShare(share)) {
    throw new RangeError(
      `Cannot hold back a share of ${share}: give more than 0 and less than 1, such as 0.25`,
    );
  }
  if (seed !== undefined && !WORD.test(seed)) {
    throw new RangeError(
      `Cannot use ${JSON.stringify(seed)} as a seed: give up to 64 letters, digits and -_.:@`,
    );
  }
  if (weeks !== undefined && !isWeeks(weeks)) {
    throw new RangeError(`Cannot hold back for ${weeks} weeks: give 1 to ${MAX_WEEKS}`);
  }
}

export function checkCounts(
  count: number,
  { share, unit, why }: Pick<Experiment, "share" | "unit" | "why">,
): void {
  const wanted = Math.round(count * share);
  if (wanted >= 2 && count - wanted >= 2) return;
  throw new RangeError(
    `Cannot hold back ${Number((share * 100).toFixed(2))} % of ${count} ${
      unitsText(unit)
    }: too few for a random ` +
      `split, which needs two in each group. ${why}. ${
        unit === "profile"
          ? "Plan for more profiles, or split within each with the option holdBack.unit: keyword"
          : "Plan more at once, hold back another share, or plan without holding back"
      }`,
  );
}

export function heldText({ held, unit, weeks, of, why }: {
  readonly held: number;
  readonly of: number;
  readonly unit: ExperimentUnitKind;
  readonly weeks: number;
  readonly why: string;
}): string {
  return `Held back for comparison: ${held} of ${of} ${unitsText(unit)} for ${weeks} ${
    weeks === 1 ? "week" : "weeks"
  }. ${why}`;
}

export function unitOfChange(
  { kind, op, id, campaignId, after, before }: Change,
  unit: ExperimentUnitKind,
): string | undefined {
  const own = id ?? undefined;
  const inAdGroup = after["adGroupId"] ?? before["adGroupId"];
  switch (unit) {
    case "campaign":
      return kind.endsWith(".campaigns") ? own : campaignId;
    case "ad_group":
      return kind.endsWith(".ad_groups") ? own : typeof inAdGroup === "string" ? inAdGroup : undefined;
    case "search_term":
      return op === "create" ? termOf(after) : undefined;
    case "keyword":
    case "ad":
      return op === "create" ? undefined : own;
    case "profile":
      return undefined;
  }
}

export function termOf(fields: Change["after"]): string | undefined {
  const [expression] = Array.isArray(fields["expression"]) ? fields["expression"] as unknown[] : [];
  const value = fields["keywordText"] ?? fieldsOf(expression)["value"];
  return typeof value === "string" ? value.toLowerCase() : undefined;
}

export function unitsText(unit: ExperimentUnitKind): string {
  return unit === "keyword" ? "keywords and targets" : `${unit.replace("_", " ")}s`;
}

function isShare(share: unknown): share is number {
  return typeof share === "number" && share > 0 && share < 1;
}

function isWeeks(weeks: unknown): weeks is number {
  return typeof weeks === "number" && Number.isInteger(weeks) && weeks >= 1 && weeks <= MAX_WEEKS;
}
