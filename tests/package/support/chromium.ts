import { chromiumPath } from "../../support/chromium_path.ts";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];

/** A headless Chromium that shows one page. */
export class Chromium {
  readonly #child: Deno.ChildProcess;
  readonly #said: Promise<string>;

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.#said = new Response(child.stderr).text();
  }

  /**
   * Opens a page.
   *
   * @param options.dataFolder A new folder for its profile.
   * @throws {Error} when this machine has no Chromium.
   */
  static open(url: string, options: { readonly dataFolder: string }): Chromium {
    const args = [...FLAGS, `--user-data-dir=${options.dataFolder}`, url];
    return new Chromium(
      new Deno.Command(chromiumPath(), { args, stdin: "null", stdout: "null", stderr: "piped" }).spawn(),
    );
  }

  /** Ends it and gives what it said on its standard error. */
  async close(): Promise<string> {
    try {
      this.#child.kill("SIGTERM");
    } catch {
      // It has ended by itself.
    }
    await this.#child.status;
    return await this.#said;
  }
}
