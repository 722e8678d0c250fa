/** How Node 24 is run on this machine: by `node` itself or through npm; `undefined` where it cannot be. */
export async function node24(): Promise<readonly string[] | undefined> {
  for (const command of [["node"], ["npx", "-y", "node@24"]]) {
    const [program, ...args] = command;
    try {
      const { stdout } = await new Deno.Command(program!, { args: [...args, "--version"], stderr: "null" })
        .output();
      if (/^v24\./.test(new TextDecoder().decode(stdout))) return command;
    } catch {
      // The next way may work.
    }
  }
  return undefined;
}
