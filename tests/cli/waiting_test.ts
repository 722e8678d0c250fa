import assert from "node:assert/strict";
import { runCli } from "./support/run_cli.ts";

const ENV = {
  PLATFORM_ADS_BASE_URL_NA: "http://127.0.0.1:9/na",
  PLATFORM_ADS_BASE_URL_FE: "http://127.0.0.1:9/fe",
  PLATFORM_ADS_TOKEN_URL: "http://127.0.0.1:9/token",
  PLATFORM_ADS_CLIENT_ID: "client",
  PLATFORM_ADS_CLIENT_SECRET: "a-long-secret",
  PLATFORM_ADS_REFRESH_TOKEN: "a-long-token",
};

/** A platform whose one region answers, and whose other does what a test says. */
function platform(farEast: (attempt: number) => Response): { fetch: typeof fetch; attempts: () => number } {
  let attempts = 0;
  const answer = (url: string): Response => {
    if (url.endsWith("/token")) return Response.json({ access_token: "t", expires_in: 3600 });
    if (url.endsWith("/fe/v2/profiles")) return farEast(++attempts);
    if (url.endsWith("/na/v2/profiles")) return Response.json([{ profileId: 1, countryCode: "US" }]);
    return Response.json({ campaigns: [] });
  };
  const fetch = ((url: string) => new Promise((resolve) => resolve(answer(url)))) as typeof globalThis.fetch;
  return { fetch, attempts: () => attempts };
}

function unreachable(): never {
  throw new TypeError("error sending request: client error (Connect): tcp connect error");
}

Deno.test("a long wait is told on stderr with its reason, a short one is not, and --quiet tells none", async () => {
  const busy = (seconds: number) =>
    platform((attempt) =>
      attempt === 1
        ? new Response("{}", { status: 503, headers: { "retry-after": String(seconds) } })
        : Response.json([])
    );
  const told = await runCli("auth profiles", { env: ENV, fetch: busy(7).fetch });
  assert.equal(told.code, 0);
  assert.equal(
    told.stderr,
    "Waiting 7 s to try GET http://127.0.0.1:9/fe/v2/profiles again: the response was 503. Ctrl-C ends it\n",
  );
  assert.equal((await runCli("auth profiles", { env: ENV, fetch: busy(4).fetch })).stderr, "");
  assert.equal((await runCli("auth profiles -q", { env: ENV, fetch: busy(7).fetch })).stderr, "");
});

Deno.test("a region that cannot be reached is given up sooner by those who only look, and told", async () => {
  for (const [command, attempts, code] of [["auth doctor", 3, 1], ["profiles", 5, 3]] as const) {
    const world = platform(unreachable);
    const run = await runCli(command, { env: ENV, fetch: world.fetch });
    assert.equal(run.code, code, run.stderr);
    assert.equal(world.attempts(), attempts, command);
    assert.match(run.stdout + run.stderr, /FE.*the connection could not be made/);
  }
});

Deno.test("a market is read without asking a region that cannot be reached", async () => {
  const world = platform(unreachable);
  const { code } = await runCli("list campaigns -m US", { env: ENV, fetch: world.fetch });
  assert.equal(code, 0);
  assert.equal(world.attempts(), 0);
});
