import { mkdir } from "node:fs/promises";
import { stateFolder } from "../../../../base/runtime/user_folders.ts";
import { Warehouse } from "../../../../store/warehouse/warehouse.ts";
import { say } from "../output/write_text.ts";
import type { CliContext } from "../context/context.ts";
import { isStore, missingStore, type StoreOptions, storePlace } from "../options/store_option.ts";

/**
 * Opens the store, which closes when the command ends.
 *
 * @param options `create` true for commands that may create the store.
 * @throws {UsageError} when the store is missing and may not be created.
 */
export async function openStore(
  options: StoreOptions & { create?: boolean },
  context: CliContext,
): Promise<Warehouse> {
  const place = storePlace(options, context);
  if (!options.create && !isStore(place)) throw missingStore(place, context);
  if (context.globals.demo && options.create) await mkdir(stateFolder(context.io.env), { recursive: true });
  const store = await Warehouse.open(place, {
    now: context.io.now,
    onNotice: (text) => void say(text, context),
  });
  context.closing.later(() => store.close());
  return store;
}
