import { Option } from "@commander-js/extra-typings";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { Emulator } from "../../../../emulator/emulator.ts";
import type { FaultProfileName } from "../../../../emulator/faults/fault_profiles.ts";
import { CliError, EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { announceDemo, demoFiles, withdrawDemo } from "../../../demo/demo_files.ts";
import { rehearsedAccount } from "../../../demo/rehearsal.ts";
import { DemoLock } from "../../../demo/demo_lock.ts";
import { setInDotenv } from "../../shell/io/dotenv_edit.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { port } from "../../shell/options/parse_values.ts";

const FAULT_SETS = ["calm", "busy-day", "storm"] as const satisfies readonly FaultProfileName[];

export const emulatorStartCommand = command(
  (kit) =>
    kit.leaf("start", {
      summary: "Serve the emulated platform until Ctrl-C",
      details:
        "Listens only on the loopback address, unless you set --host and --expose-to-network. Without --seed, " +
        "--state or --clock, serves the account that --demo uses.",
      examples: [
        ["adsctl demo start --port 8080", "at http://127.0.0.1:8080"],
        [
          "adsctl demo start --seed mine --clock 2026-09-30T12:00:00Z --freeze",
          "serve a separate account at a fixed time",
        ],
      ],
      library:
        'await Emulator.start({ port: 8080, seed: "mine", clock: { now: "2026-09-30T12:00:00Z", frozen: true } })',
    })
      .option("--port <n>", "port (default: any free port)", port)
      .option("--seed <text>", "seed of the account; the same seed gives the same account")
      .option("--state <file>", "keep the state in this file")
      .option("--clock <moment>", "start time, for example 2026-09-30T12:00:00Z")
      .option("--freeze", "stop the clock until you advance it")
      .addOption(new Option("--faults <set>", "faults to start with").choices(FAULT_SETS))
      .option("--fault-file <file>", "fault rules and quirks, as JSON")
      .option("--record <folder>", "folder to save exchanges in, one JSON file each, without tokens")
      .option("--wire-word <word>", "word to use instead of platform in paths, headers and media types")
      .option("--host <address>", "address to listen on (default: 127.0.0.1)")
      .option(
        "--expose-to-network",
        "allow a --host that others can reach; anyone there can read and change everything, without a password",
      )
      .option("--write-env <file>", "write its settings and credentials to a dotenv file"),
  async (options, context) => {
    const { io, interruption: { signal } } = context;
    const own = options.seed !== undefined || options.state !== undefined || options.clock !== undefined;
    const files = demoFiles(io.env);
    const lock = own ? undefined : DemoLock.tryTake(files.lock);
    if (!own && lock === undefined) {
      throw new CliError(
        `Cannot serve the demo account: ${
          DemoLock.holder(files.lock)
        } uses it. End that one, or use --seed or --state`,
        EXIT.failed,
      );
    }
    const statePath = own ? options.state : files.state;
    const rehearsed = await rehearsedAccount(io.env);
    const emulator = await refusingBadInput(() =>
      Emulator.start({
        ...rehearsed,
        ...(options.port === undefined ? {} : { port: options.port }),
        ...(options.seed === undefined ? {} : { seed: options.seed }),
        ...(statePath === undefined ? {} : { statePath }),
        ...(options.faults === undefined ? {} : { faults: options.faults }),
        ...(options.faultFile === undefined ? {} : { faultFile: options.faultFile }),
        ...(options.record === undefined ? {} : { recordTo: options.record }),
        ...(options.wireWord === undefined ? {} : { wireWord: options.wireWord }),
        ...(options.host === undefined ? {} : { host: options.host }),
        ...(options.exposeToNetwork === undefined ? {} : { exposeToNetwork: options.exposeToNetwork }),
        clock: {
          ...(options.clock === undefined ? {} : { now: options.clock }),
          ...(options.freeze ? { frozen: true } : {}),
        },
      })
    ).catch((error) => {
      lock?.release();
      if (error instanceof UsageError) {
        throw new UsageError(error.message.replace('Set "exposeToNetwork"', "Add --expose-to-network"));
      }
      if ((error as { code?: string }).code !== "EADDRINUSE") throw error;
      throw new UsageError(`Cannot listen on port ${options.port}: another program uses it`, {
        cause: error,
      });
    });
    try {
      if (!own) announceDemo(files, emulator.url);
      if (options.writeEnv !== undefined) await writeEnv(options.writeEnv, emulator);
      await printAddress(emulator, options, context);
      await new Promise<void>((done) => signal.addEventListener("abort", () => done(), { once: true }));
    } finally {
      if (!own) withdrawDemo(files);
      await emulator.stop();
      lock?.release();
    }
    return EXIT.done;
  },
);

async function printAddress(
  { url, platform, credentials }: Emulator,
  { writeEnv, clock }: { writeEnv?: string; clock?: string },
  context: CliContext,
): Promise<void> {
  const { io, globals } = context;
  if (wantsData(context)) await printJson({ url, platform, credentials }, context);
  else await io.stdout.write(`${url}\n`);
  if (globals.quiet) return;
  const how = writeEnv === undefined
    ? `Settings for a client: ${url}/_emulator/settings`
    : `Settings are in ${writeEnv}`;
  await io.stderr.write(`The emulator listens on ${url}. ${how}. Ctrl-C ends it\n`);
  if (clock === undefined) return;
  await io.stderr.write(
    `Its clock began at ${clock}; adsctl and other clients use this machine's clock for days. In a program, give ` +
      "PlatformAds the option now, set to follow it, or use dates\n",
  );
}

async function writeEnv(path: string, { platform, credentials }: Emulator): Promise<void> {
  const text = await fileSystem().readText(path).catch(() => "");
  const values: Record<string, string> = {
    ...Object.fromEntries(
      Object.entries(platform.regions).map((
        [region, host],
      ) => [`PLATFORM_ADS_BASE_URL_${region}`, host.baseUrl]),
    ),
    PLATFORM_ADS_TOKEN_URL: platform.tokenUrl,
    PLATFORM_ADS_AUTHORIZE_URL: platform.authorizeUrl ?? "",
    PLATFORM_ADS_SANDBOX_URL: platform.sandboxUrl ?? "",
    PLATFORM_ADS_WIRE_WORD: platform.wireWord,
    ...(platform.rehearsal === undefined ? {} : { PLATFORM_ADS_REHEARSAL_OF: platform.rehearsal }),
    PLATFORM_ADS_CLIENT_ID: credentials.clientId,
    PLATFORM_ADS_CLIENT_SECRET: credentials.clientSecret,
    PLATFORM_ADS_REFRESH_TOKEN: credentials.refreshToken,
  };
  await fileSystem().writeText(path, setInDotenv(text, values), { mode: 0o600 });
}
