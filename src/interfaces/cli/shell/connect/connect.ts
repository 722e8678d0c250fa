import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { hasStateFolder, stateFolder } from "../../../../base/runtime/user_folders.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { wireFromVariables } from "../../../../client/entities/wire/wire_setting.ts";
import type { PlatformAds } from "../../../../client/platform_ads.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import type { AccountCopy } from "../../../../emulator/state/account_copy.ts";
import { commandWords } from "../../../../operations/model/command_words.ts";
import type { ChangesSource } from "../../../../plans/model/amount_changes.ts";
import type { HeldSource } from "../../../../plans/model/experiment.ts";
import type { Policy } from "../../../../plans/policy/policy.ts";
import { connectionFromVariables, readSources } from "../../../../platform/connection/connection_from_env.ts";
import type { PaceReport } from "../../../../platform/transport/pacer/pacer.ts";
import type { TransportEvent, TransportOptions } from "../../../../platform/transport/transport_options.ts";
import type { SharedPacer } from "../../../../store/queue/shared_pacer.ts";
import type { Warehouse } from "../../../../store/warehouse/warehouse.ts";
import type { CliContext } from "../context/context.ts";
import { VERSION } from "../context/version.ts";
import { UsageError } from "../io/cli_error.ts";
import { chosenProfile, type MarketOptions, wantedMarket } from "../options/market_options.ts";
import { storePlace } from "../options/store_option.ts";
import { QueueNotice, waitNotice } from "./queue_notice.ts";
import { type StoreFigures, storeFigures } from "./store_figures.ts";

export function policyPath(
  { globals }: Pick<CliContext, "globals">,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return globals.policy ?? (variables["PLATFORM_ADS_POLICY"] || undefined);
}

interface DemoUse {
  readonly shareDemo?: boolean;
  readonly listenDemo?: boolean;
}

/**
 * Connects to the account. The connection closes when the command ends.
 *
 * @param more Transport options that take precedence over the command line; `shareDemo` lets other processes use the
 * demo account at the same time; `listenDemo` serves it on a loopback port, for its queues.
 * @throws {ConfigurationError} naming the missing settings when there is no login.
 */
export async function connectAds(
  context: CliContext,
  { shareDemo = false, listenDemo = false, ...more }: TransportOptions & DemoUse = {},
): Promise<PlatformAds> {
  const figures = storeFigures(context);
  const ads = context.globals.demo
    ? await connectDemo(context, { figures, share: shareDemo, listen: listenDemo, more })
    : await connectLogin(context, { figures, more });
  const stopNotice = new QueueNotice(context, () => ads.transport.pacer.paces()).start();
  context.closing.later(stopNotice);
  return ads;
}

async function connectDemo(
  context: CliContext,
  { figures, share, listen, more }: {
    figures: StoreFigures;
    share: boolean;
    listen: boolean;
    more: TransportOptions;
  },
): Promise<PlatformAds> {
  const { io, globals, interruption, closing } = context;
  for (const [given, name] of [[globals.envFile, "--env-file"], [globals.platform, "--platform"]]) {
    if (given === undefined) continue;
    throw new UsageError(
      globals.rehearse === undefined
        ? `Cannot use ${name} together with --demo: choose one. --demo may come from PLATFORM_ADS_DEMO or "adsctl use"`
        : `Cannot use ${name} together with --rehearse: the copy needs no login. Leave ${name} out`,
    );
  }
  const client = loadClient();
  const { openDemoAccount } = await import("../../../demo/demo_account.ts");
  const account = await openDemoAccount({
    env: io.env,
    fetch: io.fetch,
    share,
    listen,
    signal: interruption.signal,
    onNotice: (text) => void (globals.quiet || io.stderr.write(`${text}\n`)),
  });
  closing.later(() => account.close());
  const policy = await namedPolicy(context, { figures, variables: io.env });
  const { platform, fetch, now, maxPoll } = account;
  const { PlatformAds } = await client;
  return new PlatformAds(account.credentials, {
    ...transportOptions(context),
    fetch,
    now,
    maxPoll,
    ...more,
    sandbox: globals.sandbox,
    policy,
    ...figures,
    experiments: heldInKnown(context),
    changes: changedInKnown(context),
    platform,
    jobs: jobFolder(context),
    ...wireSetting(context, io.env),
  });
}

async function connectLogin(
  context: CliContext,
  { figures, more }: { figures: StoreFigures; more: TransportOptions },
): Promise<PlatformAds> {
  const { io, globals, closing } = context;
  const { PlatformAds } = await loadClient();
  const sources = {
    env: io.env,
    ...(globals.envFile === undefined ? {} : { envFile: globals.envFile }),
    ...(globals.platform === undefined ? {} : { platformFile: globals.platform }),
  };
  const { variables, loginFile } = await readSources(sources);
  // A file that somebody else left in the folder must not log in unseen.
  if (loginFile === "./.env" && !globals.quiet) {
    io.stderr.write("Using the login in ./.env, which no option or variable names\n");
  }
  const policy = await namedPolicy(context, { figures, variables });
  const { credentials, platform } = await connectionFromVariables(variables, sources);
  const shared = await sharedPacer(credentials.clientId, context);
  if (shared !== undefined) closing.later(() => shared.close());
  const ads = new PlatformAds(credentials, {
    ...transportOptions(context),
    pacer: shared?.pacer,
    ...more,
    platform,
    sandbox: globals.sandbox,
    policy,
    ...figures,
    experiments: heldInKnown(context),
    changes: changedInKnown(context),
    jobs: jobFolder(context),
    ...wireSetting(context, variables),
  });
  const { warnOfExpiry } = await import("./expiry_warning.ts");
  await warnOfExpiry(ads, context);
  return ads;
}

/**
 * Connects to an emulator that stands in for the account, so that plans are made and checked as usual but nothing can
 * be sent.
 */
export async function connectImported(
  context: CliContext,
  { copy, store, at }: {
    readonly copy: AccountCopy;
    readonly store: Warehouse;
    readonly at?: string | undefined;
  },
): Promise<PlatformAds> {
  const [{ Emulator }, { figuresOf }, { PlatformAds }] = await Promise.all([
    import("../../../../emulator/emulator.ts"),
    import("../../../../store/figures/entity_figures.ts"),
    loadClient(),
  ]);
  const clock = at === undefined ? {} : { clock: { now: at, frozen: true } };
  const emulator = await Emulator.start({ account: copy, ...clock });
  context.closing.later(() => emulator.stop());
  const figures = figuresOf(store);
  const policy = await namedPolicy(context, { figures: { figures }, variables: context.io.env });
  const { fetch: _, sleep: __, now: ___, ...options } = transportOptions(context);
  const { platform } = emulator;
  return new PlatformAds(emulator.credentials, {
    ...{ ...options, policy, figures, platform },
    ...(at === undefined
      ? { experiments: heldInKnown(context), changes: changedInKnown(context) }
      : { now: () => emulator.clock.now() }),
  });
}

/** Loaded lazily, so that help stays fast. */
function loadClient(): Promise<typeof import("../../../../client/platform_ads.ts")> {
  return import("../../../../client/platform_ads.ts");
}

/**
 * Returns the pacer shared between processes; `undefined` without a folder for the shared file, or with a simulated
 * clock.
 */
async function sharedPacer(clientId: string, context: CliContext): Promise<SharedPacer | undefined> {
  const { io } = context;
  if (io.sleep !== undefined || !hasStateFolder(io.env)) return undefined;
  const { openSharedPacer } = await import("../../../../store/queue/shared_pacer.ts");
  const store = storePlace({ store: context.store }, context);
  return await openSharedPacer({ clientId, folder: stateFolder(io.env), store });
}

async function namedPolicy(
  context: CliContext,
  { figures: { figures }, variables }: {
    figures: Pick<StoreFigures, "figures">;
    variables: Readonly<Record<string, string | undefined>>;
  },
): Promise<Policy | undefined> {
  const path = policyPath(context, variables);
  if (path === undefined) return undefined;
  const { openPolicy } = await import("./open_policy.ts");
  return await openPolicy(path, context, { figures });
}

/**
 * Finds entities held back by experiments in all known plan folders, including the new plan's. With
 * `--touch-experiments`, nothing is held back.
 */
function heldInKnown(context: CliContext): HeldSource {
  const { out, touchExperiments, io } = context;
  if (touchExperiments) return () => Promise.resolve(new Map());
  return async (profileId) => {
    const { heldIn } = await import("../../../../plans/store/running_experiments.ts");
    return await heldIn(await planFolders(context, out), io.now)(profileId);
  };
}

function changedInKnown(context: CliContext): ChangesSource {
  return async (...request) => {
    const { changedIn } = await import("../../../../plans/store/applied_changes.ts");
    return await changedIn(await planFolders(context, context.out))(...request);
  };
}

async function planFolders(context: CliContext, out: string | undefined): Promise<string[]> {
  const { knownStores } = await import("./plan_folders.ts");
  const files = fileSystem();
  const folders = new Set((await knownStores(context)).map(({ path }) => path));
  if (out !== undefined) folders.add(await files.isDirectory(out) ? out : files.dirname(out));
  return [...folders];
}

function jobFolder({ io, globals }: CliContext): string | undefined {
  if (!hasStateFolder(io.env)) return undefined;
  return fileSystem().join(stateFolder(io.env), globals.demo ? "demo-jobs" : "jobs");
}

function wireSetting(
  { globals }: CliContext,
  variables: Readonly<Record<string, string | undefined>>,
): ReturnType<typeof wireFromVariables> {
  const { wire } = globals;
  return wireFromVariables(wire === undefined ? variables : { ...variables, PLATFORM_ADS_WIRE: wire });
}

export function transportOptions(context: CliContext): TransportOptions {
  const { io, globals } = context;
  const notice = globals.verbose
    ? (event: TransportEvent) => void io.stderr.write(eventLine(event))
    : waitNotice(context);
  return {
    userAgent: `adsctl/${VERSION}`,
    now: io.now,
    ...(io.fetch === undefined ? {} : { fetch: io.fetch }),
    ...(io.sleep === undefined ? {} : { sleep: io.sleep }),
    onWarning: (warning) => void io.stderr.write(`warning: ${visibleText(commandWords(warning))}\n`),
    onEvent: (event) => {
      if (event.kind !== "wait") context.progress.countRequest();
      notice(event);
    },
  };
}

function eventLine(event: TransportEvent): string {
  if (event.pace !== undefined) return paceLine(event.pace);
  const what = event.kind === "wait"
    ? `waits ${event.seconds.toFixed(1)} s`
    : `${event.status ?? "no response"} in ${event.seconds.toFixed(2)} s`;
  const id = event.requestId === undefined ? "" : ` (${event.requestId})`;
  return `> ${event.method} ${event.url} ${what}${id}\n`;
}

function paceLine({ host, group, rate, waiting }: PaceReport): string {
  const what = rate === undefined ? "are no longer held back" : `leave at ${rate.toFixed(1)} a second`;
  return `> ${group} to ${host} ${what} (${waiting} waiting)\n`;
}

export async function connectProfile(options: MarketOptions, context: CliContext): Promise<ProfileClient> {
  wantedMarket(options, context);
  return await chosenProfile(await connectAds(context), options, context);
}
