import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { ConfigurationError } from "../../../errors.ts";
import type { Agent } from "./play.ts";

/** How an agent that is a program is run. */
export interface CommandAgentOptions {
  /** Program and arguments. */
  readonly command: readonly [program: string, ...args: string[]];
  /** Variables of the program; those that lead to a real account are left out. @default those of this process */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Seconds after which the program is ended. @default none */
  readonly seconds?: number | undefined;
  /** Takes what the program writes for people. @default nothing */
  readonly onText?: ((text: string) => void) | undefined;
  /** Ends the program. */
  readonly signal?: AbortSignal | undefined;
}

const GRACE_MILLISECONDS = 5_000;
const MAX_ANSWER = 1024 * 1024;

/**
 * An agent that is a program of its own. It gets the address of the tools as `ADS_ARENA_URL`, the instruction on stdin and as
 * `ADS_ARENA_INSTRUCTION`, and writes its answer to stdout.
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
  { command, env = process.env, seconds, onText, signal }: CommandAgentOptions,
): Agent {
  return async (world, instruction) => {
    const served = await world.listen();
    try {
      return await answerOf(command, {
        env: { ...ownVariables(env), ADS_ARENA_URL: served.url, ADS_ARENA_INSTRUCTION: instruction },
        input: instruction,
        seconds,
        onText,
        signal,
      });
    } finally {
      await served.stop();
    }
  };
}

/** An agent of the arena must not find the account of its owner. */
function ownVariables(env: NonNullable<CommandAgentOptions["env"]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] =>
      entry[1] !== undefined && !entry[0].startsWith("PLATFORM_ADS_")
    ),
  );
}

async function answerOf(
  [program, ...args]: CommandAgentOptions["command"],
  { env, input, seconds, onText, signal }: {
    readonly env: Record<string, string>;
    readonly input: string;
  } & Pick<CommandAgentOptions, "seconds" | "onText" | "signal">,
): Promise<string> {
  signal?.throwIfAborted();
  const isGroup = process.platform !== "win32";
  const child = spawn(program, args, { env, stdio: ["pipe", "pipe", "pipe"], detached: isGroup });
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

/** Ends a program and what it started, by their id. */
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
