import { match, ok } from "../support/assert.ts";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { CASES, EXAMPLES } from "../docs/example_cases.ts";
import { pagesWithCommands } from "../docs/shown_commands.ts";
import { AdsctlProcess, RUNNER } from "../docs/support/adsctl_process.ts";
import { followPage } from "../docs/support/follow_page.ts";
import { MarkdownPage } from "../support/markdown.ts";
import type { Proof, ProofWorld } from "./proof.ts";
import { mcpSession } from "./support/mcp_session.ts";
import { nodeFolder } from "./support/node_runtime.ts";
import { type Project, projectWithTools } from "./support/project.ts";
import { runProgram } from "./support/run_program.ts";

type Runtime = "Node" | "Deno";

const ROOT = new URL("../../", import.meta.url);
/** README_PROOFS follow this page, and compare what it shows. */
const FOLLOWED_ALONE = "README.md";
/**
 * Followed with the tarball on Deno, where most would show nothing of their own: tests/docs/commands_test.ts follows all
 * pages on Deno, Node follows all with the tarball, and another proof loads each of its modules on both. What runtimes
 * do in their own way is on these: programs and pipes, workbooks, SQLite, Parquet, scripts in TypeScript.
 */
const ON_DENO: readonly string[] = [
  "docs/getting_started.md",
  "docs/guides/from_files.md",
  "docs/guides/watch.md",
  "docs/store.md",
];
/** Commands wait for reports at times. */
const PAGES_AT_ONCE = 2;

/** Commands and programs of the pages, run with the installed tarball as a new user runs them. */
export const COMMAND_PROOFS: readonly Proof[] = [
  ...(["Node", "Deno"] as const).flatMap((runtime): Proof[] => [
    {
      name: `every command of ${
        runtime === "Node" ? "the pages" : `${ON_DENO.length} pages`
      } runs with the installed tarball in an empty home, on ${runtime}`,
      run: async (world) => await followPages(runtime, world),
    },
    {
      name: `every configuration of an agent on the pages starts the installed tool server, on ${runtime}`,
      run: async (world) => await startServers(runtime, world),
    },
  ]),
  {
    // On Deno tests/docs/examples_test.ts runs them, and another proof runs the programs of the pages.
    name: "every example runs with the installed tarball in an empty home, on Node",
    run: runExamples,
  },
];

async function followPages(runtime: Runtime, world: ProofWorld): Promise<void> {
  const user = await userOf(runtime, world);
  const all = (await pagesWithCommands(ROOT)).filter(({ path }) =>
    path !== FOLLOWED_ALONE && (runtime === "Node" || ON_DENO.includes(path))
  );
  for (const { path, leftOut } of runtime === "Node" ? all : []) {
    for (const { line, command, reason } of leftOut) {
      console.log(`       not run: ${path}:${line} ${command.split(" \\\n")[0]} (${reason})`);
    }
  }
  const waiting = all.filter(({ commands }) => commands.length > 0);
  ok(runtime === "Node" ? waiting.length > 10 : waiting.length === ON_DENO.length, `${waiting.length} pages`);
  const problems: string[] = [];
  const lane = async (): Promise<void> => {
    const own = await user.emptyHome();
    await using adsctl = new AdsctlProcess({
      command: user.command,
      script: user.script,
      main: user.main,
      env: own.env,
    });
    for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) {
      const { home, work, env } = await user.emptyHome();
      await followPage(page, { folder: work, env, adsctl }).catch((error: Error) =>
        problems.push(error.message)
      );
      await Deno.remove(home, { recursive: true });
    }
  };
  await Promise.all(Array.from({ length: PAGES_AT_ONCE }, lane));
  ok(problems.length === 0, problems.join("\n"));
}

async function runExamples(world: ProofWorld): Promise<void> {
  const user = await userOf("Node", world);
  const { work, env } = await user.emptyHome();
  const examples = join(user.project.folder, "examples");
  await Deno.mkdir(examples);
  for (const file of ["connect.ts", ...Object.keys(CASES)]) {
    await Deno.copyFile(fileURLToPath(new URL(file, EXAMPLES)), join(examples, file));
  }
  for (const [file, { args, says }] of Object.entries(CASES)) {
    const command = [...user.command, join(examples, file), "--demo", ...args];
    const { stdout } = await runProgram(command, { cwd: work, env: { ...env, PLAN_DIR: `${work}/` } });
    match(stdout, says, file);
  }
}

/** Starts the tool server as a client of agents does that has the block of JSON of a page. */
async function startServers(runtime: Runtime, world: ProofWorld): Promise<void> {
  const user = await userOf(runtime, world);
  for (const path of ["README.md", "docs/guides/agents.md"]) {
    const { blocks } = new MarkdownPage(await Deno.readTextFile(new URL(path, ROOT)));
    const texts = blocks.filter(({ info, text }) => info === "json" && text.includes('"mcpServers"'));
    ok(texts.length > 0, `${path} shows no configuration`);
    for (const { text } of texts) {
      const { mcpServers } = JSON.parse(text) as {
        mcpServers: Record<string, { command: string; args?: string[]; env?: Record<string, string> }>;
      };
      for (const { command, args = [], env: own = {} } of Object.values(mcpServers)) {
        const { work, env } = await user.emptyHome();
        const shell = ["sh", "-c", 'exec "$0" "$@"', command, ...args];
        const { tools } = await mcpSession(shell, { cwd: work, env: { ...env, ...own } });
        ok(tools.includes("apply_plan"), `${path}: ${tools.join(" ")}`);
      }
    }
  }
}

/** Somebody who has installed the tarball, and has nothing else. */
interface User {
  readonly project: Project;
  /** The runtime and its options. */
  readonly command: readonly string[];
  /** The script that runs commands of adsctl: in the project, so that Deno finds the packages there. */
  readonly script: string;
  /** Address of the module of adsctl. */
  readonly main: string;
  /** Makes a home with a working folder, and the only variables that its programs get. */
  emptyHome(): Promise<{ home: string; work: string; env: Record<string, string> }>;
}

const users = new Map<Runtime, Promise<User>>();

function userOf(runtime: Runtime, world: ProofWorld): Promise<User> {
  const known = users.get(runtime) ?? makeUser(runtime, world);
  users.set(runtime, known);
  return known;
}

async function makeUser(runtime: Runtime, world: ProofWorld): Promise<User> {
  const project = await projectWithTools(world);
  const installed = join(project.folder, "node_modules", "@platform", "ads");
  const root = join(world.folder, `user_${runtime.toLowerCase()}`);
  const bin = join(root, "bin");
  await Deno.mkdir(bin, { recursive: true });
  const node = join(await nodeFolder("24"), "node");
  const command = runtime === "Node" ? [node, "--no-warnings"] : [Deno.execPath(), "run", "-A", "-q"];
  for (const name of ["adsctl", "platform-ads-mcp"]) {
    const script = `#!/bin/sh\nexec ${command.join(" ")} "${join(installed, "bin", `${name}.js`)}" "$@"\n`;
    await Deno.writeTextFile(join(bin, name), script, { mode: 0o755 });
  }
  const path = [bin, dirname(node), "/usr/local/bin", "/usr/bin", "/bin"].join(":");
  const script = join(project.folder, "adsctl_runner.js");
  await Deno.copyFile(RUNNER, script);
  return {
    project,
    command,
    script,
    main: pathToFileURL(join(installed, "src/interfaces/cli/main.js")).href,
    async emptyHome() {
      const home = await Deno.makeTempDir({ dir: root, prefix: "home_" });
      const work = join(home, "work");
      await Deno.mkdir(work);
      // What is compiled is kept, as it is from the second command on.
      const kept = { XDG_CACHE_HOME: join(root, "cache"), NODE_COMPILE_CACHE: join(root, "compiled") };
      const env = { HOME: home, PATH: path, NO_COLOR: "1", DENO_DIR: join(root, "deno"), ...kept };
      return { home, work, env };
    },
  };
}
