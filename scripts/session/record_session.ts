import { runCli } from "../../tests/cli/support/run_cli.ts";

/** A command of a recorded session. */
export interface RecordedCommand {
  /** What was typed. */
  readonly command: string;
  /** What it printed: stdout, then stderr. */
  readonly output: string;
}

/** How a session is recorded. */
export interface RecordOptions {
  /** Files that are there at the beginning, by name. @default none */
  readonly files?: Readonly<Record<string, string>>;
  /** Columns of a terminal with colours. @default no terminal: plain text */
  readonly columns?: number;
}

/** Plan ids differ from run to run: whoever compares two sessions puts something else in their place. */
export const PLAN_ID = /\b\d{8}-\d{6}-[0-9a-f]{8}\b/g;

/**
 * Runs commands one after another in an empty folder, on a demo account of their own, and gives what they print. All run
 * in this process, in that folder.
 *
 * @param commands `adsctl ...`, or `cat FILE` for one of the files.
 */
export async function recordSession(
  commands: readonly string[],
  options: RecordOptions = {},
): Promise<RecordedCommand[]> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, text] of Object.entries(options.files ?? {})) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    const session: RecordedCommand[] = [];
    for (const command of commands) {
      session.push({ command, output: await outputOf(command, { folder, columns: options.columns }) });
    }
    return session;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function outputOf(
  command: string,
  { folder, columns }: { folder: string; columns: number | undefined },
): Promise<string> {
  const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map((word) => word[1] ?? word[2]!);
  if (words[0] === "cat") return await Deno.readTextFile(`${folder}/${words[1]}`);
  const outside = Deno.cwd();
  Deno.chdir(folder);
  try {
    const { stdout, stderr } = await runCli(words.slice(1), {
      env: {
        XDG_STATE_HOME: `${folder}/state`,
        TERM: "xterm",
        ...(columns === undefined ? { NO_COLOR: "1" } : { PLATFORM_ADS_FORCE_TTY: String(columns) }),
      },
      sleep: (seconds) => new Promise((done) => setTimeout(done, seconds * 1000)),
    });
    return stdout + stderr;
  } finally {
    Deno.chdir(outside);
  }
}
