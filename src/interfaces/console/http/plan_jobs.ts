import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import type { ChangeResult } from "../../../plans/model/change_result.ts";
import type { Change } from "../../../plans/model/change.ts";
import type { AppliedPlan } from "../../../plans/store/write_result.ts";
import type { ConsoleEvent, EventHub } from "./event_hub.ts";

interface SentRequest {
  /** `update sp.keywords` */
  readonly what: string;
  readonly changes: number;
  /** Verdicts by outcome; `undefined` while it is under way. */
  outcomes: Record<string, number> | undefined;
}

/** Observer of a plan's sending. */
interface JobWatch {
  onSending(changes: readonly Change[]): void;
  onResults(results: readonly ChangeResult[]): void;
}

/** The plans that this process is sending; pages see each request as it leaves and comes back. */
export class PlanJobs {
  readonly #events: EventHub;
  readonly #running = new Map<string, { requests: SentRequest[]; total: number; done: Promise<void> }>();

  constructor(events: EventHub) {
    this.#events = events;
  }

  /** True while the plan is being sent. */
  isRunning(planId: string): boolean {
    return this.#running.has(planId);
  }

  /** Sends a plan and tells the pages about it. Fails as `send` does. */
  async run(plan: ChangePlan, send: (watch: JobWatch) => Promise<AppliedPlan>): Promise<AppliedPlan> {
    const requests: SentRequest[] = [];
    let finish = (): void => {};
    const done = new Promise<void>((resolve) => finish = resolve);
    // Another job of the same plan may run: the store lets only one of them send.
    const key = this.#running.has(plan.id) ? `${plan.id} again` : plan.id;
    this.#running.set(key, { requests, total: plan.changes.length, done });
    const progress = (): void => this.#events.send(progressOf(plan.id, requests, plan.changes.length));
    try {
      return await send({
        onSending: (changes) => {
          const [first] = changes;
          requests.push({
            what: first === undefined ? "" : `${first.op} ${first.kind}`,
            changes: changes.length,
            outcomes: undefined,
          });
          progress();
        },
        onResults: (results) => {
          const last = requests.at(-1);
          if (last !== undefined) last.outcomes = countOutcomes(results);
          progress();
        },
      });
    } finally {
      this.#running.delete(key);
      finish();
      this.#events.send({ event: "plan", data: { id: plan.id } });
    }
  }

  /** Events that a newly opened page needs. */
  current(): ConsoleEvent[] {
    return [...this.#running].map(([id, { requests, total }]) => progressOf(id, requests, total));
  }

  /** Waits until nothing is being sent. */
  async settled(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }
}

function progressOf(id: string, requests: readonly SentRequest[], total: number): ConsoleEvent {
  const sent = requests.reduce(
    (sum, { changes, outcomes }) => sum + (outcomes === undefined ? 0 : changes),
    0,
  );
  return { event: "progress", data: { id, total, sent, requests } };
}

function countOutcomes(results: readonly ChangeResult[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
