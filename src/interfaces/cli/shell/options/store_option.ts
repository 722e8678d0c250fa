import { isAddress } from "../../../../base/text/is_address.ts";
import { stateFolder } from "../../../../base/runtime/user_folders.ts";
import type { CliContext } from "../context/context.ts";
import { nextCommand } from "../context/shell_words.ts";
import { UsageError } from "../io/cli_error.ts";
import { Option } from "@commander-js/extra-typings";
import { statSync } from "node:fs";

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

/** The store of a service, whose file never chooses one for the demo account. */
export function servicePlace(
  file: { readonly store?: string | undefined },
  options: { readonly store?: string | undefined },
  context: Pick<CliContext, "io" | "globals">,
): string {
  const store = options.store ?? (context.globals.demo ? undefined : file.store);
  return storePlace({ store }, context);
}

/** True for any database address, and for the path of an existing file. */
export function isStore(place: string): boolean {
  return isAddress(place) || statSync(place, { throwIfNoEntry: false }) !== undefined;
}

export function missingStore(place: string, { globals }: Pick<CliContext, "globals">): UsageError {
  const sync = nextCommand(["sync"], globals);
  return new UsageError(`Cannot find store "${place}": ${sync} makes it, or name another with --store`);
}

export function storeOption(): Option<"--store <place>"> {
  return new Option(
    "--store <place>",
    `path of an SQLite file, or postgres://...; otherwise PLATFORM_ADS_STORE, otherwise ${DEFAULT_STORE}`,
  );
}

export function noSyncOption(): Option<"--no-sync"> {
  return new Option("--no-sync", "use only stored data; missing days are an error");
}

export function queueAddress(store: string | undefined, { io }: Pick<CliContext, "io">): string {
  const place = store ?? io.env["PLATFORM_ADS_STORE"] ?? "";
  if (/^postgres(?:ql)?:\/\//i.test(place)) return place;
  throw new UsageError(
    "Cannot find the queue: it lives in a PostgreSQL store. Give --store postgres://USER:PASSWORD@HOST:PORT/DATABASE",
  );
}

export function hostAndPort(text: string): { host: string; port: number } {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw new UsageError(`Cannot serve at "${text}": it is not HOST:PORT, as in 127.0.0.1:9464`);
  }
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
}
