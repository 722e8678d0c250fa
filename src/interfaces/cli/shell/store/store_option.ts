import { Option } from "@commander-js/extra-typings";
import { DEFAULT_STORE } from "./store_place.ts";
import { UsageError } from "../errors/cli_error.ts";
import type { CliContext } from "../context/context.ts";

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
