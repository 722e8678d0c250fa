// Run by under_node_test.ts with Node: the same promises on the other runtime's fetch. Prints one JSON object.
import { createServer } from "node:net";
import { createServer as createHttpServer } from "node:http";
import { PlatformAds } from "../../mod.ts";

const credentials = { clientId: "id", clientSecret: "secret", refreshToken: "refresh" };
const report = {};

const dead = await listen(createServer());
await close(dead.server);
let posts = 0;
const dropping = await listen(createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", () => {
    posts++;
    socket.destroy();
  });
}));
const api = await listen(createHttpServer((request, response) => {
  const token = request.url === "/token";
  if (request.url === "/redirect") return response.writeHead(307, { location: "/elsewhere" }).end();
  response.writeHead(200, { "content-type": "application/json" });
  response.end(token ? '{"access_token":"t","expires_in":3600}' : '{"profileId":18446744073709551615}');
}));

const ads = new PlatformAds(credentials, {
  platform: {
    regions: { NA: { baseUrl: api.url } },
    tokenUrl: `${api.url}/token`,
    headers: { clientId: "Client-Id", scope: "Scope", requestId: "x-request-id" },
    wireWord: "platform",
  },
  retry: { maxAttempts: 3 },
  sleep: () => Promise.resolve(),
});

async function outcome(request) {
  let attempts = 0;
  try {
    const { json } = await ads.transport.send({
      method: "POST",
      path: "/x",
      idempotent: false,
      ...request,
      beforeAttempt: () => void attempts++,
    });
    return { json, attempts };
  } catch (error) {
    const { name, mayHaveActed, timedOut } = error;
    return { name, mayHaveActed, timedOut, attempts };
  }
}

report.answered = await outcome({ baseUrl: api.url, json: { id: 18446744073709551615n } });
report.redirected = await outcome({ baseUrl: api.url, path: "/redirect", method: "GET" });
report.refused = await outcome({ baseUrl: dead.url, json: {} });
report.dropped = await outcome({ baseUrl: dropping.url, json: {} });
report.posts = posts;
const held = await listen(createServer(() => {}));
report.timedOut = await outcome({ baseUrl: held.url, json: {}, timeout: 0.05 });
const controller = new AbortController();
setTimeout(() => controller.abort(new RangeError("enough")), 20);
report.aborted = await outcome({ baseUrl: held.url, json: {}, signal: controller.signal });
await Promise.all([dropping, api, held].map(({ server }) => close(server)));
console.log(JSON.stringify(report));
process.exit(0);

function listen(server) {
  return new Promise((resolve) => {
    server.listen(
      0,
      "127.0.0.1",
      () => resolve({ server, url: `http://127.0.0.1:${server.address().port}` }),
    );
  });
}

function close(server) {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections?.();
    setTimeout(resolve, 50);
  });
}
