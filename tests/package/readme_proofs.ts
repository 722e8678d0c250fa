import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { basename, join } from "node:path";
import { type CodeBlock, MarkdownPage } from "../support/markdown.ts";
import type { Proof, ProofWorld } from "./proof.ts";
import { BareMachine } from "./support/bare_machine.ts";
import { mcpSession } from "./support/mcp_session.ts";

type Runtime = "Node" | "Deno";

const README = join(import.meta.dirname!, "..", "..", "README.md");
const DENO = "npx -y deno@2.9.6";
const PLAN_ID = /\b\d{8}-\d{6}-[0-9a-f]{8}\b/g;
/** The gate runs the whole suite by the same command; a bare machine shows that the command works there. */
const SOME_TESTS = "tests/base";
const INSTALLING_SECONDS = 600;

/** The README followed block by block on machines with Node and npm alone: on Deno from a clone, on Node from npm. */
export const README_PROOFS: readonly Proof[] = readmeProofs(await Deno.readTextFile(README));

function readmeProofs(text: string): Proof[] {
  const { blocks } = new MarkdownPage(text);
  const others = blocks.filter((block) => !isInstallation(block) && !isClone(block));
  // Whoever follows the page sets up first, by npm or from a clone.
  return [
    ...blocks.filter(isInstallation).map((block) => followed(block, "Node")),
    ...others.map((block) => followed(block, "Node")),
    ...blocks.filter(isClone).map((block) => followed(block, "Deno")),
    ...others.map((block) => followed(block, "Deno")),
  ];
}

function isInstallation(block: CodeBlock): boolean {
  return block.info === "sh" && block.text.includes("npm install");
}

function isClone(block: CodeBlock): boolean {
  return block.info === "sh" && block.text.includes(DENO);
}

function followed(block: CodeBlock, runtime: Runtime): Proof {
  return {
    name:
      `the README's ${block.info} block at line ${block.line} does what it shows on a bare machine, with ${runtime}`,
    run: async (world) => await follow(block, { runtime, machine: await machineFor(runtime, world) }),
  };
}

async function follow(block: CodeBlock, at: { runtime: Runtime; machine: BareMachine }): Promise<void> {
  if (block.info === "sh") return await followShell(block, at.machine, at.runtime);
  if (block.info === "text" && block.text.startsWith("$ ")) return await followSession(block, at.machine);
  if (block.info === "ts") return await followProgram(block, at.machine, at.runtime);
  if (block.info === "json" && "mcpServers" in JSON.parse(block.text)) {
    return await followMcp(block, at.machine);
  }
  throw new Error(
    `Cannot follow the block: "${block.info}" is none of sh, ts, a session, an MCP block. Say how here`,
  );
}

async function followShell({ text }: CodeBlock, machine: BareMachine, runtime: Runtime): Promise<void> {
  const folder = runtime === "Deno" ? machine.clone : machine.work;
  for (const line of text.trimEnd().split("\n")) {
    await machine.run(line.replace(/ task test\b/, `$& ${SOME_TESTS}`), folder, INSTALLING_SECONDS);
  }
}

/** Types every line after a `$` and compares what comes with what the page shows. */
async function followSession({ text }: CodeBlock, machine: BareMachine): Promise<void> {
  for (const step of text.split(/^\$ /m).slice(1)) {
    const [line, ...shown] = step.split("\n") as [string, ...string[]];
    const expected = shown.join("\n");
    const file = /^cat (\S+)$/.exec(line)?.[1];
    if (file !== undefined) await Deno.writeTextFile(join(machine.work, file), expected);
    const printed = await machine.run(failing(line), machine.work);
    const same = printed.replace(PLAN_ID, "ID") === expected.replace(PLAN_ID, "ID");
    ok(same, `"${line}" printed\n${printed}\nand the page shows\n${expected}`);
  }
}

/** The session shows a refused item, which is an exit code of its own. */
function failing(line: string): string {
  return `${line} || [ $? = 3 ]`;
}

async function followProgram({ text }: CodeBlock, machine: BareMachine, runtime: Runtime): Promise<void> {
  const folder = runtime === "Deno" ? machine.clone : machine.work;
  await Deno.writeTextFile(join(folder, "snippet.ts"), text);
  const command = runtime === "Deno" ? `${DENO} run -A -q snippet.ts` : "node --no-warnings snippet.ts";
  match(await machine.run(command, folder), /3 succeeded, 0 failed/);
}

async function followMcp({ text }: CodeBlock, machine: BareMachine): Promise<void> {
  const { mcpServers } = JSON.parse(text) as {
    mcpServers: Record<string, { command: string; args?: string[]; env?: Record<string, string> }>;
  };
  const servers = Object.values(mcpServers);
  equal(servers.length, 1);
  const { command, args = [], env = {} } = servers[0]!;
  // A client finds the program as a shell does.
  const { tools, profiles } = await mcpSession(["sh", "-c", 'exec "$0" "$@"', command, ...args], {
    cwd: machine.work,
    env: { ...machine.env, ...env },
  });
  ok(tools.includes("plan_update") && tools.includes("apply_plan"), tools.join(" "));
  equal(profiles, 8);
}

const machines = new Map<Runtime, Promise<BareMachine>>();

function machineFor(runtime: Runtime, world: ProofWorld): Promise<BareMachine> {
  const known = machines.get(runtime) ?? setUp(runtime, world);
  machines.set(runtime, known);
  return known;
}

async function setUp(runtime: Runtime, world: ProofWorld): Promise<BareMachine> {
  const machine = await BareMachine.create(runtime.toLowerCase(), world);
  deepEqual([...Deno.readDirSync(machine.env["HOME"]!)].map(({ name }) => name), [], "the home is empty");
  if (runtime === "Node") await Deno.copyFile(world.tarball, join(machine.work, basename(world.tarball)));
  else {
    await machine.alias("adsctl", `${DENO} run -A -q ${machine.clone}/cli.ts`);
    await machine.alias("platform-ads-mcp", `${DENO} run -A -q ${machine.clone}/mcp.ts`);
  }
  return machine;
}
