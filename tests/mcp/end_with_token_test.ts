import { equal } from "../support/assert.ts";
import { endWithToken } from "../../src/interfaces/mcp/http/guard.ts";
import { Identity } from "../../src/interfaces/mcp/access/identity.ts";

const URL_OF_TOOLS = "http://127.0.0.1/mcp";

function stream(): { response: Response; cancelled: () => boolean } {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("first")),
    cancel: () => void (isCancelled = true),
  });
  return { response: new Response(body), cancelled: () => isCancelled };
}

Deno.test("a stream that a client listens on ends when the token of it expires", async () => {
  const identity = new Identity({ subject: "ann", kind: "oauth", expiresAt: 1_030 });
  for (
    const request of [
      new Request(URL_OF_TOOLS),
      new Request(URL_OF_TOOLS, { method: "POST", headers: { "mcp-method": "subscriptions/listen" } }),
    ]
  ) {
    const { response, cancelled } = stream();
    const ended = endWithToken(response, { request, identity, now: () => 1_000 });
    equal(await ended.text(), "first");
    equal(cancelled(), true);
  }
});

Deno.test("the stream of a call, and one whose token does not expire, are left to their end", async () => {
  const call = new Request(URL_OF_TOOLS, { method: "POST", headers: { "mcp-method": "tools/call" } });
  const { response } = stream();
  const identity = new Identity({ subject: "ann", kind: "oauth", expiresAt: 0 });
  equal(endWithToken(response, { request: call, identity, now: () => 1_000 }), response);
  const forever = new Identity({ subject: "ann", kind: "static token" });
  equal(
    endWithToken(response, { request: new Request(URL_OF_TOOLS), identity: forever, now: Date.now }),
    response,
  );
  await response.body?.cancel();
});
