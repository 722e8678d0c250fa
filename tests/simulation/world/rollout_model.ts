import type { SqlRow, SqlValue, Statement } from "../../../src/store/tables/postgres_sql.ts";
import { PLAN_TASK } from "../../../src/store/queue/sync_job.ts";
import type { ModelJob } from "./queue_model.ts";

/** A rollout on the queue. */
interface ModelRollout {
  readonly id: string;
  options: string;
  state: string;
  stopped: string | null;
}

/** A plan of a rollout, with the columns that decide about it. */
interface ModelPlan {
  readonly planId: string;
  readonly rolloutId: string;
  readonly place: number;
  readonly profileId: string;
  readonly plan: string;
  approvedBy: string | null;
  approval: string | null;
  state: string;
  stage: number | null;
  workerId: string | null;
  jobId: number | null;
  attempt: number | null;
  summary: string | null;
  result: string | null;
  rollbackId: string | null;
  rollback: string | null;
}

/** A lock of a row: `share` excludes those who change it. */
export interface RowLock {
  readonly name: string;
  readonly mode: "share" | "own";
}

const text = (value: SqlValue | undefined): string => String(value);
const textOrNull = (value: SqlValue | undefined): string | null => typeof value === "string" ? value : null;

/**
 * Tables of the rollouts on a queue, in place of PostgreSQL. They understand the statements of src/automation/worker alone;
 * rollout_model_test.ts holds them against a real server.
 */
export class RolloutTables {
  rollouts: ModelRollout[] = [];
  plans: ModelPlan[] = [];
  readonly journals: { readonly planId: string; readonly line: string; readonly text: string }[] = [];

  /** Rollouts and plans as a text. Lines of journals are added by statements of their own, which nothing undoes. */
  save(): string {
    return JSON.stringify([this.rollouts, this.plans]);
  }

  /** Takes over what was saved. */
  load(saved: string): void {
    [this.rollouts, this.plans] = JSON.parse(saved);
  }

  /** The plan of an id. */
  plan(planId: SqlValue | undefined): ModelPlan | undefined {
    return this.plans.find((one) => one.planId === planId);
  }
}

/** True for a statement about rollouts, their plans or journals. */
export function isAboutRollouts(sql: string): boolean {
  return /\b(?:rollouts|rollout_plans|plan_journals)\b/.test(sql);
}

/** Rows that a statement locks before it looks at them. */
export function rolloutLocks({ text: sql, values }: Statement): RowLock[] {
  const plan = (at: number, mode: RowLock["mode"]): RowLock[] => [{ name: `plan ${values[at]}`, mode }];
  if (sql.startsWith("SELECT 1 FROM rollouts")) return [{ name: `rollout ${values[0]}`, mode: "own" }];
  if (sql.startsWith("SELECT 1 FROM rollout_plans")) return plan(0, "own");
  if (sql.startsWith("UPDATE rollout_plans SET state = 'open'")) return plan(0, "own");
  if (sql.startsWith("UPDATE rollout_plans SET state = 'unfinished'")) return plan(0, "own");
  if (sql.startsWith("DELETE FROM rollout_plans")) return plan(0, "own");
  if (sql.startsWith("UPDATE rollout_plans SET state = 'running'")) return plan(3, "own");
  if (sql.startsWith("UPDATE rollout_plans SET state = $1")) return plan(5, "own");
  if (sql.startsWith("WITH plan AS")) return plan(0, sql.includes("FOR SHARE") ? "share" : "own");
  return [];
}

type Run = (
  tables: RolloutTables,
  values: readonly SqlValue[],
  jobs: readonly ModelJob[],
) => SqlRow[];

/** A line of a journal, where the writer holds the plan. */
function addLine({ journals }: RolloutTables, [planId, , , line, added]: readonly SqlValue[]): void {
  journals.push({ planId: text(planId), line: text(line), text: text(added) });
}

function heldPlan(tables: RolloutTables, [planId, writer]: readonly SqlValue[]): ModelPlan | undefined {
  const plan = tables.plan(planId);
  return writer === null || plan?.workerId === writer ? plan : undefined;
}

/** The statements of rollouts, by a part of their text. The first that fits is the one. */
export const ROLLOUT_STATEMENTS: Readonly<Record<string, Run>> = {
  "SELECT 1 FROM rollouts WHERE id": ({ rollouts }, [id]) =>
    rollouts.some((one) => one.id === id) ? [{}] : [],
  "SELECT 1 FROM rollout_plans WHERE plan_id": (tables, [planId, workerId]) =>
    tables.plan(planId)?.workerId === workerId ? [{}] : [],
  "SELECT rollout_id FROM rollout_plans": (tables, [planId]) => {
    const plan = tables.plan(planId);
    return plan === undefined ? [] : [{ rollout_id: plan.rolloutId }];
  },
  "AS overtaken FROM rollout_plans JOIN rollouts": (tables, [workerId, jobId, attempt, planId]) => {
    const plan = tables.plan(planId);
    const rollout = tables.rollouts.find(({ id }) => id === plan?.rolloutId);
    if (plan === undefined || rollout === undefined) return [];
    const order = plan.jobId === null ? null : plan.jobId - Number(jobId) || plan.attempt! - Number(attempt);
    return [{
      rollout_state: rollout.state,
      options: rollout.options,
      state: plan.state,
      plan: plan.plan,
      approved_by: plan.approvedBy,
      approval: plan.approval,
      overtaken: plan.workerId !== workerId && (order === null ? null : order >= 0),
    }];
  },
  "UPDATE rollout_plans SET state = 'open'": (tables, [planId]) => {
    const plan = tables.plan(planId);
    if (plan?.state === "queued") plan.state = "open";
    return [];
  },
  "UPDATE rollout_plans SET state = 'running'": (tables, [workerId, jobId, attempt, planId]) => {
    const plan = tables.plan(planId);
    if (plan !== undefined) {
      Object.assign(plan, {
        state: "running",
        workerId,
        jobId: Number(jobId),
        attempt: Number(attempt),
      });
    }
    return [];
  },
  "UPDATE rollout_plans SET state = 'unfinished'": (tables, [planId]) => {
    const plan = tables.plan(planId);
    if (plan !== undefined) plan.state = "unfinished";
    return [];
  },
  "DELETE FROM plan_journals": ({ journals }, [id]) => {
    const left = journals.filter(({ planId }) => planId !== id);
    journals.splice(0, journals.length, ...left);
    return [];
  },
  "DELETE FROM rollout_plans": (tables, [id]) => {
    tables.plans = tables.plans.filter(({ planId }) => planId !== id);
    return [];
  },
  "UPDATE rollout_plans SET state = $1": (tables, [state, summary, result, rollbackId, rollback, planId]) => {
    const plan = tables.plan(planId);
    if (plan?.state === "running") Object.assign(plan, { state, summary, result, rollbackId, rollback });
    return [];
  },
  "SELECT plan_id, profile_id FROM rollout_plans": (tables, [planId]) => {
    const plan = tables.plan(planId);
    return plan === undefined ? [] : [{ plan_id: plan.planId, profile_id: plan.profileId }];
  },
  "SELECT plan_id, profile_id, rollout_id FROM rollout_plans": ({ plans }, [task], jobs) =>
    plans.filter(({ state, profileId, planId }) =>
      (state === "queued" || state === "running") &&
      !jobs.some(({ key, lockedAt, attempts, maxAttempts }) =>
        key === `${task}:${profileId}:${planId}` && (lockedAt !== null || attempts < maxAttempts)
      )
    ).map(({ planId, profileId, rolloutId }) => ({
      plan_id: planId,
      profile_id: profileId,
      rollout_id: rolloutId,
    })),
  "SELECT options, state FROM rollouts": ({ rollouts }, [id]) =>
    rollouts.filter((one) => one.id === id).map(({ options, state }) => ({ options, state })),
  "SELECT plan_id, profile_id, state, CASE WHEN state = 'failed'": (tables, [id]) =>
    inOrder(tables, id).map(({ planId, profileId, state, result }) => ({
      plan_id: planId,
      profile_id: profileId,
      state,
      result: state === "failed" ? result : null,
    })),
  "SELECT plan_id, profile_id, state FROM rollout_plans": (tables, [id]) =>
    inOrder(tables, id).map(({ planId, profileId, state }) => ({
      plan_id: planId,
      profile_id: profileId,
      state,
    })),
  "UPDATE rollouts SET state = $1": ({ rollouts }, [state, stopped, id]) => {
    for (const one of rollouts) if (one.id === id) Object.assign(one, { state, stopped });
    return [];
  },
  "UPDATE rollout_plans SET state = 'queued'": ({ plans }, [stage, ids]) => {
    const begun = plans.filter(({ state, planId }) =>
      state === "open" && text(ids).split(",").includes(planId)
    );
    for (const plan of begun) Object.assign(plan, { state: "queued", stage });
    return begun.map(({ planId, profileId }) => ({ plan_id: planId, profile_id: profileId }));
  },

  "INSERT INTO rollouts": ({ rollouts }, [id, _note, options]) => {
    if (rollouts.every((one) => one.id !== id)) {
      rollouts.push({ id: text(id), options: text(options), state: "running", stopped: null });
    }
    return [];
  },
  "UPDATE rollouts SET options": ({ rollouts }, [options, id]) => {
    for (const one of rollouts) {
      if (one.id === id) Object.assign(one, { options, state: "running", stopped: null });
    }
    return [];
  },
  "INSERT INTO rollout_plans": (tables, values) => {
    const [planId, rolloutId, place, profileId, , , plan, approvedBy, approval, state, summary] = values;
    const before = tables.plan(planId);
    if (before !== undefined) {
      Object.assign(before, { approvedBy, approval });
      if (["not_begun", "unfinished"].includes(before.state)) before.state = "open";
      return [];
    }
    tables.plans.push({
      planId: text(planId),
      rolloutId: text(rolloutId),
      place: Number(place),
      profileId: text(profileId),
      plan: text(plan),
      approvedBy: textOrNull(approvedBy),
      approval: textOrNull(approval),
      state: text(state),
      stage: null,
      workerId: null,
      jobId: null,
      attempt: null,
      summary: textOrNull(summary),
      result: null,
      rollbackId: null,
      rollback: null,
    });
    return [];
  },
  "SELECT state, stopped FROM rollouts": ({ rollouts }, [id]) =>
    rollouts.filter((one) => one.id === id).map(({ state, stopped }) => ({ state, stopped })),
  "SELECT plan_id, state, stage, summary FROM rollout_plans": (tables, [id]) =>
    inOrder(tables, id).map(({ planId, state, stage, summary }) => ({
      plan_id: planId,
      state,
      stage,
      summary,
    })),
  "SELECT result, rollback_id, rollback FROM rollout_plans": (tables, [planId]) => {
    const plan = tables.plan(planId);
    if (plan === undefined) return [];
    return [{ result: plan.result, rollback_id: plan.rollbackId, rollback: plan.rollback }];
  },

  "FOR UPDATE) INSERT INTO plan_journals": (tables, values) => {
    const isFirst = tables.journals.every(({ planId }) => planId !== values[0]);
    if (isFirst && heldPlan(tables, values) !== undefined) addLine(tables, values);
    return [];
  },
  "SELECT line FROM plan_journals": ({ journals }, [id]) =>
    journals.filter(({ planId }) => planId === id).slice(0, 1).map(({ line }) => ({ line })),
  "SELECT text FROM plan_journals": ({ journals }, [id]) =>
    journals.filter(({ planId }) => planId === id).map((one) => ({ text: one.text })),
  "added AS (INSERT INTO plan_journals": (tables, values) => {
    const plan = heldPlan(tables, values);
    if (plan === undefined) return [];
    const isThere = tables.journals.some(({ planId, line }) => planId === values[0] && line === values[3]);
    if (!isThere) addLine(tables, values);
    return [{ plan_id: plan.planId }];
  },
  "AS size FROM plan_journals": ({ journals }, [id]) => [{
    size: journals.filter(({ planId }) => planId === id).reduce((sum, one) => sum + one.text.length, 0),
  }],
};

/** Key of the job of a plan on the queue. */
export function planKey({ profileId, planId }: { profileId: string; planId: string }): string {
  return `${PLAN_TASK}:${profileId}:${planId}`;
}

function inOrder({ plans }: RolloutTables, id: SqlValue | undefined): ModelPlan[] {
  return plans.filter(({ rolloutId }) => rolloutId === id).sort((one, other) => one.place - other.place);
}
