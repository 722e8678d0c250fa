/** Starts a process that serves so many keywords; see `keyword_server.ts`. */
export async function startKeywordServer(
  keywords: number,
  perPage: number,
): Promise<AsyncDisposable & { url: string }> {
  const script = new URL("keyword_server.ts", import.meta.url).href;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "-A", script, String(keywords), String(perPage)],
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
