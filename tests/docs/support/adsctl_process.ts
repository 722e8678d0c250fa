import { fileURLToPath } from "node:url";
import { linesIn } from "../../../src/base/text/lines_in.ts";
import type { CliRun } from "../../cli/support/run_cli.ts";

/** A command for an {@linkcode AdsctlProcess}. */
export interface AdsctlCall {
  /** Words after "adsctl". */
  readonly words: readonly string[];
  /** The working folder. */
  readonly folder: string;
  /** All environment variables that it sees. */
  readonly env: Readonly<Record<string, string>>;
}

/** A process that runs commands of adsctl one after the other, without a start for each. */
export class AdsctlProcess implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #answers: AsyncIterator<string>;

  constructor() {
    this.#child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "-q", "--no-check", fileURLToPath(new URL("adsctl_runner.ts", import.meta.url))],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#answers = linesIn(this.#child.stdout)[Symbol.asyncIterator]();
  }

  /** Runs a command and tells what it did. */
  async run(call: AdsctlCall): Promise<CliRun> {
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
