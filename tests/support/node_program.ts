/** Set to `1`, npm fetches a version of Node that is not on this machine: about 170 MB each. */
const FETCH = "TEST_FETCH_NODE";

/** Begins the variable with the path of a version, or nothing where there is none: all isolates of a run look once. */
const FOUND = "PLATFORM_ADS_TEST_NODE_";

/**
 * Path of a version of Node: that of `node` itself, or the one which npm has already or `TEST_FETCH_NODE=1` lets it
 * fetch. `undefined`, with a printed reason, where there is none. Starting through npm costs two seconds each time.
 */
export async function nodeProgram(version: "22" | "24"): Promise<string | undefined> {
  let path = Deno.env.get(FOUND + version);
  if (path === undefined) {
    path = await findNode(version) ?? "";
    Deno.env.set(FOUND + version, path);
  }
  if (path !== "") return path;
  console.log(`Not tried on Node ${version}, which is not on this machine: ${FETCH}=1 lets npm fetch it`);
  return undefined;
}

async function findNode(version: string): Promise<string | undefined> {
  const name = `node@${version}`;
  const ways = [["node"], ["npx", "--offline", "-y", name]];
  if (Deno.env.get(FETCH) === "1") ways.push(["npx", "-y", name]);
  for (const way of ways) {
    const [printed, path] = await versionAndPath(way).catch(() => []);
    if (printed?.startsWith(`v${version}.`)) return path;
  }
  return undefined;
}

async function versionAndPath([program, ...args]: readonly string[]): Promise<readonly string[]> {
  const command = new Deno.Command(program!, {
    args: [...args, "-p", "process.version + ' ' + process.execPath"],
    stdin: "null",
    stderr: "null",
  });
  return new TextDecoder().decode((await command.output()).stdout).trim().split(/ (.*)/);
}
