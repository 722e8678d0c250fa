import { deepEqual } from "../../support/assert.ts";
import { join } from "node:path";
import type { ProofWorld } from "../proof.ts";
import { nodeEnvironment, type NodeVersion } from "./node_runtime.ts";
import { runProgram } from "./run_program.ts";

const PROJECT = '{ "private": true, "type": "module" }\n';
/** What some proofs use beside the package. */
const TOOLS = [
  "@duckdb/node-api@1.5.6-r.1",
  "@modelcontextprotocol/client@2.4.0",
  "@types/node@24",
  "aws4fetch@1",
  "bun@1",
  "hyparquet-writer@0.17",
  "nodejs-polars@0.26.1",
  "typescript@5.9",
];

/** A project with the package installed. */
export interface Project {
  /** Its folder. */
  readonly folder: string;
  /** The environment to run programs in, with its Node on the path. */
  readonly env: Record<string, string>;
}

const projects = new Map<NodeVersion, Promise<Project>>();

/** A fresh project with the tarball installed, one for each Node; its home is a folder of its own. */
export function project(version: NodeVersion, world: ProofWorld): Promise<Project> {
  const known = projects.get(version) ?? install(version, world);
  projects.set(version, known);
  return known;
}

let withTools: Promise<Project> | undefined;

/** The project on Node 24, with {@linkcode TOOLS} from then on. */
export function projectWithTools(world: ProofWorld): Promise<Project> {
  withTools ??= project("24", world).then(async ({ folder, env }) => {
    await runProgram(["npm", "install", "--silent", ...TOOLS], { cwd: folder, env });
    return { folder, env };
  });
  return withTools;
}

/** A program that an installation linked, started without npm. */
export function bin(folder: string, name: string): string {
  return join(folder, "node_modules", ".bin", name);
}

async function install(version: NodeVersion, { folder: parent, tarball }: ProofWorld): Promise<Project> {
  const folder = join(parent, `node_${version}`);
  await Deno.mkdir(folder);
  const env = {
    ...await nodeEnvironment(version),
    XDG_STATE_HOME: join(folder, "state"),
    XDG_CACHE_HOME: join(folder, "cache"),
  };
  await Deno.writeTextFile(join(folder, "package.json"), PROJECT);
  await runProgram(["npm", "install", "--no-audit", "--no-fund", "--engine-strict", tarball], {
    cwd: folder,
    env,
  });
  const { stdout } = await runProgram(["npm", "ls", "--json"], { cwd: folder, env });
  const { dependencies } = JSON.parse(stdout) as { dependencies: Record<string, unknown> };
  deepEqual(Object.keys(dependencies), ["@platform/ads"]);
  return { folder, env };
}
