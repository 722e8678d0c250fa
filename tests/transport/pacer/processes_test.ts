import { equal, ok } from "node:assert/strict";
import { temporaryFolder } from "../../support/temporary_folder.ts";

const RUNNER = new URL("./process_runner.ts", import.meta.url).href;
const LIMIT = 20;
const REQUESTS = 60;

/** How often a platform of 20 requests a second refuses those of some processes on real sockets, in real time. */
async function refusals(processes: number): Promise<{ refused: number; passed: number }> {
  await using folder = await temporaryFolder();
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
          `${folder.path}/pace.json`,
          String(REQUESTS / processes),
        ],
        stdin: "null",
        stdout: "null",
        stderr: "inherit",
      }).output()));
    for (const { code } of runs) equal(code, 0);
  } finally {
    await server.shutdown();
  }
  return seen;
}

Deno.test("four processes that name one file are refused about as often as one, and all of their work is done", async () => {
  const one = await refusals(1);
  const four = await refusals(4);
  equal(one.passed, REQUESTS);
  equal(four.passed, REQUESTS);
  // Without sharing, each of the four would have its own first burst of sixteen.
  ok(four.refused <= one.refused + 6, `${four.refused} of four, ${one.refused} of one`);
});
