import { deepEqual, equal, match, notEqual, ok } from "../support/assert.ts";
import { request } from "node:http";
import { SECRET_HEADER } from "../../src/interfaces/console/http/guard.ts";
import { consoleWorld, signIn } from "./support/console_world.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** Sends a request with a `Host` of its own, which fetch does not allow. */
function rawStatus(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((done, fail) => {
    request(url, { headers }, (response) => {
      response.resume();
      done(response.statusCode);
    }).on("error", fail).end();
  });
}

Deno.test("without a cookie and a secret the console tells nothing", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const url = `${world.console.url}/api/plans`;
  const tries: Record<string, string>[] = [
    {},
    { cookie: page.cookie },
    { [SECRET_HEADER]: page.secret },
    { cookie: page.cookie, [SECRET_HEADER]: "another" },
  ];
  for (const headers of tries) {
    const response = await fetch(url, { headers });
    equal(response.status, 401);
    await response.body?.cancel();
  }
  equal((await page.ask("/api/plans")).status, 200);
});

Deno.test("the secrets of two sessions cannot be mixed", async () => {
  await using world = await consoleWorld();
  const [one, other] = [await signIn(world), await signIn(world)];
  const { status } = await one.ask("/api/plans", undefined, { [SECRET_HEADER]: other.secret });
  equal(status, 401);
});

Deno.test("a token signs in once, and not after 15 minutes", async () => {
  await using world = await consoleWorld();
  const token = /#token=(.*)$/.exec(world.console.signInUrl())?.[1];
  const late = /#token=(.*)$/.exec(world.console.signInUrl())?.[1];
  const open = async (token: unknown) => {
    const response = await fetch(`${world.console.url}/api/session`, {
      method: "POST",
      headers: JSON_TYPE,
      body: JSON.stringify({ token }),
    });
    return {
      status: response.status,
      text: await response.text(),
      cookie: response.headers.get("set-cookie"),
    };
  };
  const first = await open(token);
  equal(first.status, 200);
  match(first.cookie ?? "", /^adsctl_console_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  const second = await open(token);
  equal(second.status, 401);
  match(second.text, /already used or has expired/);
  equal((await open("guess")).status, 401);
  equal((await open(undefined)).status, 401);
  world.time.advance(15 * 60 + 1);
  equal((await open(late)).status, 401);
});

Deno.test("another host name, as after DNS rebinding, is refused for pages and API alike", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const { port } = new URL(world.console.url);
  for (
    const host of [
      `ads.example:${port}`,
      "127.0.0.1",
      `127.0.0.1.example:${port}`,
      `127.0.0.1:${Number(port) + 1}`,
    ]
  ) {
    equal(await rawStatus(`${world.console.url}/`, { host }), 421, host);
    const headers = { host, cookie: page.cookie, [SECRET_HEADER]: page.secret };
    equal(await rawStatus(`${world.console.url}/api/plans`, headers), 421, host);
  }
  equal(await rawStatus(`${world.console.url}/`, { host: `localhost:${port}` }), 200);
});

Deno.test("a request of another site is refused even with both secrets", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const tries: Record<string, string>[] = [
    { origin: "https://ads.example" },
    { origin: "null" },
    { origin: world.console.url.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)) },
  ];
  for (const headers of tries) {
    const { status, data } = await page.ask("/api/plans", undefined, headers);
    deepEqual([status, data.error.code], [403, "FOREIGN_ORIGIN"]);
  }
  // fetch sets no Sec-Fetch headers of a caller.
  const headers = { cookie: page.cookie, [SECRET_HEADER]: page.secret, "sec-fetch-site": "cross-site" };
  equal(await rawStatus(`${world.console.url}/api/plans`, headers), 403);
});

Deno.test("a form of another site cannot change anything", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  for (const type of ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"]) {
    const { status } = await page.ask("/api/plans/x/refuse", {}, { "content-type": type });
    equal(status, 415, type);
  }
  for (const method of ["PUT", "DELETE", "OPTIONS"]) {
    const response = await fetch(`${world.console.url}/api/plans`, { method });
    equal(response.status, 405);
    equal(response.headers.get("access-control-allow-origin"), null);
    await response.body?.cancel();
  }
});

Deno.test("every response forbids frames, foreign and inline scripts, and keeping", async () => {
  await using world = await consoleWorld();
  const { ROUTES } = await import("../../src/interfaces/console/api/routes.ts");
  for (const path of ["/", "/plans", "/assets/app.js", "/nothing", "/api/plans", "/assets/../assets.ts"]) {
    const response = await fetch(world.console.url + path);
    const policy = response.headers.get("content-security-policy") ?? "";
    match(policy, /default-src 'none'/, path);
    match(policy, /frame-ancestors 'none'/, path);
    match(policy, /require-trusted-types-for 'script'/, path);
    ok(!/unsafe|\*|https?:/.test(policy), policy);
    deepEqual(
      [
        "x-frame-options",
        "cache-control",
        "referrer-policy",
        "x-content-type-options",
        "cross-origin-resource-policy",
      ]
        .map((name) => response.headers.get(name)),
      ["DENY", "no-store", "no-referrer", "nosniff", "same-origin"],
    );
    const text = await response.text();
    ok(
      !/<script(?! type="module" src="\/assets)|\son\w+=|style=/.test(text) || path.includes("assets"),
      path,
    );
  }
  equal(
    ROUTES.some(({ method, changes }) => method === "GET" && changes === true),
    false,
    "no GET changes anything",
  );
});

Deno.test("only the listed files are served", async () => {
  await using world = await consoleWorld();
  for (
    const path of [
      "/assets/../serve_console.ts",
      "/assets/constructor",
      "/assets/",
      "/assets/%2e%2e/assets.ts",
    ]
  ) {
    const response = await fetch(world.console.url + path);
    equal(response.status, 404, path);
    notEqual(response.headers.get("content-type"), "text/javascript; charset=utf-8");
    await response.body?.cancel();
  }
});

Deno.test("with --read-only every operation that changes something is refused, and the others work", async () => {
  await using world = await consoleWorld({ readOnly: true });
  const page = await signIn(world);
  const { ROUTES } = await import("../../src/interfaces/console/api/routes.ts");
  const changing = ROUTES.filter(({ changes }) => changes === true);
  ok(changing.length >= 6);
  for (const { path } of changing) {
    const { status, data } = await page.ask(path.replaceAll(/:\w+/g, "x"), {});
    deepEqual([status, data.error.code], [403, "READ_ONLY"], path);
  }
  equal((await page.ask("/api/plans")).status, 200);
});

Deno.test("a body that is too large, or not an object, is refused", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  equal((await page.ask("/api/plans/x/refuse", "x".repeat(4_100_000))).status, 413);
  equal((await page.ask("/api/plans/x/refuse", [1])).status, 400);
  equal((await page.ask("/api/plans/%E0%A4%A/refuse", {})).status, 400);
  equal((await page.ask("/api/plans/..%2f..%2fetc/refuse", { fingerprint: "x" })).status, 404);
});
