import { fieldsOf } from "../../base/json/fields_of.ts";
import { dayIn } from "../../base/time/calendar.ts";
import { timeZoneOf } from "../../base/markets/markets.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";
import { isPlanId, PlanPlaces } from "./plan_places.ts";
import { ConfigurationError } from "../../errors.ts";
import {
  type Experiment,
  type HeldElsewhere,
  type HeldSource,
  lastDayOf,
  readExperiment,
} from "../model/experiment.ts";

/** An experiment that began when its plan was applied. */
export interface BegunExperiment {
  /** The plan that holds units back. */
  readonly planId: string;
  /** Profile that the plan was applied to, digits as text. */
  readonly profileId: string;
  /** Country of that profile. */
  readonly countryCode: string;
  /** Reason for the plan; `null` when none was given. */
  readonly note: string | null;
  /** When the plan was applied, ISO 8601. */
  readonly appliedAt: string;
  /** Last day on which the held-back units stay unchanged, in the profile's time zone. */
  readonly until: string;
  /** `undone` if the whole plan was undone; otherwise `ended` after that day. */
  readonly state: "running" | "ended" | "undone";
  /** The experiment of the plan. */
  readonly experiment: Experiment;
  /** Folder of the rollout whose profiles were drawn; `null` for a single plan. */
  readonly rollout: string | null;
}

/**
 * The experiments that plans of a folder began, the newest first.
 *
 * @param folder Path of the folder, as {@linkcode PlanStore.path} gives it.
 * @param now Milliseconds since the epoch.
 * @param onDamaged Gets the path of each record that was edited or is damaged; it is left out.
 *
 * @example
 * ```ts
 * import { experimentsIn } from "@platform/ads";
 *
 * for (const { planId, until, state, experiment } of await experimentsIn("plans")) {
 *   console.log(planId, state, until, experiment.held.length);
 * }
 * ```
 */
export async function experimentsIn(
  folder: string,
  now: number = Date.now(),
  onDamaged: (path: string) => void = () => {},
): Promise<BegunExperiment[]> {
  const places = new PlanPlaces(folder);
  const files = fileSystem();
  const [{ digestOf, EXPERIMENT_ENDING, experimentPath }, { undoStatus }, { readRecord }, { stateWord }] =
    await Promise.all([
      import("./experiment_record.ts"),
      import("./undo_chain.ts"),
      import("./read_record.ts"),
      import("./plan_status.ts"),
    ]);
  const [{ listedStatus }, { PlanStore }] = await Promise.all([
    import("./undone_plans.ts"),
    import("./plan_store.ts"),
  ]);
  const begun: BegunExperiment[] = [];
  for (const name of await files.list(files.dirname(places.result("any")))) {
    const [, id] = new RegExp(`^plan-(.{1,64})\\.${EXPERIMENT_ENDING}$`).exec(name) ?? [];
    if (!isPlanId(id)) continue;
    const path = experimentPath(places, id);
    const data = fieldsOf(await readRecord(path));
    const { profile_id: profileId, country_code: countryCode, note, applied_at: appliedAt, digest } = data;
    const experiment = readExperiment(data["experiment"]);
    const isWhole = digest === undefined || digest === digestOf(data["experiment"]);
    if (
      !experiment || !isWhole || typeof profileId !== "string" || typeof countryCode !== "string" ||
      typeof appliedAt !== "string" || Number.isNaN(Date.parse(appliedAt))
    ) {
      onDamaged(path);
      continue;
    }
    const { undone } = await undoStatus(id, places);
    // Its undo may have been undone.
    const isUndone = undone !== undefined && !undone.isPart &&
      stateWord(await listedStatus(id, [PlanStore.open(folder)])) !== "applied";
    begun.push({
      planId: id,
      profileId,
      countryCode,
      note: typeof note === "string" ? note : null,
      appliedAt,
      ...experimentStands(experiment, { countryCode, appliedAt, isUndone, now }),
      experiment,
      rollout: experiment.unit === "profile" ? folder : null,
    });
  }
  return together(begun).sort((a, b) => a.appliedAt < b.appliedAt ? 1 : -1);
}

/** Returns the last day of an experiment, and whether it still runs. */
export function experimentStands(
  experiment: Pick<Experiment, "weeks">,
  { countryCode, appliedAt, isUndone, now }: Pick<BegunExperiment, "countryCode" | "appliedAt"> & {
    readonly isUndone: boolean;
    readonly now: number;
  },
): Pick<BegunExperiment, "until" | "state"> {
  const zone = timeZoneOf({ countryCode });
  const until = lastDayOf(experiment, dayIn(zone, Date.parse(appliedAt)));
  return { until, state: isUndone ? "undone" : dayIn(zone, now) > until ? "ended" : "running" };
}

/** Merges plans of one rollout that drew profiles: their experiment runs as long as any of them. */
function together(begun: readonly BegunExperiment[]): BegunExperiment[] {
  const groups = Map.groupBy(
    begun,
    ({ planId, rollout, experiment: { seed, held } }) =>
      rollout === null ? planId : JSON.stringify([seed, held]),
  );
  return [...groups.values()].map((own) => {
    const first = own.reduce((a, b) => b.appliedAt < a.appliedAt ? b : a);
    const state = (["running", "ended"] as const).find((one) => own.some(({ state }) => state === one)) ??
      "undone";
    const { until } = own.filter((one) => one.state === state).reduce((a, b) => b.until > a.until ? b : a);
    return { ...first, state, until };
  });
}

export function heldAt(
  experiments: readonly BegunExperiment[],
  { profileId, id, at }: { readonly profileId: string; readonly id: string; readonly at: string },
): BegunExperiment | undefined {
  return experiments.find((one) =>
    one.state !== "undone" && one.appliedAt <= at &&
    dayIn(timeZoneOf(one), Date.parse(at)) <= one.until &&
    heldIds(one, profileId).some((held) => held === id || held === profileId)
  );
}

function heldIds(
  { experiment: { unit, held }, profileId: own }: BegunExperiment,
  profileId: string,
): readonly string[] {
  // Of the experiment of a rollout the plans are those of other profiles.
  if (unit === "profile") return held.includes(profileId) ? [profileId] : [];
  return own === profileId ? held : [];
}

/**
 * The ids that running experiments of a profile hold back, for `heldElsewhere` of a new plan.
 *
 * @example
 * ```ts
 * import { experimentsIn, heldBy, type ProfileClient } from "@platform/ads";
 *
 * async function lower(us: ProfileClient, keywordId: string): Promise<void> {
 *   const heldElsewhere = heldBy(await experimentsIn("plans"), us.profileId);
 *   const plan = await us.sp.keywords.planUpdate([{ keywordId, bid: 0.4 }], { heldElsewhere });
 *   console.log(plan.changes.length, plan.warnings);
 * }
 * ```
 */
export function heldBy(experiments: readonly BegunExperiment[], profileId: string): HeldElsewhere {
  return new Map(
    experiments.filter(({ state }) => state === "running").flatMap((one) =>
      heldIds(one, profileId).map((id) => [id, { planId: one.planId, until: one.until }] as const)
    ),
  );
}

/**
 * Finds entities held back by the running experiments of folders, for the option `experiments` of a client: its plans
 * leave them unchanged.
 *
 * @param folders Paths of folders of plans, or a function that finds them anew for each plan.
 *
 * @example
 * ```ts
 * import { type Credentials, type Platform, PlatformAds } from "@platform/ads";
 * import { heldIn } from "@platform/ads/plans";
 *
 * function client(credentials: Credentials, platform: Platform): PlatformAds {
 *   return new PlatformAds(credentials, { platform, experiments: heldIn(["plans"]) });
 * }
 * ```
 */
export function heldIn(
  folders: readonly string[] | (() => Promise<readonly string[]>),
  now: () => number = Date.now,
): HeldSource {
  return async (profileId) => {
    const places = typeof folders === "function" ? await folders() : folders;
    const begun = await Promise.all(places.map((folder) => experimentsIn(folder, now(), refuseDamaged)));
    return heldBy(begun.flat(), profileId);
  };
}

function refuseDamaged(path: string): never {
  throw new ConfigurationError(
    `Cannot read held-back entities: ${path} was edited or is damaged. Restore it, or plan ` +
      "without the option experiments",
  );
}
