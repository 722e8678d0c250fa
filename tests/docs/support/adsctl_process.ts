import { fileURLToPath } from "node:url";
import { linesIn } from "../../../src/base/text/lines.ts";
import type { ProcessRun } from "../../cli/support/process.ts";

/** A command for an {@linkcode AdsctlProcess}. */
export interface AdsctlCall {
  /** Words after "adsctl". */
  readonly words: readonly string[];
  /** The working folder. */
  readonly folder: string;
  /** All environment variables that it sees. */
  readonly env: Readonly<Record<string, string>>;
}

/** How a process is started. */
export interface AdsctlStart {
  /** The runtime and its options, up to the script. @default this Deno */
  readonly command?: readonly string[];
  /** A copy of {@linkcode RUNNER} beside an installed package. @default the script of this clone, on the clone itself */
  readonly script?: string;
  /** Address of the module with `main`. @default that of this clone */
  readonly main?: string;
  /** The whole environment of the process. @default that of this one */
  readonly env?: Readonly<Record<string, string>>;
}

/** The script. It only imports the module that its argument names. */
export const RUNNER: string = fileURLToPath(new URL("adsctl_runner.js", import.meta.url));
const DENO = [Deno.execPath(), "run", "-A", "-q", "--no-check"];
const MAIN = new URL("../../../src/interfaces/cli/main.ts", import.meta.url).href;

/** A process that runs commands of adsctl one after the other, without a start for each. */
export class AdsctlProcess implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #answers: AsyncIterator<string>;

  constructor({ command = DENO, script = RUNNER, main = MAIN, env }: AdsctlStart = {}) {
    const [program, ...options] = command;
    this.#child = new Deno.Command(program!, {
      args: [...options, script, main],
      ...(env === undefined ? {} : { env: { ...env }, clearEnv: true }),
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#answers = linesIn(this.#child.stdout)[Symbol.asyncIterator]();
  }

  /** Runs a command. */
  async run(call: AdsctlCall): Promise<ProcessRun> {
    await this.#input.write(new TextEncoder().encode(`${JSON.stringify(call)}\n`));
    const { value, done } = await this.#answers.next();
    if (done) throw new Error(`The process of adsctl has ended before it answered ${call.words.join(" ")}`);
    return JSON.parse(value);
  }

  /** Ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close();
    await this.#answers.return?.();
    await this.#child.status;
  }
}
