import { mkdir } from "node:fs/promises";
import { stateFolder } from "../../runtime/user_folders.ts";
import { QueryError } from "../../store/store_error.ts";
import { Warehouse } from "../../store/warehouse.ts";
import { UsageError } from "./errors/cli_error.ts";
import { say } from "../output/write_text.ts";
import type { CliContext } from "./context.ts";
import { isStore, missingStore, type StoreOptions, storePlace } from "./store_place.ts";

/**
 * Opens the store that the options name, passes it to `step`, and closes it.
 *
 * @param options `create` true for commands that may make a new one; the others refuse what does not exist.
 * @throws {UsageError} when there is no store, or a query was refused.
 */
export async function withStore(
  options: StoreOptions & { create?: boolean },
  context: CliContext,
  step: (store: Warehouse) => Promise<number>,
): Promise<number> {
  const place = storePlace(options, context);
  if (!options.create && !isStore(place)) throw missingStore(place, context);
  if (context.globals.demo && options.create) await mkdir(stateFolder(context.io.env), { recursive: true });
  const store = await Warehouse.open(place, {
    now: context.io.now,
    onNotice: (text) => void say(text, context),
  });
  try {
    return await step(store);
  } catch (error) {
    throw error instanceof QueryError ? new UsageError(error.message, { cause: error }) : error;
  } finally {
    await store.close();
  }
}
