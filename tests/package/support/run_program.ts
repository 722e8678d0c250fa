/** How a program is run. */
export interface RunOptions {
  /** Folder to run in. */
  readonly cwd: string;
  /** Its whole environment. @default this process's own */
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads on standard input. @default nothing */
  readonly input?: string;
  /** Seconds after which it is ended. @default 1200 */
  readonly timeout?: number;
}

/** What a program printed. */
export interface Printed {
  /** Standard output. */
  readonly stdout: string;
  /** Standard error. */
  readonly stderr: string;
}

/**
 * Runs a program to its end.
 *
 * @param command The program and its arguments.
 * @throws {Error} when it does not end with 0, with what it printed.
 */
export async function runProgram(command: readonly string[], options: RunOptions): Promise<Printed> {
  const [program, ...args] = command;
  const child = new Deno.Command(program!, {
    args,
    cwd: options.cwd,
    ...(options.env === undefined ? {} : { env: { ...options.env }, clearEnv: true }),
    stdin: options.input === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout((options.timeout ?? 1200) * 1000),
  }).spawn();
  if (options.input !== undefined) {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(options.input));
    await writer.close();
  }
  const { code, signal, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  const printed = { stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  if (code === 0) return printed;
  const how = signal === null ? `ended with ${code}` : `was ended by ${signal}`;
  throw new Error(`"${command.join(" ")}" ${how}\n${printed.stdout}${printed.stderr}`.trimEnd());
}
