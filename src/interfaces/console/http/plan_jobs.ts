import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import type { ChangeResult } from "../../../plans/model/change_result.ts";
import type { Change } from "../../../plans/model/change.ts";
import type { AppliedPlan } from "../../../plans/store/write_result.ts";
import type { ConsoleEvent, EventHub } from "./event_hub.ts";

interface SentRequest {
  readonly what: string;
  readonly changes: number;
  outcomes: Record<string, number> | undefined;
}

interface JobWatch {
  onSending(changes: readonly Change[]): void;
  onResults(results: readonly ChangeResult[]): void;
}

export class PlanJobs {
  readonly #events: EventHub;
  readonly #running = new Map<string, { requests: SentRequest[]; total: number; done: Promise<void> }>();

  constructor(events: EventHub) {
    this.#events = events;
  }

  isRunning(planId: string): boolean {
    return this.#running.has(planId);
  }

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

  current(): ConsoleEvent[] {
    return [...this.#running].map(([id, { requests, total }]) => progressOf(id, requests, total));
  }

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
