import { deepEqual, equal, ok } from "../../support/assert.ts";
import { PassThrough } from "node:stream";
import { httpSettings } from "../../../src/interfaces/mcp/context/http_settings.ts";
import { mcpHttpHandler } from "../../../src/interfaces/mcp/http/mcp_http_handler.ts";
import { serveOverStdio } from "../../../src/interfaces/mcp/serve_stdio.ts";
import { World } from "../../mcp/support/world.ts";
import { SeededRandom } from "../../support/seeded_random.ts";
import { amount, SEED } from "../support/size.ts";
import { fuzzedMessage } from "./fuzzed_message.ts";
import { long } from "../../support/long.ts";

const MESSAGES = amount(150, 5_000);
/** What only a mistake of the server itself makes it say. */
const INTERNAL =
  /"code":-32603|Internal error|Cannot read propert|is not a function|is not iterable|is not defined|Maximum call stack|\[object Object\]|Unexpected end of/;

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "fuzz", version: "1" } },
};
const CALL = {
  jsonrpc: "2.0",
  id: "last",
  method: "tools/call",
  params: { name: "list_profiles", arguments: {} },
};

/** Text of a response; a stream that listens for good is left after its first piece. */
async function textOf(response: Response): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const late = Promise.withResolvers<{ done: true; value: undefined }>();
  const timer = setTimeout(() => late.resolve({ done: true, value: undefined }), 5_000);
  for (;;) {
    const { done, value } = await Promise.race([reader.read(), late.promise]);
    if (done) break;
    text += value;
    if (text.includes("subscriptions/acknowledged")) break;
  }
  clearTimeout(timer);
  await reader.cancel();
  return text;
}

Deno.test(`${MESSAGES} fuzzed messages over HTTP, in and out of sessions, meet no internal error`, async () => {
  await using world = await World.start({ quirks: { reportSeconds: 0 } });
  const context = world.context({ toolsets: undefined });
  const handler = mcpHttpHandler(context, httpSettings("3911", { token: undefined, hosts: [], origins: [] }));
  const random = new SeededRandom(SEED);
  const post = async (body: string, more: Record<string, string> = {}): Promise<[Response, string]> => {
    const headers = {
      "host": "127.0.0.1:3911",
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
      ...more,
    };
    const request = new Request("http://127.0.0.1:3911/mcp", { method: "POST", headers, body });
    const response = await handler.fetch(request);
    return [response, await textOf(response)];
  };
  const begin = async (): Promise<string> => {
    const [response] = await post(JSON.stringify(INITIALIZE));
    return response.headers.get("mcp-session-id")!;
  };
  let session = await begin();
  const wrong: string[] = [];
  for (let id = 2; id < MESSAGES + 2; id++) {
    const body = fuzzedMessage(random, id);
    const headers: Record<string, string> = {};
    const way = random.next();
    if (way < 0.6) headers["mcp-session-id"] = session;
    else if (way < 0.9) {
      headers["mcp-protocol-version"] = random.pick(["2026-07-28", "2026-07-28", "2025-11-25", "x"]);
      headers["mcp-method"] = /"method":"([^"\\]+)"/.exec(body)?.[1]?.replace(/[^\x20-\x7e]/g, "") ??
        "tools/call";
      headers["mcp-name"] = /"name":"([^"\\]+)"/.exec(body)?.[1]?.replace(/[^\x20-\x7e]/g, "").slice(0, 99) ??
        "x";
    }
    if (random.next() < 0.02) {
      headers["content-type"] = random.pick(["text/plain", "application/json; charset=x"]);
    }
    if (random.next() < 0.02) headers["accept"] = "text/html";
    const enveloped = way < 0.9 && way >= 0.6 && random.next() < 0.7 ? withEnvelope(body) : body;
    const [response, text] = await post(enveloped, headers);
    if (response.status >= 500 || INTERNAL.test(text)) {
      wrong.push(`${response.status} ${enveloped.slice(0, 400)} -> ${text.slice(0, 400)}`);
    }
    if (response.status === 404 && way < 0.6) session = await begin();
  }
  deepEqual(wrong, []);
  deepEqual(world.writes(), []);
  const [, last] = await post(JSON.stringify(CALL), { "mcp-session-id": await begin() });
  ok(last.includes('"id":"last"') && last.includes("US"), last);
  await handler.close();
  await context.stop();
});

/** The message with the fields that a request of the current revision must have. */
function withEnvelope(body: string): string {
  try {
    const message = JSON.parse(body);
    if (typeof message?.params !== "object" || message.params === null) return body;
    message.params._meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      ...(typeof message.params._meta === "object" ? message.params._meta : {}),
    };
    return JSON.stringify(message);
  } catch {
    return body;
  }
}

long();
Deno.test(`${MESSAGES} fuzzed messages over stdio, before and after initialize, meet no internal error`, async () => {
  await using world = await World.start({ quirks: { reportSeconds: 0 } });
  const random = new SeededRandom(SEED + 1);
  const context = world.context({ toolsets: undefined });
  const wrong: string[] = [];
  let sent = 0;
  // A line that is too long ends the connection, as documented: the next begins anew.
  while (sent < MESSAGES) {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const stopping = new AbortController();
    const served = serveOverStdio(world.context({ toolsets: undefined }), { stdin, stdout }, {
      stopped: stopping.signal,
    });
    let last = "";
    const answered = Promise.withResolvers<void>();
    let open = "";
    stdout.setEncoding("utf8");
    stdout.on("data", (chunk: string) => {
      const lines = (open + chunk).split("\n");
      open = lines.pop()!;
      for (const line of lines) {
        if (JSON.parse(line).jsonrpc !== "2.0" || INTERNAL.test(line)) wrong.push(line.slice(0, 600));
        if (line.includes('"id":"last"')) {
          last = line;
          answered.resolve();
        }
      }
    });
    const count = Math.min(250, MESSAGES - sent);
    const begins = random.integer(0, 5);
    for (let id = 2; id < count + 2; id++) {
      if (id - 2 === begins) stdin.write(JSON.stringify(INITIALIZE) + "\n");
      const text = fuzzedMessage(random, id).replaceAll("\n", " ");
      stdin.write((text.length > 1_000_000 ? text.slice(0, 1_000_000) : text) + "\n");
      await new Promise((done) => setTimeout(done, 0));
    }
    sent += count;
    stdin.write(JSON.stringify(CALL) + "\n");
    await answered.promise;
    ok(last.length > 0);
    stopping.abort();
    await served;
  }
  deepEqual(wrong, []);
  deepEqual(world.writes(), []);
  equal(context.updates.size, 0);
  await context.stop();
});
