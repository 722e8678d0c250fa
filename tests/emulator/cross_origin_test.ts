import { equal, match } from "../support/assert.ts";
import { Emulator } from "../../src/emulator/mod.ts";

const PAGE = "http://127.0.0.1:8080";

function preflight(emulator: Emulator, origin: string): Promise<Response> {
  return fetch(emulator.platform.regions.NA!.baseUrl + "/v2/profiles", {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "GET",
      "access-control-request-headers": "authorization",
    },
  });
}

async function settings(emulator: Emulator, origin: string): Promise<Response> {
  const answer = await fetch(`${emulator.url}/_emulator/settings`, { headers: { origin } });
  await answer.json();
  return answer;
}

Deno.test("a page of an allowed origin may ask and read; the question itself is not in the journal", async () => {
  const emulator = await Emulator.start({ allowOrigins: [PAGE] });
  try {
    const asked = await preflight(emulator, PAGE);
    equal(asked.status, 204);
    equal(asked.headers.get("access-control-allow-origin"), PAGE);
    equal(asked.headers.get("access-control-allow-methods"), "GET");
    equal(asked.headers.get("access-control-allow-headers"), "authorization");
    equal(emulator.requests().length, 0);
    equal((await settings(emulator, PAGE)).headers.get("access-control-allow-origin"), PAGE);
  } finally {
    await emulator.stop();
  }
});

Deno.test("a page that is not allowed changes nothing, though browsers send its request", async () => {
  const emulator = await Emulator.start({
    allowOrigins: [PAGE],
    clock: { now: "2026-09-30T12:00:00Z", frozen: true },
  });
  const advance = async (origin: string): Promise<string> => {
    // Such a request needs no preflight.
    const headers = { origin, "content-type": "text/plain" };
    const answer = await fetch(`${emulator.url}/_emulator/clock`, {
      method: "POST",
      headers,
      body: '{"advance": 60}',
    });
    return `${answer.status} ${(await answer.json()).message ?? ""}`;
  };
  try {
    match(
      await advance("http://elsewhere.test"),
      /^403 Cannot respond to web pages of "http:\/\/elsewhere.test"\. Start the emulator with "allowOrigins"/,
    );
    equal(emulator.clock.iso(), "2026-09-30T12:00:00.000Z");
    match(await advance(PAGE), /^200/);
    equal(emulator.clock.iso(), "2026-09-30T12:01:00.000Z");
  } finally {
    await emulator.stop();
  }
});

Deno.test("no other page may, and none at all unless it was said", async () => {
  for (const allowOrigins of [[PAGE], []]) {
    const emulator = await Emulator.start({ allowOrigins });
    try {
      const other = "http://127.0.0.1:9090";
      const asked = await preflight(emulator, other);
      await asked.body?.cancel();
      equal(asked.headers.get("access-control-allow-origin"), null);
      equal((await settings(emulator, other)).headers.get("access-control-allow-origin"), null);
    } finally {
      await emulator.stop();
    }
  }
});
