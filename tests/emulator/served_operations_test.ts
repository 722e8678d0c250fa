import assert from "node:assert/strict";
import { catalog } from "../../src/platform/catalog/mod.ts";
import { TYPED_OPERATIONS } from "../../src/platform/catalog/operation.ts";
import { allRoutes, ServedRoutes } from "../../src/emulator/families/routes.ts";
import { Router } from "../../src/emulator/routing/router.ts";
import { WireNames } from "../../src/emulator/routing/wire_names.ts";

Deno.test("every typed operation is served", async () => {
  const served = new Set((await allRoutes()).map((route) => route.operation));
  // The operations of global accounts share their paths with those for all products.
  const servedAs = (id: string): string => id.replace("v1-spglobal-", "v1-all-").replace(":SPGlobal", ":");
  const missing = [...TYPED_OPERATIONS.keys()].filter((id) => !served.has(servedAs(id)));
  assert.deepEqual(missing, []);
});

Deno.test("every operation is found by its own path, and no two share one", async () => {
  const routes = new ServedRoutes(new WireNames("vendor"));
  const all = await allRoutes();
  assert.doesNotThrow(() => new Router(all));
  for (const { operation, method, path } of all) {
    const found = await routes.find(method, new WireNames("vendor").spell(path));
    assert.equal(found?.route.operation, operation);
  }
  assert.equal(await routes.find("GET", "/v9/profiles"), undefined);
});

Deno.test("routes that could not be loaded are loaded again", async () => {
  let count = 0;
  const load = async () => {
    if (++count === 1) throw new TypeError("Too many open files");
    return await allRoutes();
  };
  const routes = new ServedRoutes(new WireNames("vendor"), new Map([["v2", load]]));
  await assert.rejects(routes.find("GET", "/v2/profiles"), new TypeError("Too many open files"));
  for (const _ of "ab") assert.ok(await routes.find("GET", "/v2/profiles"));
  assert.equal(count, 2);
});

Deno.test("every served operation has the method, the path and the media types that the catalog has", async () => {
  for (const route of await allRoutes()) {
    const operation = await catalog.get(route.operation);
    assert.equal(`${route.method} ${route.path}`, `${operation.method} ${operation.path}`, route.operation);
    const lower = (types: readonly string[]) => types.map((type) => type.toLowerCase()).sort();
    assert.deepEqual(lower(route.requestTypes ?? []), lower(operation.contentTypes), route.operation);
    const answers = operation.accept === undefined || operation.accepts.includes(operation.accept)
      ? operation.accepts
      : [operation.accept];
    assert.deepEqual(lower(route.responseTypes), lower(answers), route.operation);
  }
});
