import { PlatformAds } from "../../client/platform_ads.ts";
import type { TransportEvent, TransportOptions } from "../../transport/transport_options.ts";
import { visibleText } from "../../internal/visible_text.ts";
import { UsageError } from "./cli_error.ts";
import type { CliContext } from "./context.ts";
import { VERSION } from "./version.ts";
import { lazyImport } from "./lazy_import.ts";
import { waitNotice } from "../output/wait_notice.ts";

/**
 * Connects as the global options say, hands the client to `step`, and lets go of everything after it.
 *
 * @param more Options of the transport that win over those of the command line.
 * @throws {ConfigurationError} that names what is missing when there is no login.
 */
export async function withAds(
  context: CliContext,
  step: (ads: PlatformAds) => Promise<number>,
  more: TransportOptions = {},
): Promise<number> {
  const { io, globals, interruption } = context;
  if (!globals.demo) return await step(await fromSettings(context, more));
  for (const [given, name] of [[globals.envFile, "--env-file"], [globals.platform, "--platform"]]) {
    if (given !== undefined) throw new UsageError(`Cannot use ${name} together with --demo: choose one`);
  }
  const { openDemoAccount } = await lazyImport<typeof import("../commands/demo/demo_account.ts")>(
    "commands/demo/demo_account",
  );
  const account = await openDemoAccount(io, interruption.signal);
  try {
    const { sandbox } = globals;
    const options = { ...transportOptions(context), ...more, sandbox, platform: account.platform };
    return await step(new PlatformAds(account.credentials, options));
  } finally {
    await account.close();
  }
}

async function fromSettings(context: CliContext, more: TransportOptions): Promise<PlatformAds> {
  const { io, globals } = context;
  const ads = await PlatformAds.fromEnv({
    ...transportOptions(context),
    ...more,
    sandbox: globals.sandbox,
    env: io.env,
    ...(globals.envFile === undefined ? {} : { envFile: globals.envFile }),
    ...(globals.platform === undefined ? {} : { platformFile: globals.platform }),
  });
  const { warnOfExpiry } = await lazyImport<typeof import("../output/expiry_warning.ts")>(
    "output/expiry_warning",
  );
  await warnOfExpiry(ads, context);
  return ads;
}

/** The options of a transport that the world and the global options ask for. */
export function transportOptions(context: CliContext): TransportOptions {
  const { io, globals } = context;
  return {
    userAgent: `adsctl/${VERSION}`,
    now: io.now,
    ...(io.fetch === undefined ? {} : { fetch: io.fetch }),
    ...(io.sleep === undefined ? {} : { sleep: io.sleep }),
    onWarning: (warning) => void io.stderr.write(`warning: ${visibleText(warning)}\n`),
    onEvent: globals.verbose ? (event) => void io.stderr.write(eventLine(event)) : waitNotice(context),
  };
}

function eventLine(event: TransportEvent): string {
  const what = event.kind === "wait"
    ? `waits ${event.seconds.toFixed(1)} s`
    : `${event.status ?? "no response"} in ${event.seconds.toFixed(2)} s`;
  const id = event.requestId === undefined ? "" : ` (${event.requestId})`;
  return `> ${event.method} ${event.url} ${what}${id}\n`;
}
