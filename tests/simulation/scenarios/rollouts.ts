import { deepEqual, equal, ok } from "../../support/assert.ts";
import { type ChangePlan, PlatformAdsError } from "../../../mod.ts";
import { Rollout } from "../../../src/account/mod.ts";
import { clientIn, runProgram, type Scenario } from "../scenario.ts";
import { Disk } from "../world/disk.ts";
import { CALM } from "../world/world.ts";
import { planFor, words, wrongBids } from "./rollout_plans.ts";

const FOLDER = "/rollout";
const ROUNDS = 4;
/** Longer than anything that a dead program sent can be on its way, in milliseconds. */
const ALL_ARRIVED = 200_000;

export const ROLLOUTS: Scenario = {
  name: "rollouts",
  seeds: 8,
  about:
    "Two programs at once apply a rollout of three profiles in stages, and undo it; killed, frozen, without power",
  async run(world) {
    const { chance, emulator } = world;
    const profiles = emulator.state.profiles("NA").slice(0, 3);
    const plans = profiles.map((profile) => planFor(profile, 1 + chance.integer("keywords", 0, 4)));
    const disk = new Disk();
    const client = ({ profileId, countryCode }: Pick<ChangePlan, "profileId" | "countryCode">) =>
      clientIn(world).profileFrom(profileId, countryCode);
    await runProgram(world, {
      name: "maker",
      disk,
      main: () => Rollout.create(FOLDER, plans).then(() => {}),
    });
    const apply = async (): Promise<void> => {
      const rollout = await Rollout.open(FOLDER);
      await rollout.apply(client, { serial: [1, "100%"], stopOnFailures: "100%", concurrency: 2 });
    };
    const undo = async (): Promise<void> => {
      const rollout = await (await Rollout.open(FOLDER)).rollback(client);
      await rollout.apply(client, { stopOnFailures: "100%" });
    };
    const rounds = async (main: () => Promise<void>, what: string): Promise<void> => {
      world.drawFaults();
      for (let round = 1; round <= ROUNDS; round++) {
        const programs = [...Array(chance.integer("programs at once", 1, 2)).keys()].map((index) =>
          world.spawn(`${what} ${round}.${index}`, {
            disk,
            main,
            skew: chance.integer("skew", -3600, 3600) * 1000,
          })
        );
        await world.run(Promise.all(programs.map(({ ended }) => ended)));
        for (const { error } of programs) {
          ok(error === undefined || error instanceof PlatformAdsError, `threw ${(error as Error)?.stack}`);
        }
        for (const profile of profiles) {
          ok(words(profile).length <= 1, `${words(profile).length} times created`);
        }
        if (chance.happens("power cut", 0.2)) world.cutPower(disk);
      }
      world.faults = CALM;
      await world.run(world.pass(ALL_ARRIVED));
      await runProgram(world, { name: `last ${what}`, disk, main });
    };

    await rounds(apply, "apply");
    const states = await runProgram(world, {
      name: "reader",
      disk,
      main: async () => (await (await Rollout.open(FOLDER)).entries()).map(({ state }) => state),
    });
    deepEqual(states, plans.map(() => "done"));
    for (const [index, profile] of profiles.entries()) {
      deepEqual(wrongBids(profile, plans[index]!, "after"), [], "every bid is as planned");
      equal(words(profile).length, 1, "created once");
    }

    await rounds(undo, "undo");
    for (const [index, profile] of profiles.entries()) {
      deepEqual(wrongBids(profile, plans[index]!, "before"), [], "every bid is back");
      deepEqual(words(profile).map(({ state }) => state), ["ARCHIVED"]);
    }
  },
};
