import { join, resolve } from "node:path";
import { announceConsole, withdrawConsole } from "../../console/announced_console.ts";
import type { ConsoleOptions, PlanFolder } from "../../console/http/console_context.ts";
import { canOpenBrowser, openBrowser } from "../../console/open_browser.ts";
import { type RunningConsole, serveConsole } from "../../console/serve_console.ts";
import { approvalKeyFiles } from "../../../plans/review/approval_key.ts";
import { PlanStore } from "../../../plans/store/plan_store.ts";
import { thisProgram } from "../../../store/warehouse/query_in_subprocess.ts";
import { configFolder, stateFolder } from "../../../base/runtime/user_folders.ts";
import { command } from "../shell/command.ts";
import { connectAds } from "../shell/connect/connect.ts";
import { connectStoredFiles } from "../shell/connect/connect_stored_files.ts";
import type { CliContext } from "../shell/context/context.ts";
import { connectingOptions, shellWord } from "../shell/context/shell_words.ts";
import { EXIT, UsageError } from "../shell/io/cli_error.ts";
import { refusing } from "../shell/find_plan.ts";
import {
  knownRollouts,
  knownStores,
  rememberPlans,
  serverFolder,
  storeOptions,
} from "../shell/connect/plan_folders.ts";
import { servicePlace, storeOption, storePlace } from "../shell/options/store_option.ts";
import { currencyConversion } from "../shell/input/currency_rates.ts";
import { marketOption } from "../shell/options/market_options.ts";
import { port } from "../shell/options/parse_values.ts";

export const consoleCommand = command(
  (kit) =>
    kit.leaf("console", {
      summary: "Review plans, approve them and see figures in the browser",
      details:
        "Listens on 127.0.0.1 until Ctrl-C and loads nothing from elsewhere. The printed address signs in one " +
        "browser once; press Enter for a new one. Shows plans from the current folder (--folder) and the tool " +
        "server. If the tool server runs with PLATFORM_ADS_MCP_APPROVAL=console, agents need approvals given " +
        "here.",
      examples: [
        ["adsctl console", "open the console in the browser"],
        ["adsctl console --demo --no-open", "use the demo account, and only print the address"],
        ["adsctl console --from-files -m CA", "show imported files, without a login"],
      ],
    })
      .option("--from-files", "show the store's imported files, without a login; read-only")
      .addOption(marketOption())
      .option("--port <n>", "port (default: any free port)", port)
      .option("--read-only", "refuse changes to the account, plans or the approval key")
      .option("--no-open", "print the address instead of opening the browser")
      .option(
        "--folder <path>",
        "folder with plans, schedules.yaml, pacing.yaml and service.yaml (default: the current one)",
      )
      .option("--currency <code>", "currency to offer for figures, with --rates")
      .option(
        "--rates <file>",
        "conversion rates: CSV or JSON with currency, rate and, if rates change, from",
      )
      .addOption(storeOption()),
  async (options, context) => {
    const { io, globals, interruption } = context;
    if (options.market !== undefined && !options.fromFiles) {
      throw new UsageError(
        "Cannot use -m without --from-files: the console shows every profile of the login",
      );
    }
    const stop = interruption.finishFirst();
    const { folders, beside } = await planFolders(options.folder ?? ".", context);
    // What is planned here and later must respect what the plans of the folder hold back and have changed.
    if (options.folder !== undefined && globals.rehearse === undefined) {
      await rememberPlans(options.folder, context);
    }
    const state = stateFolder(io.env);
    const conversion = await currencyConversion(options, io);
    const ads = options.fromFiles
      ? (await connectStoredFiles({ ...options, isEmptyAllowed: true }, context)).ads
      : await connectAds(context, { shareDemo: true });
    const running = await refusing(() =>
      serveConsole({
        ads,
        folders,
        beside,
        rememberPlans: (folder) => rememberPlans(folder, context),
        key: approvalKeyFiles(configFolder(io.env)),
        storePlace: storePlace(options, context),
        serviceStore: (file) => servicePlace(file, options, context),
        files: {
          schedules: join(options.folder ?? ".", "schedules.yaml"),
          pacing: join(options.folder ?? ".", "pacing.yaml"),
          service: join(options.folder ?? ".", "service.yaml"),
        },
        conversion,
        emulator: globals.demo ? new URL(ads.platform.regions.NA?.baseUrl ?? "").origin : undefined,
        program: io.isProgram ? thisProgram() : undefined,
        commandOptions: {
          account: connectingOptions(globals).flat().map(shellWord).join(" "),
          store: options.store === undefined ? "" : `--store ${shellWord(options.store)}`,
        },
        readOnly: options.readOnly === true || options.fromFiles === true,
        now: io.now,
        stop,
      }, options.port)
    );
    const removeFile = options.open && canOpenBrowser(io.env)
      ? await openBrowser(running.signInUrl())
      : undefined;
    try {
      await announceConsole(state, {
        url: running.url,
        folders: folders.map(({ store }) => resolve(store.path)),
      });
      await io.stderr.write(
        `The console listens on ${running.url}. Ctrl-C ends it` +
          `${io.stdin.isTerminal ? "; Enter prints a new address to sign in with" : ""}\n`,
      );
      if (removeFile === undefined || !io.stdout.isTerminal) {
        await io.stdout.write(`${running.signInUrl()}\n`);
      }
      await untilStopped(running, stop, context);
    } finally {
      await withdrawConsole(state, running).catch(() => {});
      await running.close();
      await removeFile?.();
    }
    return EXIT.done;
  },
);

/** The named or current folder, followed by the plan folders of the tool server and of rollouts. */
async function planFolders(
  folder: string,
  context: CliContext,
): Promise<Pick<ConsoleOptions, "folders" | "beside">> {
  const isOwn = resolve(folder) === resolve(serverFolder(context));
  if (folder !== "." && !isOwn && context.globals.rehearse !== undefined) {
    throw new UsageError(
      "Cannot use --folder together with --rehearse: a rehearsal keeps its plans in its own folder",
    );
  }
  const server = serverFolder(context);
  // Plans beside which real results lie are left alone by a rehearsal.
  const own = context.globals.rehearse !== undefined ? [] : [
    folder,
    // Of the folders that are always known, only the one that is named is shown.
    ...(await knownStores(context)).map(({ path }) => path).filter((path) => path !== "."),
    ...await knownRollouts(folder, context),
  ];
  const others = own.filter((path) => resolve(path) !== resolve(server));
  const paths = new Map(others.map((path) => [resolve(path), path]));
  const options = storeOptions(context, [...paths.values()]);
  const folders = [
    ...[...paths.values()].map((path): PlanFolder => ({
      maker: "person",
      store: PlanStore.open(path, options),
    })),
    { maker: "agent" as const, store: PlanStore.open(server, options) },
  ];
  return { folders, beside: options.beside };
}

/** Prints a new sign-in address at each Enter. */
async function untilStopped(running: RunningConsole, stop: AbortSignal, { io }: CliContext): Promise<void> {
  const stopped = new Promise<void>((done) => {
    if (stop.aborted) done();
    else stop.addEventListener("abort", () => done(), { once: true });
  });
  while (io.stdin.isTerminal && !stop.aborted) {
    const line = await Promise.race([
      io.stdin.line({ echo: true, signal: stop }).catch(() => undefined),
      stopped.then(() => undefined),
    ]);
    if (line === undefined) break;
    await io.stdout.write(`${running.signInUrl()}\n`);
  }
  await stopped;
}
