import { statSync } from "node:fs";
import { stateFolder } from "../../../../base/runtime/user_folders.ts";
import { nextCommand } from "../arguments/shell_words.ts";
import type { CliContext } from "../context/context.ts";
import { UsageError } from "../errors/cli_error.ts";

export interface StoreOptions {
  readonly store?: string;
}

export const DEFAULT_STORE = "ads.sqlite";

/** The demo account has its own default store, so that its rows never mix with real ones. */
export function storePlace(
  { store }: { readonly store?: string | undefined },
  { io, globals }: Pick<CliContext, "io" | "globals">,
): string {
  if (store !== undefined) return store;
  const named = io.env["PLATFORM_ADS_STORE"];
  if (named) return named;
  return globals.demo
    ? `${stateFolder(io.env, { of: "the demo account's store", option: "--store" })}/demo.sqlite`
    : DEFAULT_STORE;
}

/** True for any database address, and for the path of an existing file. */
export function isStore(place: string): boolean {
  return /^[a-z][a-z+]+:\/\//i.test(place) || statSync(place, { throwIfNoEntry: false }) !== undefined;
}

export function missingStore(place: string, { globals }: Pick<CliContext, "globals">): UsageError {
  const sync = nextCommand(["sync"], globals);
  return new UsageError(`Cannot find store "${place}": ${sync} makes it, or name another with --store`);
}
