/** Set to `1`, npm fetches a version of Node that is not on this machine: about 170 MB each. */
const FETCH = "TEST_FETCH_NODE";

/**
 * How a version of Node is started here: by `node` itself, or through npm where npm has that version already or
 * `TEST_FETCH_NODE=1` lets it be fetched. `undefined`, with a printed reason, where it cannot.
 */
export async function nodeProgram(version: "22" | "24"): Promise<readonly string[] | undefined> {
  const name = `node@${version}`;
  const ways = [["node"], ["npx", "--offline", "-y", name]];
  if (Deno.env.get(FETCH) === "1") ways.push(["npx", "-y", name]);
  for (const way of ways) {
    if (await printedVersion(way).catch(() => undefined) === version) return way;
  }
  console.log(`Not tried on Node ${version}, which is not on this machine: ${FETCH}=1 lets npm fetch it`);
  return undefined;
}

async function printedVersion([program, ...args]: readonly string[]): Promise<string | undefined> {
  const command = new Deno.Command(program!, { args: [...args, "--version"], stdin: "null", stderr: "null" });
  return /^v(\d+)\./.exec(new TextDecoder().decode((await command.output()).stdout))?.[1];
}
