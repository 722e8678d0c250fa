import { Warehouse } from "../../../src/store/mod.ts";
import { type Emulated, emulated } from "../../support/emulated.ts";

/** The demo account and an empty store beside it. */
export interface StoredWorld extends AsyncDisposable {
  readonly world: Emulated;
  readonly store: Warehouse;
  /** Lines that were said before days were fetched. */
  readonly said: string[];
}

/** Starts the emulator and opens a store; `await using` ends both. */
export async function storedWorld(): Promise<StoredWorld> {
  const world = await emulated({
    emulator: { clock: { now: "2026-09-30T12:00:00Z", frozen: true }, quirks: { reportSeconds: 0 } },
  });
  const folder = await Deno.makeTempDir({ prefix: "jobs-test-" });
  const store = await Warehouse.open(`${folder}/ads.sqlite`, { now: world.time.now });
  return {
    world,
    store,
    said: [],
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await world[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
