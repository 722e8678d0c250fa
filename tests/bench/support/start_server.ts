/** Starts a process of this folder that serves something on loopback and prints its address. */
export async function startServer(
  file: string,
  args: readonly number[],
): Promise<AsyncDisposable & { url: string }> {
  const script = new URL(file, import.meta.url).href;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "-A", script, ...args.map(String)],
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  let url = "";
  while (!url.endsWith("\n")) url += new TextDecoder().decode((await reader.read()).value);
  return {
    url: url.trim(),
    [Symbol.asyncDispose]: async () => {
      await reader.cancel();
      child.kill();
      await child.status;
    },
  };
}
