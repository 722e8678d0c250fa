import { UsageError } from "../core/errors/cli_error.ts";
import type { CliContext } from "../core/context.ts";

/**
 * Address of the PostgreSQL database whose queue a command works on.
 *
 * @throws {UsageError} when the options and the environment name no such database.
 */
export function queueAddress(store: string | undefined, { io }: Pick<CliContext, "io">): string {
  const place = store ?? io.env["PLATFORM_ADS_STORE"] ?? "";
  if (/^postgres(?:ql)?:\/\//i.test(place)) return place;
  throw new UsageError(
    "Cannot find the queue: it lives in a PostgreSQL store. Give --store postgres://USER:PASSWORD@HOST:PORT/DATABASE",
  );
}
