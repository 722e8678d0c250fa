import { platformFromEnv, readVariables } from "../../../../platform/connection/connection_from_env.ts";
import { Emulator } from "../../../../emulator/emulator.ts";
import { diffRecording, type RecordingDiff } from "../../../../emulator/diff_recording.ts";
import { RecordingProxy } from "../../../../emulator/hosts/recording_proxy.ts";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { port } from "../../shell/options/parse_values.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";
import { setInDotenv } from "../../shell/io/dotenv_edit.ts";

const COLUMNS = ["operation", "where", "recorded", "emulator", "times", "file"];

export const emulatorRecordCommand = command(
  (kit) =>
    kit.leaf("record", {
      summary: "Record requests to the platform, to compare with the emulator",
      details:
        "Runs a proxy on the loopback address until Ctrl-C. It forwards any client's requests to the platform in " +
        "the settings, and saves each exchange as a JSON file with replaced ids, without tokens, and with a few " +
        "allowed headers. Logins go to the platform directly. Check the files before you share them.",
      examples: [
        [
          "adsctl demo record recorded --write-env recorded.env",
          "then run any command with --env-file recorded.env and your login",
        ],
        ["adsctl demo record recorded --anonymous", "hide names and keyword texts too"],
      ],
      library: 'await RecordingProxy.start({ platform, folder: "recorded" })',
    })
      .argument("<folder>", "folder to write, created if missing")
      .option("--port <n>", "port (default: any free port)", port)
      .option("--anonymous", "replace names, keywords and headlines")
      .option(
        "--write-env <file>",
        "write the proxy's addresses to a dotenv file; its other lines are kept",
      ),
  async (folder, options, context) => {
    const { io, globals, interruption: { signal } } = context;
    if (globals.demo) {
      throw new UsageError(
        "Cannot record the demo account through --demo. Serve it with adsctl demo start --write-env demo.env, and name " +
          "that file by --env-file",
      );
    }
    const { anonymous = false, writeEnv } = options;
    const { envFile, platform: platformFile } = globals;
    const variables = await readVariables({
      env: io.env,
      ...(envFile === undefined ? {} : { envFile }),
      ...(platformFile === undefined ? {} : { platformFile }),
    });
    const platform = await platformFromEnv(variables, platformFile);
    const proxy = await refusingBadInput(() =>
      RecordingProxy.start({
        platform,
        folder,
        names: anonymous,
        ...(options.port === undefined ? {} : { port: options.port }),
      })
    );
    try {
      const addresses = Object.fromEntries(
        Object.entries(proxy.platform.regions).map(([region, { baseUrl }]) =>
          [`PLATFORM_ADS_BASE_URL_${region}`, baseUrl] as const
        ),
      );
      if (writeEnv !== undefined) {
        const text = await fileSystem().readText(writeEnv).catch(() => "");
        await fileSystem().writeText(writeEnv, setInDotenv(text, addresses), { mode: 0o600 });
      }
      await io.stdout.write(Object.entries(addresses).map(([name, url]) => `${name}=${url}\n`).join(""));
      await say(`Recording into ${folder} until Ctrl-C`, context);
      await new Promise<void>((done) => signal.addEventListener("abort", () => done(), { once: true }));
    } finally {
      await proxy.stop();
    }
    if (proxy.failed > 0) await say(`${proxy.failed} requests got no response`, context);
    if (proxy.recorded === 0) {
      await say("Nothing was recorded", context);
      return EXIT.done;
    }
    await printDiff(await compared(folder), context);
    return EXIT.done;
  },
);

export const emulatorDiffCommand = command(
  (kit) =>
    kit.leaf("diff", {
      printsRows: true,
      summary: "Compare the emulator with a recording",
      details:
        "Sends the recorded requests to a fresh emulator, with its own ids. Compares statuses, media types, error " +
        "codes, and the fields and types of bodies, but not values. Exit code 0 without differences, 6 with.",
      examples: [["adsctl demo diff recorded", "list differences by operation"]],
      library: 'await diffRecording("recorded", emulator)',
      fields: COLUMNS,
    })
      .argument("<folder>", "folder from adsctl demo record, or demo start --record"),
  async (folder, _options, context) => {
    const diff = await refusingBadInput(() => compared(folder));
    await printDiff(diff, context);
    return diff.differences.length === 0 ? EXIT.done : EXIT.differences;
  },
);

async function compared(folder: string): Promise<RecordingDiff> {
  const emulator = await Emulator.start({ listen: false });
  try {
    return await diffRecording(folder, emulator);
  } finally {
    await emulator.stop();
  }
}

async function printDiff(
  { exchanges, operations, differences }: RecordingDiff,
  context: CliContext,
): Promise<void> {
  await printRows(differences.map((one) => ({ ...one })), { columns: COLUMNS }, context);
  const count = differences.length === 1 ? "1 difference" : `${differences.length || "no"} differences`;
  await say(`${exchanges} exchanges of ${operations} operations: ${count}`, context);
}
