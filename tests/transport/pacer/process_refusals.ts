import { equal, ok } from "../../support/assert.ts";

const RUNNER = new URL("./process_runner.ts", import.meta.url).href;
const LIMIT = 20;
/** Requests of all processes together. */
const REQUESTS = 60;

/**
 * Four processes that share their pace have all their work done, and are refused about as often as one.
 *
 * @param place Makes the path of a file, or the address of a database.
 */
export async function sharePace(place: () => Promise<string>): Promise<void> {
  const one = await processRefusals(1, await place());
  const four = await processRefusals(4, await place());
  equal(one.passed, REQUESTS);
  equal(four.passed, REQUESTS);
  // Both are in real time. Without a pace all requests would leave at once, and forty of them be refused.
  ok(four.refused <= one.refused + 20, `${four.refused} of four, ${one.refused} of one`);
}

/**
 * How often a platform of 20 requests a second refuses those of some processes on real sockets, in real time.
 *
 * @param place Path of a file, or address of a database.
 */
async function processRefusals(
  processes: number,
  place: string,
): Promise<{ refused: number; passed: number }> {
  const seen = { refused: 0, passed: 0 };
  // However long each takes to start, they begin at once.
  const all = Promise.withResolvers<void>();
  let ready = 0;
  let recent: number[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    if (new URL(request.url).pathname === "/token") {
      if (++ready === processes) all.resolve();
      await all.promise;
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
    all.resolve();
    await server.shutdown();
  }
  return seen;
}
