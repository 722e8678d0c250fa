import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fetchSpecs } from "../../scripts/catalog/fetch_specs.ts";
import type { Manifest } from "../../scripts/catalog/manifest.ts";
import { main } from "../../scripts/fetch_specs.ts";
import { serveSpecs, type SpecsServer } from "./serve_specs.ts";

interface Fetched {
  manifest: Manifest;
  folder: string;
  log: string[];
  waits: number[];
}

async function fetched(server: SpecsServer): Promise<Fetched> {
  const folder = await Deno.makeTempDir();
  const log: string[] = [];
  const waits: number[] = [];
  const manifest = await fetchSpecs(`${server.url}/index.json`, folder, {
    log: (line) => log.push(line),
    sleep: (seconds) => (waits.push(seconds), Promise.resolve()),
  });
  return { manifest, folder, log, waits };
}

const files = (manifest: Manifest): (string | undefined)[] =>
  manifest.descriptions.map((entry) => entry.file);

Deno.test("fetch_specs walks nested items, relative links and sub-indexes, each once", async () => {
  await using server = serveSpecs();
  const { manifest, folder, log } = await fetched(server);
  assert.deepEqual(log, []);
  assert.equal(manifest.complete, true);
  assert.deepEqual(manifest.descriptions.map((entry) => entry.source.replace(server.url, "")), [
    "/AcmeWidgets_prod_3p.json",
    "/gadgets.yaml",
    "/sub/mcp/toolbox.json",
    "/sub/unnamed.json",
  ]);
  assert.deepEqual(files(manifest), [
    "AcmeWidgets_prod_3p.json",
    "gadgets.yaml",
    "toolbox.json",
    "unnamed.json",
  ]);
  assert.equal(new Set(server.asked).size, server.asked.length);
  assert.deepEqual(JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")), manifest);
  assert.match(await readFile(join(folder, "gadgets.yaml"), "utf8"), /basePath/);
});

Deno.test("fetch_specs reports and skips what is missing, broken or no description", async () => {
  await using server = serveSpecs();
  server.answers.set("/AcmeWidgets_prod_3p.json", '{"openapi": "3.0.1", "paths": ');
  server.answers.set("/gadgets.yaml", 404);
  server.answers.set("/sub/unnamed.json", '{"title": "no paths"}');
  const { manifest, log, waits } = await fetched(server);
  assert.equal(manifest.complete, false);
  assert.deepEqual(files(manifest), [undefined, undefined, "toolbox.json", undefined]);
  assert.equal(log.length, 3);
  assert.match(log.find((line) => line.includes("gadgets"))!, /response is 404/);
  assert.match(log.find((line) => line.includes("unnamed"))!, /no "paths"/);
  assert.deepEqual(waits, []);
});

Deno.test("fetch_specs reports a link that is no address, and follows the others", async () => {
  await using server = serveSpecs();
  const items = [{ openapi: "http://[" }, "$http://[$", { openapi: "gadgets.yaml" }];
  server.answers.set("/index.json", JSON.stringify({ items }));
  const { manifest, log } = await fetched(server);
  assert.deepEqual(files(manifest), ["gadgets.yaml"]);
  assert.equal(manifest.complete, false);
  assert.deepEqual(log, [`Skipped "http://[" in ${server.url}/index.json: it is not an address`]);
});

Deno.test("fetch_specs repeats a failing server with growing waits, then skips", async () => {
  await using server = serveSpecs();
  server.answers.set("/gadgets.yaml", 503);
  const { manifest, waits } = await fetched(server);
  assert.equal(manifest.complete, false);
  assert.deepEqual(waits, [1, 2, 4]);
  assert.equal(server.asked.filter((path) => path === "/gadgets.yaml").length, 4);
});

Deno.test("fetch_specs skips a sub-index that cannot be read and says that it is not complete", async () => {
  await using server = serveSpecs();
  server.answers.set("/sub/index.yaml", 404);
  const { manifest, log } = await fetched(server);
  assert.equal(manifest.complete, false);
  assert.deepEqual(files(manifest), ["AcmeWidgets_prod_3p.json", "gadgets.yaml"]);
  assert.match(log[0]!, /Skipped the index .*\/sub\/index\.yaml/);
});

Deno.test("fetch_specs fails when the index itself cannot be read or links to nothing", async () => {
  await using server = serveSpecs();
  server.answers.set("/index.json", "{not json");
  await assert.rejects(fetched(server), /Cannot read the index/);
  server.answers.set("/index.json", '{"items": []}');
  await assert.rejects(fetched(server), /links to none/);
});

Deno.test("fetch_specs keeps no more requests under way than it may", async () => {
  const links = Array.from({ length: 12 }, (_, at) => `http://host.test/${at}.json`);
  let underWay = 0;
  let most = 0;
  const fetch = async (url: string): Promise<Response> => {
    most = Math.max(most, ++underWay);
    await new Promise((done) => setTimeout(done, 0));
    underWay--;
    return new Response(url.endsWith("index.json") ? JSON.stringify({ openapi: links }) : '{"paths": {}}');
  };
  const folder = await Deno.makeTempDir();
  const options = { fetch, concurrency: 3, log: () => {} };
  const { descriptions } = await fetchSpecs("http://host.test/index.json", folder, options);
  assert.equal(descriptions.length, 12);
  assert.equal(most, 3);
});

Deno.test("fetch_specs writes files of one name under different names inside the folder", async () => {
  const sources = [
    "http://h.test/a/x.json",
    "http://h.test/b/x.json",
    "http://h.test/manifest.json",
    "http://h.test/..%2Fup.json",
  ];
  const fetch = (url: string): Promise<Response> =>
    Promise.resolve(
      new Response(url.endsWith("index") ? JSON.stringify({ openapi: sources }) : '{"paths": {}}'),
    );
  const folder = await Deno.makeTempDir();
  const { descriptions } = await fetchSpecs("http://h.test/index", folder, { fetch, log: () => {} });
  const names = descriptions.map((entry) => entry.file!);
  assert.equal(new Set(names).size, 4);
  for (const name of names) assert.doesNotMatch(name, /[/\\]|^\.|^manifest\.json$/);
});

Deno.test("fetch_specs without an index explains itself and exits 2", async () => {
  const log: string[] = [];
  assert.equal(await main([], (line) => log.push(line)), 2);
  assert.match(log[0]!, /Usage:.*--index URL/);
});
