import { readFile, writeFile } from "node:fs/promises";
import type { ReportPresetName } from "../../../src/client/reports/mod.ts";
import { Warehouse } from "../../../src/store/mod.ts";
import { type Emulated, emulated } from "../../support/emulated.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

/** Days of the reports that a store begins with: all that the weekly jobs look back. */
const DAYS = { start: "2026-08-16", end: "2026-09-29" };

/** Files of stores that hold reports, by the names of these. */
const filled = new Map<string, Promise<Uint8Array>>();

/** The demo account and a store beside it. */
export interface StoredWorld extends AsyncDisposable {
  readonly world: Emulated;
  readonly store: Warehouse;
  /** Lines that were said before days were fetched. */
  readonly said: string[];
}

/**
 * Starts the emulator and opens a store; `await using` ends both.
 *
 * @param options.holds Reports of the United States that the store has. They are fetched once in an isolate, so name
 *   them where fetching is not what is tested.
 */
export async function storedWorld(
  { holds = [] }: { readonly holds?: readonly ReportPresetName[] } = {},
): Promise<StoredWorld> {
  const world = await emulated({
    emulator: { clock: { now: "2026-09-30T12:00:00Z", frozen: true }, quirks: { reportSeconds: 0 } },
  });
  const folder = await temporaryFolder();
  const path = folder.file("ads.sqlite");
  if (holds.length > 0) await writeFile(path, await filledStore(holds));
  const store = await Warehouse.open(path, { now: world.time.now });
  return {
    world,
    store,
    said: [],
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await world[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
}

function filledStore(reports: readonly ReportPresetName[]): Promise<Uint8Array> {
  const key = reports.join();
  const made = filled.get(key) ?? fillStore(reports);
  filled.set(key, made);
  return made;
}

async function fillStore(reports: readonly ReportPresetName[]): Promise<Uint8Array> {
  await using at = await storedWorld();
  const { world: { us }, store } = at;
  const result = await store.sync(us, { reports, entities: false, ...DAYS });
  if (!result.ok) throw new Error(result.summary());
  await store.close();
  return await readFile(store.location);
}
