import { equal, match } from "../support/assert.ts";
import { connect } from "node:net";
import { Caller } from "./caller.ts";
import { long } from "../support/long.ts";

const KEYWORDS = "application/vnd.spKeyword.v3+json";

/** Sends text as it is and gives back everything that came until the connection closed. */
function send(caller: Caller, text: string): Promise<string> {
  return new Promise((done) => {
    let received = "";
    const socket = connect(Number(new URL(caller.emulator.url).port), "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => received += chunk);
    socket.on("error", () => {});
    socket.on("close", () => done(received));
  });
}

async function stillServes(caller: Caller): Promise<void> {
  equal((await caller.call("GET", "/v2/profiles")).status, 200);
}

long();
Deno.test("a body of 50 MB is refused with 413 and the emulator goes on", async () => {
  await using caller = await Caller.start();
  const raw = new Uint8Array(50 * 1024 * 1024).fill(0x20);
  const answer = await caller.call("POST", "/sp/keywords/list", undefined, { raw, type: KEYWORDS });
  equal(answer.status, 413);
  equal(answer.json.code, "PAYLOAD_TOO_LARGE");
  await stillServes(caller);
});

Deno.test("ten thousand headers are refused with 431", async () => {
  await using caller = await Caller.start();
  const headers = Array.from({ length: 10_000 }, (_, index) => `x-header-${index}: value\r\n`).join("");
  match(await send(caller, `GET /na/v2/profiles HTTP/1.1\r\nhost: x\r\n${headers}\r\n`), /^HTTP\/1\.1 431 /);
  await stillServes(caller);
});

const RAW: readonly [what: string, text: string, answer: RegExp][] = [
  ["garbage", "\x00\x01\x02\r\n\r\n", /^HTTP\/1\.1 400 /],
  [
    "a length that is no number",
    "POST /na/sp/keywords HTTP/1.1\r\nhost: x\r\ncontent-length: abc\r\n\r\n",
    /^HTTP\/1\.1 400 /,
  ],
  [
    "path traversal",
    "GET /na/../../etc/passwd HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    /^HTTP\/1\.1 401 /,
  ],
  [
    "path traversal out of the root",
    "GET /../../etc/passwd HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    /^HTTP\/1\.1 404 /,
  ],
  [
    "an unknown region",
    "GET /mars/v2/profiles HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    /^HTTP\/1\.1 404 /,
  ],
  [
    "a region named like a method of objects",
    "GET /constructor/x HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    /^HTTP\/1\.1 404 /,
  ],
  [
    "a broken escape",
    "GET /na/v2/profiles/%E0%A4%A HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    /^HTTP\/1\.1 401 /,
  ],
  [
    "an address in place of a path",
    "GET http://x/_emulator/clock HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    /^HTTP\/1\.1 200 /,
  ],
  ["HEAD", "HEAD /_emulator/settings HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", /^HTTP\/1\.1 405 /],
];

for (const [what, text, answer] of RAW) {
  Deno.test(`${what} gets an answer and does no harm`, async () => {
    await using caller = await Caller.start();
    match(await send(caller, text), answer);
    await stillServes(caller);
  });
}

Deno.test("encoded traversal in a placeholder is an unserved path", async () => {
  await using caller = await Caller.start();
  for (const id of ["%2e%2e", "..", "", "%2e"]) {
    equal((await caller.call("GET", `/v2/profiles/${id}/`, undefined, { profile: null })).status, 403);
  }
  equal((await caller.call("GET", "/v2/profiles/..%2f..%2fetc", undefined, { profile: null })).status, 404);
});

long();
Deno.test("JSON nested a million levels deep is refused and does not crash", async () => {
  await using caller = await Caller.start();
  const raw = `{"keywords":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`;
  const answer = await caller.call("POST", "/sp/keywords", undefined, { raw, type: KEYWORDS });
  equal(answer.status, 400);
  const bigNumber = `{"keywords":${"[".repeat(1_000_000)}12345678901234567890${"]".repeat(1_000_000)}}`;
  equal(
    (await caller.call("POST", "/sp/keywords", undefined, { raw: bigNumber, type: KEYWORDS })).status,
    400,
  );
  await stillServes(caller);
});

Deno.test("a caller that goes away in the middle of its body does no harm", async () => {
  await using caller = await Caller.start();
  const port = Number(new URL(caller.emulator.url).port);
  await new Promise<void>((done) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write("POST /na/sp/keywords HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nhalf", () => {
        socket.destroy();
        done();
      });
    });
  });
  await stillServes(caller);
});
