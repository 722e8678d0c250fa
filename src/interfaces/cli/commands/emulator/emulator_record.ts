import { platformFromEnv, readVariables } from "../../../../platform/connection/connection_from_env.ts";
import { Emulator } from "../../../../emulator/emulator.ts";
import { diffRecording, type RecordingDiff } from "../../../../emulator/diff_recording.ts";
import { RecordingProxy } from "../../../../emulator/recording/recording_proxy.ts";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { refusingBadInput, UsageError } from "../../shell/errors/cli_error.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import { port } from "../../shell/arguments/parse_values.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";
import { setInDotenv } from "../../shell/io/dotenv_edit.ts";

const COLUMNS = ["operation", "where", "recorded", "emulator", "times", "file"];

export const emulatorRecordCommand = command(
  (kit) =>
    kit.leaf("record", {
      summary: "Record a session with the platform, and compare it with the emulator",
      details:
        "A proxy on the loopback address forwards the requests of any client to the platform of the settings until Ctrl-C. Each " +
        "exchange is written as one JSON file: ids are replaced by others, tokens are left out, headers are those of a short " +
        "list. Logins go to the platform directly. Read the files before you pass them on.",
      examples: [
        [
          "adsctl demo record recorded --write-env recorded.env",
          "then run any command with --env-file recorded.env and your login",
        ],
        ["adsctl demo record recorded --anonymous", "hide names and keyword texts too"],
      ],
      library: 'await RecordingProxy.start({ platform, folder: "recorded" })',
    })
      .argument("<folder>", "where to; is made when it is not there")
      .option("--port <n>", "port; otherwise any that is free", port)
      .option("--anonymous", "put other texts in place of names, keywords and headlines")
      .option(
        "--write-env <file>",
        "write the addresses of the proxy into a dotenv file; its other lines stay",
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
    if (proxy.failed > 0) await say(`${proxy.failed} requests brought no response`, context);
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
      summary: "Show where the emulator responds differently from a recording",
      details:
        "The recorded requests are sent to a fresh emulator with ids of its own account. Statuses, media types, codes of refusals, " +
        "and the fields and types of bodies are compared, values are not. Exit code 0 without differences, 6 with.",
      examples: [["adsctl demo diff recorded", "a row for each difference, by operation"]],
      library: 'await diffRecording("recorded", emulator)',
      fields: COLUMNS,
    })
      .argument("<folder>", "folder of adsctl demo record, or of emulator start --record"),
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
