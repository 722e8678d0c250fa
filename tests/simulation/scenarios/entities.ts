import { DatabaseSync } from "node:sqlite";
import { deepEqual, equal, ok } from "../../support/assert.ts";
import { PlatformAdsError } from "../../../mod.ts";
import { Warehouse } from "../../../src/store/mod.ts";
import { clientIn, runProgram, type Scenario } from "../scenario.ts";
import { Disk } from "../world/disk.ts";
import { CALM } from "../world/world.ts";

const MINUTE = 60_000;
/** Longer than anything that a dead program sent can be on its way, in milliseconds. */
const ALL_ARRIVED = 200_000;
/** Keywords whose bids somebody raises meanwhile, again and again. */
const RAISED = 20;

export const ENTITIES: Scenario = {
  name: "entities",
  seeds: 1,
  about:
    "Two programs sync the entities of one profile, which somebody changes meanwhile; killed and frozen between reading and storing",
  load: () =>
    Promise.all([
      import("../../../src/store/sqlite/sqlite_driver.ts"),
      import("../../../src/client/calls/send_call.ts"),
    ]),
  async run(world) {
    const { chance, emulator } = world;
    const folder = await Deno.makeTempDir({ prefix: "simulated-" });
    const place = `${folder}/ads.sqlite`;
    const disk = new Disk();
    const [, , vendor] = emulator.state.profiles("NA");
    const profile = () => clientIn(world).profileFrom(vendor!.id, String(vendor!.record["countryCode"]));
    const live = vendor!.collection("sp.keywords").all().filter(({ bid, state }) =>
      typeof bid === "number" && state === "ENABLED"
    ).slice(0, RAISED);
    const sync = async (): Promise<void> => {
      await using store = await Warehouse.open(place);
      await store.sync(profile(), { entities: "only", entitySource: "list" });
    };
    const raise = async (): Promise<void> => {
      for (let turn = chance.integer("raises", 1, 6); turn > 0; turn--) {
        const { keywordId } = chance.pick("keyword", live);
        const now = Number(vendor!.collection("sp.keywords").get(String(keywordId))!["bid"]);
        await profile().sp.keywords.update([{
          keywordId: String(keywordId),
          bid: Math.round(100 * now + 1) / 100,
        }])
          .catch(() => {});
        await new Promise((later) => setTimeout(later, chance.integer("until the next", 1, 60_000)));
      }
    };
    try {
      world.drawFaults(["kill", "freeze", "loseRequest", "loseResponse", "cutBody", "slow"]);
      for (let round = 1, rounds = chance.integer("rounds", 1, 3); round <= rounds; round++) {
        const programs = [raise, sync, sync].map((main, index) =>
          world.spawn(`${index === 0 ? "owner" : "sync"} ${round}.${index}`, { disk, main })
        );
        await world.run(Promise.all(programs.map(({ ended }) => ended)));
        for (const { error } of programs) {
          ok(error === undefined || error instanceof PlatformAdsError, `threw ${(error as Error)?.stack}`);
        }
        await world.run(world.pass(chance.integer("until the next round", 1, 90) * MINUTE));
      }
      world.faults = CALM;
      await world.run(world.pass(ALL_ARRIVED));
      await runProgram(world, { name: "last sync", disk, main: sync });
      const stored = bidsIn(place, "SELECT id, data FROM entities WHERE kind = 'sp.keywords'");
      equal(stored.length, vendor!.collection("sp.keywords").all().length, "every keyword is stored once");
      const wrong = stored.filter(({ id, bid }) =>
        vendor!.collection("sp.keywords").get(id)?.["bid"] !== bid
      );
      deepEqual(wrong, [], "and is as it is");
      const known = bidsIn(
        place,
        `SELECT id, data, known_from FROM entities_history WHERE kind = 'sp.keywords' UNION ALL
         SELECT id, data, known_from FROM entities WHERE kind = 'sp.keywords' ORDER BY id, known_from`,
      );
      const older = known.filter(({ id, bid }, at) => known[at - 1]?.id === id && known[at - 1]!.bid! > bid!);
      deepEqual(older, [], "no older list takes the place of a newer one");
    } finally {
      for (const process of world.processes) if (process.name !== "judge") world.kill(process);
      await Deno.remove(folder, { recursive: true });
    }
  },
};

function bidsIn(place: string, sql: string): { id: string; bid: number | undefined }[] {
  const database = new DatabaseSync(place, { readOnly: true });
  try {
    return database.prepare(sql).all().map(({ id, data }) => ({
      id: String(id),
      bid: JSON.parse(String(data)).bid,
    }));
  } finally {
    database.close();
  }
}
