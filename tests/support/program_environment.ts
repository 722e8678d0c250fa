const INHERITED = ["PATH", "DENO_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA", "SYSTEMROOT"];

/** What a program needs of the environment: the path and the cache of modules, which a home of its own has not. */
export async function programEnvironment(): Promise<Record<string, string>> {
  const env = Object.fromEntries(INHERITED.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }));
  env["DENO_DIR"] ??= await denoDir();
  return env;
}

async function denoDir(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  return (JSON.parse(new TextDecoder().decode(stdout)) as { denoDir: string }).denoDir;
}
