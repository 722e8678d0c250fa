import type { RolloutResult } from "../../../account/rollout/rollout.ts";
import { hasSucceeded } from "../../../account/rollout/stages.ts";
import type { RolloutWatch } from "../../../operations/plans/send_rollout.ts";
import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import type { ConsoleEvent, EventHub } from "./event_hub.ts";
import { ApiProblem } from "./responses.ts";

/** A rollout that is being sent. */
interface RolloutJob {
  readonly folder: string;
  readonly verb: "apply" | "undo";
  /** Plans to be sent in this run; `undefined` while the accounts are checked. */
  total: number | undefined;
  readonly stop: AbortController;
  readonly running: Map<string, Pick<ChangePlan, "countryCode" | "reverses">>;
  stage: number;
  done: number;
  failed: number;
}

/** Observer of a rollout that is checked and sent. */
interface RolloutJobWatch extends RolloutWatch {
  /** Fires when no more plans are to be started, also while the accounts are checked. */
  readonly stop: AbortSignal;
  /** Called once the accounts are checked, with the number of plans that are sent. */
  onReviewed(total: number): void;
}

/** Rollouts that this process is sending. Notifies pages when each plan begins and ends. */
export class RolloutJobs {
  readonly #events: EventHub;
  readonly #jobs = new Map<string, { readonly job: RolloutJob; readonly done: Promise<void> }>();

  /** @param events Where pages see the progress. */
  constructor(events: EventHub) {
    this.#events = events;
  }

  /**
   * Checks and sends the plans of a rollout and tells the pages about each.
   *
   * @param ended Fires when the console ends.
   * @throws {ApiProblem} `RUNNING` while this rollout is being sent already.
   */
  async run(
    { folder, verb, ended }: Pick<RolloutJob, "folder" | "verb"> & { ended: AbortSignal },
    send: (watch: RolloutJobWatch) => Promise<RolloutResult>,
  ): Promise<RolloutResult> {
    this.ensureNotRunning(folder);
    const stop = new AbortController();
    const job: RolloutJob = {
      ...{ folder, verb, stop, running: new Map() },
      ...{ total: undefined, stage: 1, done: 0, failed: 0 },
    };
    let finish = (): void => {};
    this.#jobs.set(folder, { job, done: new Promise((resolve) => finish = resolve) });
    const tell = (): void => this.#events.send(eventOf(job));
    tell();
    try {
      return await send({
        stop: AbortSignal.any([stop.signal, ended]),
        onReviewed: (total) => {
          job.total = total;
          tell();
        },
        onBegin: ({ id, countryCode, reverses }: ChangePlan, stage) => {
          job.running.set(id, { countryCode, reverses });
          job.stage = stage;
          tell();
        },
        onPlan: (entry) => {
          const { id } = entry.plan;
          job.running.delete(id);
          if (hasSucceeded(entry)) job.done++;
          else job.failed++;
          tell();
          this.#events.send({ event: "plan", data: { id } });
        },
      });
    } finally {
      this.#jobs.delete(folder);
      finish();
      this.#events.send({ event: "rollout", data: { folder, state: "ended" } });
      this.#events.send({ event: "plan", data: { id: "" } });
    }
  }

  /**
   * Throws while a rollout is being sent.
   *
   * @throws {ApiProblem} `RUNNING`.
   */
  ensureNotRunning(folder: string): void {
    if (!this.#jobs.has(folder)) return;
    throw new ApiProblem(409, "RUNNING", "This rollout is being sent now: wait until it is done, or stop it");
  }

  /** True while a rollout sends the plan, or the one that undoes it. */
  isRunning(planId: string): boolean {
    return [...this.#jobs.values()].some(({ job: { running } }) =>
      running.has(planId) || [...running.values()].some(({ reverses }) => reverses === planId)
    );
  }

  /** Starts no more plans of a rollout; plans that are already being sent are finished. */
  stop(folder: string): void {
    this.#jobs.get(folder)?.job.stop.abort();
  }

  current(): ConsoleEvent[] {
    return [...this.#jobs.values()].map(({ job }) => eventOf(job));
  }

  /** Waits until no rollout is being sent. */
  async settled(): Promise<void> {
    await Promise.all([...this.#jobs.values()].map(({ done }) => done));
  }
}

function eventOf({ folder, verb, total, done, failed, stage, running, stop }: RolloutJob): ConsoleEvent {
  const markets = [...running].map(([plan_id, { countryCode }]) => ({ plan_id, country_code: countryCode }));
  const state = stop.signal.aborted ? "stopping" : total === undefined ? "checking" : "running";
  return {
    event: "rollout",
    data: { folder, verb, state, total: total ?? null, done, failed, stage, running: markets },
  };
}
