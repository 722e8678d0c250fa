/** The oldest Node that runs the commands. */
export const OLDEST_NODE = "22.18";

/**
 * The module that each entry point of the package loads first: on a Node that is too old, what comes next would fail with
 * words that say nothing of Node.
 */
export function versionCheck(): string {
  const [major, minor] = OLDEST_NODE.split(".").map(Number);
  return `const found = globalThis.process?.versions?.node;
const [major, minor] = (found ?? "").split(".").map(Number);
const isDeno = globalThis.Deno !== undefined;
if (found !== undefined && !isDeno && (major < ${major} || (major === ${major} && minor < ${minor}))) {
  throw new Error(
    \`Cannot use @platform/ads on Node \${found}: it needs Node ${OLDEST_NODE} or newer. Install Node 24\`,
  );
}
`;
}

/**
 * The file that npm links as a command: it looks at the version of Node before it loads anything that an old one cannot
 * load, keeps Node 22 from calling its SQLite experimental at every start, and keeps compiled modules in a folder of the
 * user, which the next start reads. The folder that Node would take is one of all users. The two hyphens end the options of
 * Node, which would take the command's `--env-file` for its own.
 *
 * @param name What the command is called.
 * @param start JavaScript that runs it.
 */
export function commandFile(name: string, start: string): string {
  const [major, minor] = OLDEST_NODE.split(".");
  return `#!/usr/bin/env -S node --
import module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < ${major} || (major === ${major} && minor < ${minor})) {
  console.error(
    \`Cannot run ${name} on Node \${process.versions.node}: it needs Node ${OLDEST_NODE} or newer. Install Node 24, or run "npx -y node@24 $(command -v ${name})"\`,
  );
  process.exit(1);
}
process.removeAllListeners("warning");
process.on("warning", ({ name, message }) => {
  if (name !== "ExperimentalWarning" || !message.includes("SQLite")) console.error(\`\${name}: \${message}\`);
});
const { NODE_COMPILE_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
const cache = XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), ".cache");
module.enableCompileCache?.(NODE_COMPILE_CACHE || join(cache, "platform-ads", "node"));
${start}
`;
}
