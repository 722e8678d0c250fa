import { join } from "node:path";
import type { ProofWorld } from "../proof.ts";
import { nodeFolder } from "./node_runtime.ts";
import { runProgram } from "./run_program.ts";

/** Beside Node and npm, what any machine has: a shell, the core utilities, git. Not Deno, not a browser, not Python. */
const TOOLS = (
  "awk basename bash cat chmod chown cp cut date dirname echo env expr false git grep gzip " +
  "head id kill ln ls mkdir mktemp mv printf ps pwd readlink realpath rm rmdir runuser script " +
  "sed sh sleep sort stat stty tail tar tee test timeout touch tr true tty uname uniq wc " +
  "which xargs"
).split(" ");
/** How this network is reached, which no machine can do without. */
const NETWORK = /^(https?_proxy|no_proxy|npm_config_registry|node_extra_ca_certs|ssl_cert_file|deno_cert)$/i;

/** As good as a new machine: Node 24 and npm on the path, an empty home, none of this process's variables. */
export class BareMachine {
  /** Its only environment. */
  readonly env: Readonly<Record<string, string>>;
  /** A clone of this repository's last commit. */
  readonly clone: string;
  /** A folder to work in. */
  readonly work: string;
  readonly #bin: string;
  readonly #log: string;

  private constructor(paths: { root: string; bin: string; log: string }) {
    const network = Object.entries(Deno.env.toObject()).filter(([name]) => NETWORK.test(name));
    this.env = {
      ...Object.fromEntries(network),
      PATH: paths.bin,
      HOME: join(paths.root, "home"),
      NPM_CONFIG_PREFIX: paths.root,
      // News of npm itself, and colours, are no part of what the page shows.
      NPM_CONFIG_UPDATE_NOTIFIER: "false",
      NO_COLOR: "1",
    };
    this.clone = join(paths.root, "clone");
    this.work = join(paths.root, "work");
    this.#bin = paths.bin;
    this.#log = paths.log;
  }

  /**
   * Sets one up.
   *
   * @param name Names its folder and its log.
   */
  static async create(name: string, world: ProofWorld): Promise<BareMachine> {
    const root = join(world.folder, `machine_${name}`);
    const bin = join(root, "bin");
    const machine = new BareMachine({ root, bin, log: join(world.logFolder, `readme_${name}.log`) });
    for (const folder of [bin, machine.work, machine.env["HOME"]!]) {
      await Deno.mkdir(folder, { recursive: true });
    }
    for (const [tool, path] of await toolPaths()) await Deno.symlink(path, join(bin, tool));
    await Deno.writeTextFile(machine.#log, "");
    const source = join(import.meta.dirname!, "..", "..", "..");
    await runProgram(["git", "clone", "--quiet", source, machine.clone], { cwd: root });
    await machine.run("node --version; npm --version; ls -A ~", machine.work);
    return machine;
  }

  /** Makes a command that stands for a longer one. */
  async alias(name: string, longer: string): Promise<void> {
    await Deno.writeTextFile(join(this.#bin, name), `#!/bin/sh\nexec ${longer} "$@"\n`, { mode: 0o755 });
  }

  /**
   * Runs a line as its user would type it and logs what comes.
   *
   * @param timeout Seconds. @default 1200
   * @returns Both outputs, in the order in which they came.
   * @throws {Error} when it does not end with 0, with what it printed.
   */
  async run(line: string, cwd: string, timeout = 1200): Promise<string> {
    await this.#keep(`$ ${line}\n`);
    try {
      const shell = ["bash", "-c", `exec 2>&1; ${line}`];
      const { stdout } = await runProgram(shell, { cwd, env: this.env, timeout });
      await this.#keep(stdout);
      return stdout;
    } catch (error) {
      await this.#keep(`${(error as Error).message}\n`);
      throw error;
    }
  }

  async #keep(text: string): Promise<void> {
    await Deno.writeTextFile(this.#log, text, { append: true });
  }
}

async function toolPaths(): Promise<Map<string, string>> {
  const found = new Map([["node", join(await nodeFolder("24"), "node")]]);
  const places = (Deno.env.get("PATH") ?? "").split(":");
  for (const tool of [...TOOLS, "npm", "npx"]) {
    for (const place of places) {
      const path = join(place, tool);
      if (!await Deno.stat(path).then(() => true, () => false)) continue;
      found.set(tool, path);
      break;
    }
  }
  return found;
}
