import { delimiter, dirname } from "node:path";
import { runProgram } from "./run_program.ts";

/** The versions of Node that the package promises to run on. */
export const NODE_VERSIONS = ["22", "24"] as const;

/** One of {@linkcode NODE_VERSIONS}. */
export type NodeVersion = typeof NODE_VERSIONS[number];

const folders = new Map<string, Promise<string>>();

/** The folder of that Node's program, fetched by npm when it is not there yet. */
export function nodeFolder(version: NodeVersion | "20"): Promise<string> {
  const known = folders.get(version) ?? findNode(version);
  folders.set(version, known);
  return known;
}

async function findNode(version: NodeVersion | "20"): Promise<string> {
  const ask = ["npx", "-y", `node@${version}`, "-p", "process.version + ' ' + process.execPath"];
  const { stdout } = await runProgram(ask, { cwd: Deno.cwd() });
  const [got, path] = stdout.trim().split(" ");
  if (!got?.startsWith(`v${version}.`)) throw new Error(`Asked for Node ${version}, got "${stdout.trim()}"`);
  return dirname(path!);
}

/** This process's environment, with that Node before all others on the path. */
export async function nodeEnvironment(version: NodeVersion): Promise<Record<string, string>> {
  const { PATH, ...rest } = Deno.env.toObject();
  return {
    ...rest,
    PATH: [await nodeFolder(version), PATH].join(delimiter),
    NO_COLOR: "1",
    // Node 22 calls its SQLite experimental at every start.
    ...(version === "22" ? { NODE_NO_WARNINGS: "1" } : {}),
    NPM_CONFIG_UPDATE_NOTIFIER: "false",
  };
}
