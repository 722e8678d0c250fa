import "./world/realm.ts";
import { deepEqual, equal, ok, rejects } from "../support/assert.ts";
import { fileSystem } from "../../src/base/runtime/file_system.ts";
import { clientIn, runProgram, type Scenario } from "./scenario.ts";
import { shrink, simulate } from "./simulate.ts";
import { Disk } from "./world/disk.ts";
import { StuckError, World } from "./world/world.ts";

async function inWorld(work: (world: World, disk: Disk) => Promise<void>): Promise<void> {
  const world = await World.start(7);
  await work(world, new Disk());
  await world.emulator.stop();
}

Deno.test("a killed process leaves what it wrote, a power cut what it synced, and a torn write a part", () =>
  inWorld(async (world, disk) => {
    const process = world.spawn("writer", {
      disk,
      main: async () => {
        const files = fileSystem();
        await files.writeText("/state/a", "synced");
        await files.createText("/state/b", "only written", { durable: false });
        await new Promise(() => {});
      },
    });
    await world.run(world.pass(1000));
    world.kill(process);
    equal(disk.text("/state/b"), "only written");
    world.cutPower(disk);
    equal(disk.text("/state/a"), "synced");
    ok("only written".startsWith(disk.text("/state/b")!));
  }));

Deno.test("a frozen process goes on later, with its own clock, and a killed one never", () =>
  inWorld(async (world, disk) => {
    const seen: string[] = [];
    const program = (name: string) => async (): Promise<void> => {
      const began = Date.now();
      await new Promise((resume) => setTimeout(resume, 1000));
      seen.push(`${name} ${Date.now() - began}`);
    };
    const [frozen, killed] = [
      world.spawn("frozen", { disk, main: program("frozen"), skew: 3_600_000 }),
      world.spawn("killed", { disk, main: program("killed") }),
    ];
    await world.run(world.pass(10));
    equal(frozen.now() - world.now, 3_600_000);
    frozen.frozenUntil = world.now + 60_000;
    world.kill(killed);
    await world.run(frozen.ended);
    equal(seen.length, 1);
    ok(Number(seen[0]!.split(" ")[1]) >= 60_000, seen[0]);
  }));

Deno.test("what waits for nothing that can happen is reported", () =>
  inWorld(async (world) => {
    await rejects(world.run(new Promise(() => {})), (error: unknown) => error instanceof StuckError);
  }));

Deno.test("requests reach the platform by the network of the world, and are lost where it says so", () =>
  inWorld(async (world, disk) => {
    const list = async (): Promise<number> => {
      const [profile] = await clientIn(world, { retry: { maxAttempts: 2 } }).profiles();
      return profile === undefined ? 0 : 1;
    };
    equal(await runProgram(world, { name: "reader", disk, main: list }), 1);
    world.faults = { ...world.faults, loseRequest: 1 };
    await rejects(runProgram(world, { name: "unlucky", disk, main: list }));
    ok(world.struck.every((fault) => fault.startsWith("loseRequest")));
  }));

/** Breaks its promise as soon as two responses were lost. */
const FRAGILE: Scenario = {
  name: "fragile",
  seeds: 0,
  about: "Two lost responses are too many",
  async run(world) {
    world.faults = { ...world.faults, loseResponse: 0.5, slow: 0.4 };
    let lost = 0;
    await runProgram(world, {
      name: "reader",
      disk: new Disk(),
      main: async () => {
        const ads = clientIn(world, { retry: { maxAttempts: 1 } });
        for (let turn = 0; turn < 8; turn++) await ads.profiles().catch(() => lost++);
      },
    });
    ok(lost < 2, "two responses were lost");
  },
};

Deno.test("equal seeds give equal runs, other seeds other ones", async () => {
  const [first, second, other] = [
    await simulate(FRAGILE, { seed: 3 }),
    await simulate(FRAGILE, { seed: 3 }),
    await simulate(FRAGILE, { seed: 4 }),
  ];
  deepEqual(first.lines, second.lines);
  equal(first.hash, second.hash);
  ok(other.hash !== first.hash);
});

Deno.test("a failing run is shrunk to faults that still break it", async () => {
  for (let seed = 1, broken = 0; broken < 3; seed++) {
    ok(seed < 30, "half of all seeds should break it");
    const failed = await simulate(FRAGILE, { seed });
    if (failed.error === undefined) continue;
    broken++;
    const { muted, result } = await shrink(FRAGILE, { seed, failed });
    const needed = result.struck.filter((_, at) => !muted.has(at));
    ok(result.error !== undefined);
    equal(needed.filter((fault) => fault.startsWith("loseResponse")).length, 2, needed.join());
  }
});
