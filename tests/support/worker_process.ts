import type { Credentials } from "../../src/platform/connection/credentials.ts";
import type { Platform } from "../../src/platform/connection/platform.ts";

/** A line of a worker's log. */
export interface LogLine {
  /** What happened. */
  readonly event: string;
  /** Everything else. */
  readonly [field: string]: unknown;
}

/** Whom a worker works for, and on which store. */
export interface WorkerWorld {
  /** Address of the database. */
  readonly address: string;
  /** Where the platform is. */
  readonly platform: Platform;
  /** The login. */
  readonly credentials: Credentials;
  /** Folder for the platform file, and for what all workers of a machine share. */
  readonly folder: string;
}

const CLI = new URL("../../cli.ts", import.meta.url).href;

/** `adsctl auto worker` as a process of its own, its log read as it comes. */
export class WorkerProcess {
  /** Everything it logged so far. */
  readonly log: LogLine[] = [];
  readonly #child: Deno.ChildProcess;
  readonly #reading: Promise<void>;
  readonly #waiting: (() => void)[] = [];
  /** False once it has ended. */
  running = true;
  /** What it printed that is no log line. */
  noise = "";

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.#reading = this.#read();
    child.status.then(() => {
      this.running = false;
      this.#wake();
    });
  }

  /**
   * Starts one.
   *
   * @param program Its program, which is given the same arguments as `adsctl`.
   */
  static async start(
    world: WorkerWorld,
    args: readonly string[] = [],
    program: string = CLI,
  ): Promise<WorkerProcess> {
    const { address, platform, credentials, folder } = world;
    const file = `${folder}/platform-${crypto.randomUUID()}.json`;
    await Deno.writeTextFile(file, JSON.stringify(platform));
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "-q", "--no-check", program, "auto", "worker", "--platform", file, ...args],
      env: {
        PLATFORM_ADS_STORE: address,
        PLATFORM_ADS_CLIENT_ID: credentials.clientId,
        PLATFORM_ADS_CLIENT_SECRET: credentials.clientSecret,
        PLATFORM_ADS_REFRESH_TOKEN: credentials.refreshToken,
        // Where workers of a machine share their pace.
        XDG_STATE_HOME: `${folder}/state`,
        NO_COLOR: "1",
      },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    return new WorkerProcess(child);
  }

  /** Resolves with the first line that fits, also one that came before; fails once the process has ended. */
  async until(fits: (line: LogLine) => boolean): Promise<LogLine> {
    for (;;) {
      const found = this.log.find(fits);
      if (found !== undefined) return found;
      if (!this.running) throw new Error(`The worker ended before: ${this.lastWords}`);
      await new Promise<void>((more) => this.#waiting.push(more));
    }
  }

  /** Its name in the list of workers, where a number follows; known once it has logged something. */
  get name(): string {
    return String(this.log.find(({ worker }) => worker !== undefined)?.["worker"]);
  }

  /** The end of what it printed. */
  get lastWords(): string {
    return [this.noise, ...this.log.slice(-8).map((line) => JSON.stringify(line))].join("\n");
  }

  /** Sends it a signal. */
  kill(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Resolves with its exit code once it has ended. */
  async ended(): Promise<number> {
    const { code } = await this.#child.status;
    await this.#reading;
    return code;
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const text of this.#child.stderr.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        if (line.startsWith("{")) this.log.push(JSON.parse(line));
        else this.noise += line + "\n";
      }
      this.#wake();
    }
  }

  #wake(): void {
    for (const more of this.#waiting.splice(0)) more();
  }
}
