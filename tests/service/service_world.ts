import type { ProfileClient } from "../../src/client/profile_client.ts";
import { timeZoneOf } from "../../src/base/markets/markets.ts";
import {
  type DoWork,
  parseService,
  runService,
  type ServiceEvent,
} from "../../src/automation/service/mod.ts";

/** Milliseconds of an hour. */
export const HOUR = 3_600_000;
/** Beginning of every test. */
export const START = Date.parse("2026-11-20T12:30:00Z");

/** A service on virtual time: every wait moves the clock, and the service ends at a moment. */
export class World {
  now = START;
  readonly events: ServiceEvent[] = [];
  /** Times of the events. */
  readonly times: number[] = [];
  readonly place: string;
  readonly text: string;
  readonly countries: readonly string[];

  constructor(place: string, timers: string, countries: readonly string[] = ["US"]) {
    this.place = place;
    this.text = `version: 1\nprofiles: all\n${timers}`;
    this.countries = countries;
  }

  get profiles(): ProfileClient[] {
    return this.countries.map((countryCode, at) =>
      ({
        profileId: `10${at}`,
        countryCode,
        timeZone: timeZoneOf({ countryCode }),
        transport: { now: () => this.now },
      }) as unknown as ProfileClient
    );
  }

  /** Runs that were done, by the time at which they were due. */
  get done(): string[] {
    return this.events.filter(({ kind }) => kind === "done").map(({ countryCode, timer, due }) =>
      `${countryCode} ${timer} ${new Date(due).toISOString().slice(0, 16)}`
    );
  }

  get file() {
    return parseService(this.text, "service.yaml");
  }

  /** Runs a service until a moment; every kind of work is that of the test. */
  async until(
    end: number,
    work: DoWork = () => Promise.resolve("fine"),
    signal?: AbortSignal,
  ): Promise<void> {
    const over = new AbortController();
    await runService(this.profiles, {
      file: this.file,
      place: this.place,
      store: {} as never,
      plans: {} as never,
      work: { sync: work, entities: work, drift: work, schedules: work, watch: work },
      onEvent: (event) => {
        this.events.push(event);
        this.times.push(this.now);
      },
      sleep: async (seconds) => {
        await new Promise((resume) => setTimeout(resume, 0));
        // In steps that make a test of days quick; the times at which work was due stay exact.
        this.now += 1000 * Math.max(seconds, 240);
        if (this.now >= end) over.abort();
      },
      signal: signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]),
    });
  }
}
