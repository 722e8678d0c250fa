import { BrokenPipeError, type CliIo } from "../../../src/interfaces/cli/shell/io/cli_io.ts";
import { main } from "../../../src/interfaces/cli/main.ts";

/** The world that a command runs in. */
export interface CliWorld {
  /** Environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** What stdin holds; for a terminal, the lines that are typed. */
  readonly stdin?: string;
  /** What comes through stdin in pieces, for commands that read it as it comes; `stdin` when absent. */
  readonly pieces?: () => AsyncIterable<string>;
  /** Columns, when stdin, stdout and stderr are a terminal. */
  readonly terminal?: number;
  /** Sends requests. */
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Waits so many seconds; returns at once when absent. */
  readonly sleep?: (seconds: number) => Promise<void>;
  /** Bytes of stdout after which its reader goes away. */
  readonly closesAfter?: number;
  /** Told the handler of Ctrl-C. */
  readonly onInterrupt?: (press: () => void) => void;
  /** Told each text written to stdout, as it comes. */
  readonly onStdout?: (text: string) => void;
}

/** What a command did. */
export interface CliRun {
  /** Exit code. */
  readonly code: number;
  /** Everything written to stdout. */
  readonly stdout: string;
  /** Everything written to stderr. */
  readonly stderr: string;
}

/** Runs adsctl inside of this process with buffers for streams. Words in quotation marks stay together. */
export async function runCli(line: string | readonly string[], world: CliWorld = {}): Promise<CliRun> {
  const args = typeof line === "string"
    ? [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word)
    : line;
  let stdout = "";
  let stderr = "";
  const typed = (world.stdin ?? "").split("\n");
  const isTerminal = world.terminal !== undefined;
  const io: CliIo = {
    stdout: {
      isTerminal,
      columns: world.terminal,
      write: (text) => {
        if (world.closesAfter !== undefined && stdout.length > world.closesAfter) {
          return Promise.reject(new BrokenPipeError());
        }
        stdout += text;
        world.onStdout?.(text);
        return Promise.resolve();
      },
    },
    stderr: {
      isTerminal,
      columns: world.terminal,
      write: (text) => {
        stderr += text;
        return Promise.resolve();
      },
    },
    stdin: {
      isTerminal,
      text: () => Promise.resolve(world.stdin ?? ""),
      pieces: world.pieces ??
        (() => new Blob([world.stdin ?? ""]).stream().pipeThrough(new TextDecoderStream())),
      line: () => Promise.resolve(typed.shift()),
    },
    env: world.env ?? {},
    now: world.now ?? Date.now,
    sleep: world.sleep ?? (() => Promise.resolve()),
    ...(world.fetch === undefined ? {} : { fetch: world.fetch }),
    onInterrupt: (handler) => {
      world.onInterrupt?.(handler);
      return () => {};
    },
  };
  const code = await main(args, io);
  return { code, stdout, stderr };
}
