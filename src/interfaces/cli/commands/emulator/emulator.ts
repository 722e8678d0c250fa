import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { Emulator } from "../../../../emulator/emulator.ts";
import type { CountedRule } from "../../../../emulator/faults/fault_engine.ts";
import { demoFiles, servedDemo } from "../../../demo/demo_files.ts";
import { DemoLock } from "../../../demo/demo_lock.ts";
import { rehearsedAccount } from "../../../demo/rehearsal.ts";
import { command, type MakeCommand } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { readInput } from "../../shell/input/read_input.ts";
import { CliError, EXIT, UsageError } from "../../shell/io/cli_error.ts";
import { printJson, printRows, wantsData } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";
import { emulatorDiffCommand, emulatorRecordCommand } from "./emulator_record.ts";
import { emulatorStartCommand } from "./emulator_start.ts";
import { existsSync } from "node:fs";

interface ControlRequest {
  readonly method: "GET" | "POST";
  readonly name: string;
  readonly body?: string;
}

const URL_OPTION = [
  "--url <address>",
  "address of a running emulator (default: the one that --demo uses)",
] as const;

/**
 * Uses the emulator at `url`, else the one that serves the demo account, else starts one for this request.
 *
 * @returns Text of the response.
 * @throws {UsageError} when the emulator rejects the request.
 * @throws {CliError} when the emulator cannot be reached.
 */
async function controlEmulator(
  request: ControlRequest,
  url: string | undefined,
  context: CliContext,
): Promise<string> {
  const { io } = context;
  const running = url ?? (await servedDemo(demoFiles(io.env), io.fetch))?.url;
  if (running !== undefined) return await send(request, running.replace(/\/+$/, ""), context);
  const files = demoFiles(io.env);
  const lock = DemoLock.tryTake(files.lock);
  if (lock === undefined) {
    throw new CliError(
      `Cannot reach the demo account: ${DemoLock.holder(files.lock)} is working on it. Try again`,
      EXIT.failed,
    );
  }
  try {
    const emulator = await Emulator.start({ ...await rehearsedAccount(io.env), statePath: files.state });
    try {
      return await send(request, emulator.url, context);
    } finally {
      await emulator.stop();
    }
  } finally {
    lock.release();
  }
}

async function send(
  { method, name, body }: ControlRequest,
  url: string,
  { io }: CliContext,
): Promise<string> {
  const address = `${url}/_emulator/${name}`;
  if (!URL.canParse(address)) {
    throw new UsageError(`Cannot reach an emulator at "${url}": it is not a web address`);
  }
  let response: Response;
  let text: string;
  try {
    response = await (io.fetch ?? fetch)(address, { method, ...(body === undefined ? {} : { body }) });
    text = await response.text();
  } catch (cause) {
    throw new CliError(`Cannot reach an emulator at "${url}": ${(cause as Error).message}`, EXIT.failed, {
      cause,
    });
  }
  if (response.ok) return text;
  throw new UsageError(messageOf(text) ?? `The emulator at "${url}" responded with ${response.status}`);
}

function messageOf(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === "string" ? message : undefined;
  } catch {
    return undefined;
  }
}

const emulatorRestoreCommand = command(
  (kit) =>
    kit.leaf("restore", {
      summary: "Restore a snapshot of the emulator",
      details: "Discards later changes. The emulator must have the same seed.",
      examples: [["adsctl demo restore before.json", "go back to the snapshot"]],
      library: "emulator.restore(snapshot)",
    })
      .argument("<file>", "a snapshot; - for stdin")
      .option(...URL_OPTION),
  async (file, { url }, context) => {
    const { io, globals } = context;
    const { text: body, name } = await readInput(file, io);
    await controlEmulator({ method: "POST", name: "snapshot", body }, url, context);
    await say(`Restored ${name}`, { io, globals });
    return EXIT.done;
  },
);

const emulatorStatusCommand = command(
  (kit) =>
    kit.leaf("status", {
      summary: "Show the demo account's address and state file",
      examples: [["adsctl demo status --json", "print them as JSON"]],
    }),
  async (_, context) => {
    const { io } = context;
    const { state } = demoFiles(io.env);
    const url = (await servedDemo(demoFiles(io.env), io.fetch))?.url ?? null;
    const changed = existsSync(state);
    if (wantsData(context)) {
      await printJson({ served_at: url, state_file: state, state_exists: changed }, context);
      return EXIT.done;
    }
    await io.stdout.write(
      `${url === null ? "Not running: --demo starts an emulator in each command" : `Served at ${url}`}\n` +
        `State: ${state}${changed ? "" : " (does not exist yet)"}\n`,
    );
    return EXIT.done;
  },
);

const emulatorSnapshotCommand = command(
  (kit) =>
    kit.leaf("snapshot", {
      summary: "Save a snapshot of the emulator",
      details:
        "Saves entities, change history, reports, clock and tokens. Restore it with adsctl demo restore.",
      examples: [["adsctl demo snapshot before.json", "save the state before an experiment"]],
      library: "const snapshot = emulator.snapshot()",
    })
      .argument("<file>", "file to write; - for stdout")
      .option(...URL_OPTION),
  async (file, { url }, context) => {
    const { io, globals } = context;
    const snapshot = await controlEmulator({ method: "GET", name: "snapshot" }, url, context);
    if (file === "-") await io.stdout.write(`${snapshot}\n`);
    else {
      await fileSystem().writeText(file, `${snapshot}\n`, { mode: 0o600 });
      await say(`Saved to ${file}`, { io, globals });
    }
    return EXIT.done;
  },
);

const emulatorResetCommand = command(
  (kit) =>
    kit.leaf("reset", {
      summary: "Reset the demo account",
      examples: [["adsctl demo reset", "discard all changes made with --demo"]],
      library: "emulator.reset()",
    }),
  async (_, { io, globals }) => {
    const files = demoFiles(io.env);
    const lock = DemoLock.tryTake(files.lock);
    if (lock !== undefined) {
      await fileSystem().remove(files.state);
      lock.release();
    } else {
      const served = await servedDemo(demoFiles(io.env), io.fetch);
      if (served === undefined) {
        throw new CliError(
          `Cannot reset the demo account: ${DemoLock.holder(files.lock)} is working on it. Try again`,
          EXIT.failed,
        );
      }
      await (io.fetch ?? fetch)(`${served.url}/_emulator/reset`, { method: "POST" });
    }
    await say("The demo account is reset", { io, globals });
    return EXIT.done;
  },
);

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 7 * 86_400 };

const emulatorAdvanceCommand = command(
  (kit) =>
    kit.leaf("advance", {
      summary: "Advance the emulator's clock",
      details:
        "Makes reports final, sends stream messages, and expires tokens. Commands with --demo follow this clock; " +
        "adsctl demo reset sets it back. In your own client, set the option 'now'.",
      examples: [
        ["adsctl demo advance 7d", "advance by a week"],
        ["adsctl demo advance 90m", "advance by 90 minutes"],
      ],
      library: "emulator.advance(7 * 86_400)",
    })
      .argument("<time>", "30s, 90m, 6h, 7d or 2w")
      .option(...URL_OPTION),
  async (time, { url }, context) => {
    const [, count, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(time.trim()) ?? [];
    const seconds = Number(count) * (SECONDS[unit] ?? NaN);
    if (!(seconds > 0)) {
      throw new UsageError(`Cannot advance the clock by "${time}": write 30s, 90m, 6h, 7d or 2w`);
    }
    const body = JSON.stringify({ advance: seconds });
    const { now } = JSON.parse(await controlEmulator({ method: "POST", name: "clock", body }, url, context));
    await context.io.stdout.write(`${now}\n`);
    return EXIT.done;
  },
);

const COLUMNS = ["name", "match", "when", "effects", "seen", "acted"];

const emulatorFaultsCommand = command(
  (kit) =>
    kit.leaf("faults", {
      printsRows: true,
      summary: "Show or set emulator faults",
      details:
        "Faults also apply to later --demo commands, until you set calm or reset the account. docs/emulator.md " +
        "lists the effects of rules.",
      examples: [
        ["adsctl demo faults", "list fault rules, and how often each was applied"],
        ["adsctl demo faults storm", "add throttling, failures, cut connections and corrupt files"],
        ["adsctl demo faults @rules.json", "use your own rules"],
        ["adsctl demo faults calm", "turn faults off"],
      ],
      library: 'emulator.setFaults("storm", { keep: true })',
    })
      .argument("[faults]", "calm, busy-day or storm, or a file: @rules.json, or - for stdin")
      .option(...URL_OPTION),
  async (faults, options, context) => {
    const request = faults === undefined
      ? { method: "GET", name: "faults" } as const
      : { method: "POST", name: "faults", body: await bodyOf(faults, context) } as const;
    const report: { rules: CountedRule[] } = JSON.parse(await controlEmulator(request, options.url, context));
    if (wantsData(context)) {
      await printJson(report, context);
      return EXIT.done;
    }
    if (report.rules.length > 0) await printRows(report.rules.map(rowOf), { columns: COLUMNS }, context);
    else if (!context.globals.quiet) {
      await context.io.stderr.write("No fault rules\n");
    }
    return EXIT.done;
  },
);

async function bodyOf(faults: string, { io }: CliContext): Promise<string> {
  const isFile = faults.startsWith("@") || faults === "-";
  if (!isFile) return JSON.stringify({ profile: faults, keep: true });
  const { text, name } = await readInput(faults.replace(/^@/, ""), io);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`Cannot read ${name}: it is not JSON (${(cause as Error).message})`, { cause });
  }
  return JSON.stringify(
    Array.isArray(content) ? { rules: content, keep: true } : { ...content as object, keep: true },
  );
}

function rowOf({ name, match, effects, seen, acted, ...when }: CountedRule): Record<string, unknown> {
  return {
    name: name ?? "",
    match: JSON.stringify(match ?? {}),
    when: JSON.stringify(when),
    effects: JSON.stringify(effects),
    seen,
    acted,
  };
}

export const emulatorCommands: readonly MakeCommand[] = [
  emulatorStartCommand,
  emulatorStatusCommand,
  emulatorFaultsCommand,
  emulatorAdvanceCommand,
  emulatorSnapshotCommand,
  emulatorRestoreCommand,
  emulatorResetCommand,
  emulatorRecordCommand,
  emulatorDiffCommand,
];
