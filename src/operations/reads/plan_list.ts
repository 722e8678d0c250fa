import type { RolloutData } from "../../account/rollout/rollout_file.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { type PlanStatus, stateSince, stateWord } from "../../plans/store/plan_status.ts";
import type { PlanStore, StoredPlan } from "../../plans/store/plan_store.ts";
import { planCounts } from "../../plans/view/plan_lines.ts";
import { defineOperation } from "../model/operation.ts";

interface PlanListContext {
  /** Folders of plans and of rollouts. */
  readonly stores: readonly Pick<PlanStore, "path" | "list">[];
  /** True to ignore plans of other folders for what was undone: one folder may be of the account, one of its copy. */
  readonly isRehearsal?: boolean | undefined;
  /** Tells plans that may be listed; those that cannot be read are then left out. @default all plans */
  readonly isReached?: ((plan: ChangePlan) => boolean) | undefined;
}

interface PlanPlace {
  readonly id: string;
  readonly folder: string;
  /** Folder of the rollout that the plan is in. */
  readonly rollout: string | null;
}

export interface UnusablePlan extends PlanPlace {
  readonly state: "unusable";
  readonly problem: string;
}

export interface UsablePlan extends PlanPlace {
  readonly state: ReturnType<typeof stateWord>;
  /** Next step, if one is left. */
  readonly next: "apply" | "resume" | "wait" | null;
  /** Time since when the plan is in its state. */
  readonly since: string | null;
  readonly counts: string;
  readonly accountName: string | null;
  readonly appliedAt: string | null;
  readonly result: string | null;
  /** Id of the plan that undoes an applied one. */
  readonly undoPlan: string | null;
  readonly file: string;
  readonly plan: ChangePlan;
  readonly status: PlanStatus;
}

export type ListedPlan = UnusablePlan | UsablePlan;

export interface ListedRollout {
  readonly folder: string;
  /** Word for all plans, or the number of plans in each state. */
  readonly state: string;
  /** Time when the last of its plans was applied. */
  readonly appliedAt: string | null;
  /** Absent if the rollout cannot be used. */
  readonly data?: RolloutData;
  readonly problem?: string;
}

export interface ListedPlans {
  /** Newest first; one of each id. */
  readonly plans: readonly ListedPlan[];
  readonly rollouts: readonly ListedRollout[];
}

export const planList = defineOperation<PlanListContext, ListedPlans>()({
  name: "plan list",
  tool: "list_plans",
  effect: "read",
  title: "List plans",
  summary: "List plans and their status",
  details:
    "Lists plans in this folder and the tool server's folder, newest first: open, queued, applied, undone, " +
    "refused or unfinished. A plan in two folders is listed once. Includes rollouts that adsctl created or applied, with " +
    "their plans. Reads nothing from the platform. Hides open plans that undo an applied one, because plan undo " +
    "applies them.",
  brief: "Saved plans, newest first, each open, queued, applied, undone, refused or unfinished; " +
    "rollback_plan_id undoes an applied one.",
  examples: [{ input: {}, about: "list plans here, and those of agents" }],
  library: 'await PlanStore.open("plans").list()',
  input: {
    all: { type: "switch", help: "include open plans that undo other plans", brief: "Also open undo plans" },
  },
  async run({ stores, isRehearsal = false, isReached }, { all }) {
    const { shownPlans } = await import("../../plans/store/shown_plans.ts");
    const { withUndone } = await import("../../plans/store/undone_plans.ts");
    const rollouts = await Promise.all(stores.map(({ path }) => rolloutIn(path)));
    const lists = await withUndone(await Promise.all(stores.map((store) => store.list())), { isRehearsal });
    const found = lists.map((list, at) => {
      const { data } = rollouts[at] ?? {};
      const names = new Map(data?.plans.map((one) => [one.profile_id, one.account_name]));
      const folder = stores[at]?.path ?? "";
      const place = { folder, rollout: rollouts[at] === undefined ? null : folder };
      return (all === true ? list : shownPlans(list))
        .filter((one) => isReached === undefined || "plan" in one && isReached(one.plan))
        .map((one) => listed(one, place, names));
    });
    return {
      plans: onceEach(found.flat()).sort((a, b) => orderOf(a) < orderOf(b) ? 1 : -1),
      rollouts: rollouts.flatMap((one, at) => one === undefined ? [] : [withState(one, found[at] ?? [])]),
    };
  },
});

function listed(
  stored: StoredPlan,
  place: Omit<PlanPlace, "id">,
  names: ReadonlyMap<string, string | null | undefined>,
): ListedPlan {
  const { id } = stored;
  if ("problem" in stored) return { id, ...place, state: "unusable", problem: stored.problem.message };
  const { path, plan, status } = stored;
  const applied = status.state === "applied" ? status : undefined;
  return {
    id,
    ...place,
    state: stateWord(status),
    next: applied?.isCutOff && applied.undone === undefined ? "resume" : NEXT[status.state] ?? null,
    since: stateSince(status) ?? null,
    counts: planCounts(plan.changes),
    accountName: names.get(plan.profileId) ?? null,
    appliedAt: applied?.at ?? null,
    result: applied?.summary ?? null,
    undoPlan: applied?.rollbackPlanId ?? null,
    file: path,
    plan,
    status,
  };
}

const NEXT: Readonly<Partial<Record<PlanStatus["state"], UsablePlan["next"]>>> = {
  open: "apply",
  unfinished: "resume",
  queued: "wait",
};

/** Keeps a copy that was applied or refused before an open one, an unusable one last; of equal ones that in a rollout. */
function onceEach(plans: readonly ListedPlan[]): ListedPlan[] {
  const rank = ({ rollout, state }: ListedPlan): number =>
    2 * (state === "unusable" ? 2 : state === "open" ? 1 : 0) + (rollout === null ? 1 : 0);
  const kept = new Map<string, ListedPlan>();
  for (const plan of plans) {
    const other = kept.get(plan.id);
    if (other === undefined || rank(plan) < rank(other)) kept.set(plan.id, plan);
  }
  return [...kept.values()];
}

function orderOf(one: ListedPlan): string {
  return `${"plan" in one ? one.plan.createdAt : ""} ${one.id}`;
}

async function rolloutIn(
  folder: string,
): Promise<Pick<ListedRollout, "folder" | "data" | "problem"> | undefined> {
  const { isRollout, readRollout } = await import("../../account/rollout/rollout_file.ts");
  if (!await isRollout(folder).catch(() => false)) return undefined;
  try {
    return { folder, data: await readRollout(folder) };
  } catch (error) {
    return { folder, problem: String(error) };
  }
}

function withState(
  rollout: Pick<ListedRollout, "folder" | "data" | "problem">,
  plans: readonly ListedPlan[],
): ListedRollout {
  const { data } = rollout;
  if (data === undefined) return { ...rollout, state: "unusable", appliedAt: null };
  const members = new Set(data.plans.map(({ plan_id }) => plan_id));
  const own = plans.filter(({ id }) => members.has(id));
  const states = [...Map.groupBy(own, ({ state }) => state)]
    .map(([state, { length }]) => length === own.length ? state : `${length} ${state}`);
  const times = own.flatMap((one) => "plan" in one && one.appliedAt !== null ? [one.appliedAt] : []).sort();
  return {
    ...rollout,
    state: data.undone_at === undefined ? states.join(", ") : "undone",
    appliedAt: times.at(-1) ?? null,
  };
}
