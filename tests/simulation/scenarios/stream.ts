import { deepEqual, ok } from "../../support/assert.ts";
import { PlatformAdsError } from "../../../mod.ts";
import { loadApiShapes } from "../../../src/platform/schema/mod.ts";
import { consumeStream, openQueue, planSubscriptions, Warehouse } from "../../../src/store/mod.ts";
import { PublishedHours, storedHours } from "../../reliability/support/published_hours.ts";
import { clientIn, runProgram, type Scenario } from "../scenario.ts";
import { Disk } from "../world/disk.ts";
import { CALM } from "../world/world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DATASETS: Readonly<Record<string, readonly string[]>> = {
  "sb-traffic": ["impressions", "clicks", "cost"],
  "sp-conversion": ["attributed_conversions_14d", "attributed_sales_14d"],
};
/** Longer than anything that a dead program sent, or keeps from others, can be on its way, in milliseconds. */
const ALL_ARRIVED = 200_000;

export const STREAM: Scenario = {
  name: "stream",
  seeds: 2,
  about:
    "Consumers take the hourly stream from one queue; killed and frozen, with messages that come twice and again",
  emulator: { quirks: { queueDuplicates: 0.15 } },
  load: () =>
    Promise.all([
      import("../../../src/store/sqlite/sqlite_driver.ts"),
      import("../../../src/store/stream/queue_client.ts"),
      import("../../../src/client/calls/plan_call.ts"),
      import("../../../src/client/calls/send_call.ts"),
      import("../../../src/client/calls/call_state.ts"),
      loadApiShapes("platform-marketing-stream"),
    ]),
  async run(world) {
    const { chance, emulator } = world;
    const folder = await Deno.makeTempDir({ prefix: "simulated-" });
    const place = `${folder}/hours.sqlite`;
    const disk = new Disk();
    const { url, arn: queueArn, ...credentials } = emulator.queue();
    const published = new PublishedHours(emulator);
    const look = (): Promise<void> => published.look((seconds) => world.run(world.pass(seconds * 1000)));
    const consume = async (): Promise<void> => {
      await using store = await Warehouse.open(place);
      const { source } = await openQueue(url, { credentials, receivers: chance.integer("receivers", 1, 3) });
      await consumeStream(store, source, { once: true });
    };
    try {
      await runProgram(world, {
        name: "subscriber",
        disk,
        main: async () => {
          const [, seller] = emulator.state.profiles("NA");
          const profile = clientIn(world).profileFrom(seller!.id, String(seller!.record["countryCode"]));
          const { plan } = await planSubscriptions(profile, { datasets: Object.keys(DATASETS), queueArn });
          (await plan!.apply(profile)).raiseForErrors();
        },
      });
      await look();

      world.drawFaults(["kill", "freeze", "loseRequest", "loseResponse", "cutBody", "double", "slow"]);
      for (let round = 1, rounds = chance.integer("rounds", 1, 3); round <= rounds; round++) {
        await world.run(world.pass(chance.integer("hours", 1, 3) * HOUR));
        await look();
        const consumers = [...Array(chance.integer("consumers", 1, 3)).keys()].map((index) =>
          world.spawn(`consumer ${round}.${index}`, {
            disk,
            main: consume,
            skew: chance.integer("skew", -5, 5) * MINUTE,
          })
        );
        await world.run(Promise.all(consumers.map(({ ended }) => ended)));
        for (const { error } of consumers) {
          ok(error === undefined || error instanceof PlatformAdsError, `threw ${(error as Error)?.stack}`);
        }
      }

      world.faults = CALM;
      await world.run(world.pass(HOUR + ALL_ARRIVED));
      await look();
      await runProgram(world, { name: "last", disk, main: consume });
      const { left, stored } = await runProgram(world, {
        name: "reader",
        disk,
        main: async () => {
          await using store = await Warehouse.open(place);
          const { counts } = await openQueue(url, { credentials });
          const hours = await Promise.all(
            Object.entries(DATASETS).map(async ([dataset, figures]) =>
              [dataset, [...await storedHours(store, dataset, figures)]] as const
            ),
          );
          return { left: await counts(), stored: Object.fromEntries(hours) };
        },
      });
      deepEqual(left, { waiting: 0, inFlight: 0 }, "everything is deleted from the queue");
      for (const [dataset, figures] of Object.entries(DATASETS)) {
        deepEqual(stored[dataset], [...published.hours(dataset, figures)], `${dataset} as it was published`);
      }
      ok(stored["sb-traffic"]!.length > 0, "something was published");
    } finally {
      for (const process of world.processes) if (process.name !== "judge") world.kill(process);
      await Deno.remove(folder, { recursive: true });
    }
  },
};
