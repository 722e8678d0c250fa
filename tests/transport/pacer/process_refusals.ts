import { equal } from "../../support/assert.ts";

const RUNNER = new URL("./process_runner.ts", import.meta.url).href;
const LIMIT = 20;
/** Requests of all processes together. */
export const REQUESTS = 60;

/**
 * How often a platform of 20 requests a second refuses those of some processes on real sockets, in real time.
 *
 * @param place Path of a file, or address of a database.
 */
export async function processRefusals(
  processes: number,
  place: string,
): Promise<{ refused: number; passed: number }> {
  const seen = { refused: 0, passed: 0 };
  let recent: number[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    if (new URL(request.url).pathname === "/token") {
      return Response.json({ access_token: "token", expires_in: 3600 });
    }
    const now = performance.now();
    recent = recent.filter((time) => time > now - 1000);
    if (recent.length >= LIMIT) {
      seen.refused++;
      return new Response("", { status: 429, headers: { "retry-after": "1" } });
    }
    recent.push(now);
    seen.passed++;
    return Response.json({});
  });
  try {
    const url = `http://127.0.0.1:${server.addr.port}`;
    const runs = await Promise.all(Array.from({ length: processes }, () =>
      new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "-A",
          "-q",
          "--no-check",
          RUNNER,
          url,
          place,
          String(REQUESTS / processes),
        ],
        stdin: "null",
        stdout: "null",
        stderr: "piped",
      }).output()));
    for (const { code, stderr } of runs) equal(code, 0, new TextDecoder().decode(stderr));
  } finally {
    await server.shutdown();
  }
  return seen;
}
