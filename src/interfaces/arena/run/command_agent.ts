import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { ConfigurationError } from "../../../errors.ts";
import type { Agent } from "./play.ts";

/** Options for running an external program as an agent. */
export interface CommandAgentOptions {
  /** Program and arguments. Arguments that name a file in the working folder become absolute paths. */
  readonly command: readonly [program: string, ...args: string[]];
  /** Environment variables to select from. @default those of this process */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Names of variables that the program gets in addition to `PATH`, `HOME`, the locale and proxies. @default none */
  readonly pass?: readonly string[] | undefined;
  /** Seconds after which the program is ended. @default none */
  readonly seconds?: number | undefined;
  /** Called with text that the program writes for people. @default nothing */
  readonly onText?: ((text: string) => void) | undefined;
  /** Ends the program. */
  readonly signal?: AbortSignal | undefined;
}

const GRACE_MILLISECONDS = 5_000;
const MAX_ANSWER = 1024 * 1024;
const USUAL =
  /^(PATH|PATHEXT|HOME|HOMEDRIVE|HOMEPATH|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|COMSPEC|USER|LOGNAME|SHELL|TERM|TZ|LANG|LC_\w+|TMPDIR|TEMP|TMP|(HTTPS?|NO|ALL)_PROXY|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|DENO_DIR)$/i;

/**
 * Creates an agent that runs as a separate program. It gets the URL of the tools as `ADS_ARENA_URL`, the instruction
 * on stdin and as `ADS_ARENA_INSTRUCTION`, and writes its answer to stdout. It runs in an empty folder, which is
 * removed afterwards, without the secrets of its owner's environment.
 *
 * @throws {ConfigurationError} when the program cannot be started.
 *
 * @example
 * ```ts
 * import { commandAgent } from "@platform/ads/arena";
 *
 * const agent = commandAgent({ command: ["./my-agent.sh"], seconds: 600 });
 * console.log(typeof agent); // function
 * ```
 */
export function commandAgent(
  { command, env = process.env, pass = [], seconds, onText, signal }: CommandAgentOptions,
): Agent {
  const [program, ...args] = command;
  const start = /[\\/]/.test(program) ? resolve(program) : program;
  const words = args.map((arg) => /[\\/.]/.test(arg) && existsSync(arg) ? resolve(arg) : arg);
  return async (world, instruction) => {
    const served = await world.listen();
    const folder = await mkdtemp(join(tmpdir(), "platform-ads-agent-"));
    try {
      return await answerOf([start, ...words], {
        cwd: folder,
        env: { ...chosen(env, pass), ADS_ARENA_URL: served.url, ADS_ARENA_INSTRUCTION: instruction },
        input: instruction,
        seconds,
        onText,
        signal,
      });
    } finally {
      await served.stop();
      await rm(folder, { recursive: true, force: true });
    }
  };
}

function chosen(
  env: NonNullable<CommandAgentOptions["env"]>,
  pass: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] =>
      entry[1] !== undefined && (USUAL.test(entry[0]) || pass.includes(entry[0]))
    ),
  );
}

async function answerOf(
  [program, ...args]: CommandAgentOptions["command"],
  { cwd, env, input, seconds, onText, signal }: {
    readonly cwd: string;
    readonly env: Record<string, string>;
    readonly input: string;
  } & Pick<CommandAgentOptions, "seconds" | "onText" | "signal">,
): Promise<string> {
  signal?.throwIfAborted();
  const isGroup = process.platform !== "win32";
  const child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: isGroup });
  const ended = new Promise<void>((done, fail) => {
    child.once("close", () => done());
    child.once(
      "error",
      (cause) =>
        fail(new ConfigurationError(`Cannot run the agent "${program}": ${cause.message}`, { cause })),
    );
  });
  let answer = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (answer.length < MAX_ANSWER) answer += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => onText?.(text));
  // A program that does not read its input closes it.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const end = (): void => endProcess(child, isGroup);
  const guard = seconds === undefined ? undefined : setTimeout(end, seconds * 1000);
  signal?.addEventListener("abort", end, { once: true });
  try {
    await ended;
  } finally {
    clearTimeout(guard);
    signal?.removeEventListener("abort", end);
  }
  signal?.throwIfAborted();
  return answer;
}

function endProcess(child: ChildProcess, isGroup: boolean): void {
  const { pid } = child;
  if (pid === undefined) return;
  const send = (name: NodeJS.Signals): void => {
    try {
      if (isGroup) process.kill(-pid, name);
      else child.kill(name);
    } catch {
      // It has ended.
    }
  };
  send("SIGTERM");
  const last = setTimeout(() => send("SIGKILL"), GRACE_MILLISECONDS);
  child.once("close", () => clearTimeout(last));
}
