import { DatabaseSync } from "node:sqlite";
import { PlanStore } from "../../mod.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { parseWatch, READY_RULES, type WatchFile } from "../../src/automation/watch/mod.ts";
import { findAlerts, type FoundAlerts } from "../../src/automation/watch/find_alerts.ts";
import { type Emulated, emulated } from "../support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

/** The file that `adsctl auto init watch` writes. */
export const READY = parseWatch(READY_RULES, "watch.yaml");

/** An account with a store of 90 days, and copies of that store in which faults are planted. */
export interface WatchWorld extends AsyncDisposable {
  readonly world: Emulated;
  readonly folder: string;
  /** Path of the untouched store. */
  readonly place: string;
  readonly plans: PlanStore;
  /** A copy of the store in which statements were run. */
  planted(name: string, statements: readonly string[]): Promise<string>;
  /** What the rules find in a store. */
  find(place: string, file?: WatchFile, now?: number): Promise<FoundAlerts>;
  /** Rows of a query. */
  rows(sql: string): Record<string, string | number>[];
}

/** An account of the demo with synced figures of 90 days, by default those that all rules look at. */
export async function watchWorld(
  { seed, reports = ["sp_campaigns", "sp_targeting", "sp_search_terms"] }: {
    seed?: string | undefined;
    reports?: readonly string[];
  } = {},
): Promise<WatchWorld> {
  const world = await emulated({
    emulator: {
      clock: { now: "2026-09-30T18:00:00Z", frozen: true },
      quirks: { reportSeconds: 0 },
      ...seed === undefined ? {} : { seed },
    },
  });
  world.time.advance(6 * 3600);
  const temporary = await temporaryFolder();
  const folder = temporary.path;
  const place = `${folder}/ads.sqlite`;
  const plans = PlanStore.open(`${folder}/plans`, { now: world.time.now });
  {
    await using store = await Warehouse.open(place, { now: world.time.now });
    await store.sync(world.us, {
      reports,
      start: "2026-07-02",
      end: "2026-09-29",
      entities: true,
    });
  }
  return {
    world,
    folder,
    place,
    plans,
    planted: async (name, statements) => {
      const copy = `${folder}/${name}.sqlite`;
      await Deno.copyFile(place, copy);
      const database = new DatabaseSync(copy);
      for (const statement of statements) database.exec(statement);
      database.close();
      return copy;
    },
    find: async (at, file = READY, now = world.time.now()) => {
      await using store = await Warehouse.open(at, { now: world.time.now });
      return await findAlerts(file.rules, { profile: world.us, store, plans: [plans], now });
    },
    rows: (sql) => {
      const database = new DatabaseSync(place, { readOnly: true });
      try {
        return database.prepare(sql).all() as Record<string, string | number>[];
      } finally {
        database.close();
      }
    },
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      await temporary[Symbol.asyncDispose]();
    },
  };
}
