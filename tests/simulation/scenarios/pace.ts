import { ok } from "../../support/assert.ts";
import { Pacer } from "../../../mod.ts";
import { clientIn, type Scenario } from "../scenario.ts";
import { Disk } from "../world/disk.ts";
import { CALM, type World } from "../world/world.ts";

/** Requests of the last program, and the seconds that they may take: the platform takes each of them at once. */
const LAST = { requests: 30, seconds: 150 };
const PLACE = "/state/pace.json";

export const PACE: Scenario = {
  name: "pace",
  seeds: 22,
  about: "Programs share one pace by a file through storms and calms; afterwards requests flow again at once",
  async run(world: World) {
    const { chance, emulator } = world;
    const disk = new Disk();
    const [seller] = emulator.state.profiles();
    const client = () =>
      clientIn(world, { pacer: Pacer.shared(PLACE), retry: { maxAttempts: 6, maxTotalWait: 600 } })
        .profileFrom(seller!.id, String(seller!.record.countryCode));
    const work = async (): Promise<void> => {
      const profile = client();
      for (let turn = 0, turns = chance.integer("requests", 5, 60); turn < turns; turn++) {
        await profile.sp.campaigns.list({ states: ["ENABLED"] }).catch(() => {});
        // Most of the time nothing waits: that is when a rate must not grow.
        await new Promise((resume) => setTimeout(resume, chance.integer("calm", 1, 4_000)));
      }
    };
    const storm = (most = 6): void => {
      const seconds = chance.integer("Retry-After", 0, 5);
      emulator.setFaults([{
        times: chance.integer("refusals", 1, most),
        match: { path: "/sp/*" },
        effects: { response: { status: 429, ...(seconds === 0 ? {} : { retryAfter: seconds }) } },
      }]);
    };

    world.drawFaults(["kill", "freeze", "diskFull", "slow", "loseResponse"]);
    const programs = [...Array(chance.integer("programs", 1, 3)).keys()].map((index) =>
      world.spawn(`program ${index}`, { disk, main: work })
    );
    const storms = (async () => {
      for (let count = chance.integer("storms", 1, 4); count > 0; count--) {
        await world.pass(chance.integer("before a storm", 1, 90) * 1000);
        storm();
      }
    })();
    await world.run(Promise.all([storms, ...programs.map(({ ended }) => ended)]));

    world.faults = CALM;
    storm(3);
    const last = world.spawn("last", {
      disk,
      main: async () => {
        const profile = client();
        for (let turn = 0; turn < LAST.requests; turn++) {
          await profile.sp.campaigns.list({ states: ["ENABLED"] });
        }
      },
    });
    const began = world.now;
    await world.run(last.ended);
    const seconds = (world.now - began) / 1000;
    ok(last.error === undefined, `the last program failed: ${last.error}`);
    ok(seconds <= LAST.seconds, `${LAST.requests} requests took ${seconds} s after the storm`);
  },
};
