import type { ProfileClient } from "../../../client/profile_client.ts";
import {
  sync,
  type SyncInput,
  type SyncPart,
  syncPart,
  syncPartKey,
} from "../../../operations/reads/sync.ts";
import type { SharedStore } from "../../../store/warehouse/shared_store.ts";
import type { Warehouse } from "../../../store/warehouse/warehouse.ts";
import type { ConsoleEvent, EventHub } from "./event_hub.ts";
import { ApiProblem } from "./responses.ts";

const PACE = 300;
interface SyncSettings {
  readonly store: SharedStore;
  readonly input: SyncInput;
  readonly now: () => number;
  readonly ended: AbortSignal;
}

const NAMED = 6;

export class SyncJob {
  readonly #events: EventHub;
  readonly #parts = new Map<string, SyncPart>();
  #about: Readonly<Record<string, unknown>> = { state: "none" };
  #running: { readonly done: Promise<void>; readonly stop: AbortController } | undefined;
  #toldAt = 0;

  constructor(events: EventHub) {
    this.#events = events;
  }

  /**
   * Returns immediately.
   *
   * @throws {ApiProblem} `SYNC_RUNS` while a sync is running.
   */
  start(
    profiles: readonly ProfileClient[],
    { store: shared, input, now, ended }: SyncSettings,
  ): void {
    if (this.#running !== undefined) {
      const at = String(this.#about["started_at"]).slice(11, 16);
      throw new ApiProblem(
        409,
        "SYNC_RUNS",
        `Cannot start a sync: one has been running since ${at} UTC. Wait for it or stop it`,
      );
    }
    const stop = new AbortController();
    const started = { started_at: new Date(now()).toISOString(), profiles: profiles.length };
    const warnings: string[] = [];
    this.#parts.clear();
    this.#about = { ...started, state: "running" };
    const run = async (store: Warehouse): Promise<Record<string, unknown>> => {
      const result = await sync.run({
        store,
        profiles,
        signal: AbortSignal.any([stop.signal, ended]),
        onProgress: (event) => {
          this.#parts.set(syncPartKey(event), syncPart(event));
          this.#tellSometimes(now());
        },
        onWarning: (text) => void warnings.push(text),
      }, input);
      const state = result.stopped ? "stopped" : result.ok ? "done" : "failed";
      return {
        state,
        summary: result.summary().split("\n")[0],
        problems: result.problems.map(({ text }) => text),
      };
    };
    const done = shared.useOwn(run)
      .catch((error: unknown) => ({
        state: "failed",
        problems: [error instanceof Error ? error.message : String(error)],
      }))
      .then((ending) => {
        this.#about = { ...started, ended_at: new Date(now()).toISOString(), warnings, ...ending };
        this.#running = undefined;
        this.#tell();
        // Every page reads its figures again.
        this.#events.send({ event: "plan", data: { id: "" } });
      });
    this.#running = { done, stop };
    this.#tell();
  }

  stop(): void {
    this.#running?.stop.abort();
  }

  view(): Record<string, unknown> {
    const parts = [...this.#parts.values()];
    const open = parts.filter(({ state }) => state === "running");
    const settled = parts.filter(({ state }) => state === "done" || state === "failed");
    return {
      ...this.#about,
      total: parts.length,
      done: settled.length,
      failed: settled.filter(({ state }) => state === "failed").length,
      rows: parts.reduce((sum, { amount }) => sum + amount, 0),
      running: open.sort((a, b) => b.seconds - a.seconds).slice(0, NAMED).map((
        { name, step, seconds, profile },
      ) => ({
        name,
        step,
        seconds: Math.round(seconds),
        country_code: profile.countryCode,
        profile_id: profile.profileId,
      })),
    };
  }

  current(): ConsoleEvent[] {
    return this.#about["state"] === "none" ? [] : [{ event: "sync", data: this.view() }];
  }

  async settled(): Promise<void> {
    await this.#running?.done;
  }

  #tell(): void {
    this.#events.send({ event: "sync", data: this.view() });
  }

  #tellSometimes(now: number): void {
    if (now - this.#toldAt < PACE) return;
    this.#toldAt = now;
    this.#tell();
  }
}
