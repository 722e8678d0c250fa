import { BrokenPipeError, type CliIo } from "./shell/io/cli_io.ts";
import { COMMANDS } from "./command_index.ts";
import { EXIT } from "./shell/io/cli_error.ts";
import { frontPage } from "./front_page.ts";
import { type CommandLine, readCommandLine } from "./shell/command_line.ts";
import type { GlobalOptions } from "./shell/context/global_options.ts";
import { VERSION } from "./shell/context/version.ts";
import { QUERY_ARGUMENT } from "../../store/model/query_question.ts";

interface MainOptions {
  readonly kill?: () => void;
}

export async function main(args: readonly string[], io: CliIo, options: MainOptions = {}): Promise<number> {
  if (args[0] === QUERY_ARGUMENT) return await answerOneQuery(io);
  const world = withWrappedNotes(withForcedTerminal(io));
  let globals: GlobalOptions | undefined;
  try {
    return await run(readCommandLine(args), world, { ...options, onOptions: (read) => globals = read });
  } catch (error) {
    if (error instanceof BrokenPipeError) return EXIT.done;
    // Loaded only now: a start that goes well must not pay for it.
    const { reportError } = await import("./shell/output/report_error.ts");
    return await reportError(error, { io: world, args, globals });
  }
}

async function answerOneQuery({ stdin, stdout }: CliIo): Promise<number> {
  const { answerQuery } = await import("../../store/warehouse/answer_query.ts");
  await stdout.write(await answerQuery(await stdin.text()));
  return EXIT.done;
}

async function run(
  line: CommandLine,
  io: CliIo,
  options: MainOptions & { onOptions: (globals: GlobalOptions) => void },
): Promise<number> {
  switch (line.kind) {
    case "version":
      await io.stdout.write(`adsctl ${VERSION}\n`);
      return EXIT.done;
    case "front page":
      await (line.isHelp ? io.stdout : io.stderr).write(
        frontPage({ width: io.stdout.columns }),
      );
      return line.isHelp ? EXIT.done : EXIT.usage;
    case "help":
      return await (await import("./show_help.ts")).showHelp(
        line.words,
        io,
      );
    case "complete": {
      const { complete } = await import("./complete.ts");
      const found = await complete(line.words, io);
      await io.stdout.write(found.map(({ word, about }) => `${word}\t${about}\n`).join(""));
      return EXIT.done;
    }
    case "unknown option":
      throw (await unknown()).unknownOption(line.option, line.args);
    case "command": {
      const entry = COMMANDS.find(({ name }) => name === line.name);
      if (entry === undefined) throw await (await unknown()).unknownCommand(line.name, line.args);
      const { renamed } = line;
      if (renamed !== undefined && !line.args.some((arg) => arg === "--quiet" || arg === "-q")) {
        await io.stderr.write(
          `"adsctl ${renamed.from}" is now "adsctl ${renamed.to}"; the old name works until 0.5\n`,
        );
      }
      return await (await import("./program.ts")).runCommand(
        entry,
        line.args,
        {
          io,
          ...options,
          runLine: main,
        },
      );
    }
  }
}

function unknown(): Promise<typeof import("./unknown_command.ts")> {
  return import("./unknown_command.ts");
}

function withWrappedNotes(io: CliIo): CliIo {
  const { stderr } = io;
  if (!stderr.isTerminal) return io;
  return {
    ...io,
    stderr: {
      isTerminal: true,
      get columns() {
        return stderr.columns;
      },
      write: async (text) => {
        const { wrapLines } = await import("./shell/io/text_width.ts");
        await stderr.write(wrapLines(text, stderr.columns));
      },
    },
  };
}

/** Simulates a terminal if `PLATFORM_ADS_FORCE_TTY` gives its columns. */
function withForcedTerminal(io: CliIo): CliIo {
  const columns = Number(io.env["PLATFORM_ADS_FORCE_TTY"]);
  if (!Number.isInteger(columns) || columns < 20) return io;
  const { stdout } = io;
  return { ...io, stdout: { isTerminal: true, columns, write: (text) => stdout.write(text) } };
}
