import type { RolloutResult } from "../../../account/rollout/rollout.ts";
import type { RolloutWatch } from "../../../operations/plans/send_rollout.ts";
import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import type { ConsoleEvent, EventHub } from "./event_hub.ts";
import { ApiProblem } from "./responses.ts";

/** A rollout that is being sent. */
interface RolloutJob {
  readonly folder: string;
  readonly verb: "apply" | "undo";
  /** Plans to be sent in this run. */
  readonly total: number;
  readonly stop: AbortController;
  readonly running: Map<string, { readonly stage: number; readonly countryCode: string }>;
  stage: number;
  done: number;
  failed: number;
}

/** The rollouts that this process is sending; pages see each plan as it begins and ends. */
export class RolloutJobs {
  readonly #events: EventHub;
  readonly #jobs = new Map<string, { readonly job: RolloutJob; readonly done: Promise<void> }>();

  /** @param events Where pages see the progress. */
  constructor(events: EventHub) {
    this.#events = events;
  }

  /**
   * Sends the plans of a rollout and tells the pages about each.
   *
   * @param ended Fires when the console ends.
   * @throws {ApiProblem} `RUNNING` while this rollout is being sent already.
   */
  async run(
    { folder, verb, total, ended }: Pick<RolloutJob, "folder" | "verb" | "total"> & { ended: AbortSignal },
    send: (watch: RolloutWatch) => Promise<RolloutResult>,
  ): Promise<RolloutResult> {
    this.ensureNotRunning(folder);
    const stop = new AbortController();
    const job: RolloutJob = { folder, verb, total, stop, running: new Map(), stage: 1, done: 0, failed: 0 };
    let finish = (): void => {};
    this.#jobs.set(folder, { job, done: new Promise((resolve) => finish = resolve) });
    const tell = (): void => this.#events.send(eventOf(job));
    tell();
    try {
      return await send({
        stop: AbortSignal.any([stop.signal, ended]),
        onBegin: ({ id, countryCode }: ChangePlan, stage) => {
          job.running.set(id, { stage, countryCode });
          job.stage = stage;
          tell();
        },
        onPlan: ({ plan: { id }, state }) => {
          job.running.delete(id);
          if (state === "done") job.done++;
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

  /** Starts no more plans of a rollout; those that are being sent are finished. */
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
  const state = stop.signal.aborted ? "stopping" : "running";
  return { event: "rollout", data: { folder, verb, state, total, done, failed, stage, running: markets } };
}
