import { stateFolder } from "../../runtime/user_folders.ts";
import type { CliContext } from "./context.ts";

/** The option that names a store. */
export interface StoreOptions {
  /** Path or address. */
  readonly store?: string;
}

/** The store where nothing names one. */
export const DEFAULT_STORE = "ads.sqlite";

/**
 * Finds the address of the store. Without a name the demo account has one of its own, so that its rows never mix with
 * real ones.
 */
export function storePlace(
  { store }: { readonly store?: string | undefined },
  { io, globals }: Pick<CliContext, "io" | "globals">,
): string {
  if (store !== undefined) return store;
  const named = io.env["PLATFORM_ADS_STORE"];
  if (named) return named;
  return globals.demo ? `${stateFolder(io.env)}/demo.sqlite` : DEFAULT_STORE;
}
