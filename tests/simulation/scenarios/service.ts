import { deepEqual, ok } from "../../support/assert.ts";
import type { ProfileClient } from "../../../mod.ts";
import {
  type DoWork,
  parseService,
  runService,
  ServiceState,
  serviceStatus,
} from "../../../src/automation/service/mod.ts";
import { clientIn, runProgram, type Scenario } from "../scenario.ts";
import { Disk } from "../world/disk.ts";
import { CALM } from "../world/world.ts";

const MINUTE = 60_000;
const FILE = parseService(
  "version: 1\nprofiles: all\ntimers: { sync: hourly, watch: every 30m, drift: every 15m }\n",
  "service.yaml",
);
/** Milliseconds without a sign of life after which a unit is another's. */
const LEASE = MINUTE;
/** Longest freeze, and the minute after which the work of a service that is gone is taken over. */
const TAKEN_OVER = 5 * MINUTE;

interface Done {
  readonly unit: string;
  readonly by: string;
}

export const SERVICE: Scenario = {
  name: "service",
  seeds: 2,
  about:
    "Two services run the timers of one store; killed and frozen, with a clock minutes off, and started again",
  async run(world) {
    const { chance, emulator } = world;
    const folder = await Deno.makeTempDir({ prefix: "simulated-" });
    const place = `${folder}/ads.sqlite`;
    const disk = new Disk();
    const profiles = (): ProfileClient[] =>
      emulator.state.profiles("NA").slice(0, 2).map(({ id, record }) =>
        clientIn(world).profileFrom(id, String(record["countryCode"]))
      );
    const open = new Map<string, Map<string, number>>();
    const done: Done[] = [];
    // A service takes what its work throws for a failed run.
    const overlaps: string[] = [];
    const frozenSince = (name: string, time: number): boolean =>
      world.processes.some((one) => one.name === name && one.frozenUntil > time);
    const serve = (by: string, until: number, once = false) => async (): Promise<void> => {
      const over = new AbortController();
      const clients = profiles();
      const work: DoWork = async ({ profile, timer }) => {
        const unit = `${profile.profileId} ${timer.name}`;
        const others = open.get(unit) ?? new Map<string, number>();
        open.set(unit, others);
        // One that stood still may have lost the unit, or have got it before and wake now.
        const alive = [...others].filter(([name, since]) =>
          world.processes.some((one) => one.name === name && one.isAlive) && !frozenSince(name, since)
        ).map(([name]) => name);
        if (!frozenSince(by, world.now - LEASE)) {
          overlaps.push(...alive.map((name) => `${unit} is under way in ${name} and begun by ${by}`));
        }
        others.set(by, world.now);
        await profile.transport.sleep(chance.integer("seconds of work", 1, 150));
        others.delete(by);
        done.push({ unit, by });
        if (chance.happens("work fails", 0.1)) throw new Error("as the seed wants");
        return "fine";
      };
      const timer = setInterval(() => {
        if (clients[0]!.transport.now() >= until) over.abort();
      }, MINUTE);
      try {
        await runService(clients, {
          file: FILE,
          place,
          store: {} as never,
          plans: {} as never,
          once,
          work: { sync: work, watch: work, drift: work },
          signal: over.signal,
        });
      } finally {
        clearInterval(timer);
      }
    };
    try {
      world.drawFaults(["kill", "freeze"]);
      for (let round = 1, rounds = chance.integer("rounds", 1, 3); round <= rounds; round++) {
        const until = world.now + chance.integer("minutes", 20, 150) * MINUTE;
        // One file has one machine, and that has one clock.
        const skew = chance.integer("skew", -2, 2) * MINUTE;
        const services = [...Array(chance.integer("services", 1, 2)).keys()].map((index) => {
          const name = `service ${round}.${index}`;
          return world.spawn(name, {
            disk,
            main: serve(name, until),
            skew,
          });
        });
        await world.run(Promise.all(services.map(({ ended }) => ended)));
        deepEqual(overlaps, []);
        for (const { error } of services) ok(error === undefined, `threw ${(error as Error)?.stack}`);
      }
      world.faults = CALM;
      await world.run(world.pass(TAKEN_OVER));
      // A failed run is repeated five minutes later at the earliest.
      for (let time = 1; time <= 6; time++) {
        await runProgram(world, { name: `last ${time}`, disk, main: serve(`last ${time}`, Infinity, true) });
        await world.run(world.pass(5 * MINUTE));
      }
      const standing = await runProgram(world, {
        name: "reader",
        disk,
        main: async () => {
          await using state = await ServiceState.open(place);
          return await serviceStatus(profiles(), { file: FILE, state });
        },
      });
      const wrong = standing.filter(({ startedAt, outcome }) => startedAt === null || outcome === null);
      deepEqual(wrong, [], "every timer has run, and has its end");
      ok(done.length >= standing.length);
    } finally {
      for (const process of world.processes) if (process.name !== "judge") world.kill(process);
      await Deno.remove(folder, { recursive: true });
    }
  },
};
