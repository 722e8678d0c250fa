import { fileURLToPath } from "node:url";

const CLI = new URL("../../../cli.ts", import.meta.url).href;
const CONFIG = fileURLToPath(new URL("../../../deno.json", import.meta.url));

/** The words that run adsctl as a process of its own. */
export const ADSCTL: readonly string[] = [Deno.execPath(), "run", "-A", "-q", "--config", CONFIG, CLI];

/** What a process did. */
export interface ProcessRun {
  /** Exit code. */
  readonly code: number;
  /** What it printed on stdout; on a terminal, stderr as well. */
  readonly stdout: string;
  /** What it printed on stderr. */
  readonly stderr: string;
}

/** Options of a process. */
export interface ProcessOptions {
  /** Environment variables besides those of the test. */
  readonly env?: Readonly<Record<string, string>>;
  /** Hides the test's own variables. @default false */
  readonly clearEnv?: boolean;
  /** What it reads. */
  readonly stdin?: string;
  /** Folder it runs in. */
  readonly cwd?: string;
  /** Kills it. */
  readonly signal?: AbortSignal;
}

/** Runs a program in a pipe. */
export async function inPipe(words: readonly string[], options: ProcessOptions = {}): Promise<ProcessRun> {
  const [program, ...args] = words;
  const child = new Deno.Command(program!, {
    args,
    env: { ...options.env },
    clearEnv: options.clearEnv ?? false,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  // One that is too busy to hear of its end is killed all the same.
  const kill = (): void => child.kill("SIGKILL");
  options.signal?.addEventListener("abort", kill);
  void child.status.then(() => options.signal?.removeEventListener("abort", kill));
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(options.stdin ?? "")).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Whether `script` of util-linux is there, which gives a program a pseudo-terminal. */
export const HAS_PSEUDO_TERMINAL: boolean = await inPipe(["script", "--version"]).then(
  ({ stdout }) => stdout.includes("util-linux"),
  () => false,
);

/** Runs a program on a pseudo-terminal of 90 columns; each key is typed once the text before it has appeared. */
export async function onTerminal(
  words: readonly string[],
  options: ProcessOptions & { keys?: readonly (readonly [after: string, key: string])[] } = {},
): Promise<ProcessRun> {
  const line = `stty cols 90; exec ${words.map((word) => `'${word}'`).join(" ")}`;
  const child = new Deno.Command("script", {
    args: ["-qec", line, "/dev/null"],
    env: { TERM: "xterm-256color", ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
    // A text that never appears must fail the test and not hang it.
    signal: AbortSignal.timeout(600_000),
  }).spawn();
  const writer = child.stdin.getWriter();
  const keys = [...options.keys ?? []];
  let seen = "";
  let unread = "";
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    seen += part;
    unread += part;
    while (keys.length > 0 && unread.includes(keys[0]![0])) {
      unread = unread.slice(unread.indexOf(keys[0]![0]) + keys[0]![0].length);
      await writer.write(new TextEncoder().encode(keys.shift()![1]));
    }
  }
  await writer.close().catch(() => {});
  return { code: (await child.status).code, stdout: seen.replaceAll("\r\n", "\n"), stderr: "" };
}
