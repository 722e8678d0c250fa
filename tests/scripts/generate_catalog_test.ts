import assert from "node:assert/strict";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fetchSpecs } from "../../scripts/catalog/fetch_specs.ts";
import { generateCatalog } from "../../scripts/generate_catalog.ts";
import type { ApiData, CatalogData } from "../../src/platform/catalog/catalog_data.ts";
import { serveSpecs } from "./serve_specs.ts";
import { long } from "../support/long.ts";

const CATALOG = fileURLToPath(new URL("../../catalog", import.meta.url));
const EMPTY = {
  apis: "slug\ttitle\tversion\tsource\tunlisted\tnote\n",
  operations:
    "api\toperation_id\tmethod\tpath\tflags\ttags\tquery\theaders\tcontent_types\taccepts\tmedia_types_source\n",
};

class Workshop {
  readonly log: string[] = [];
  readonly root: string;
  constructor(root: string) {
    this.root = root;
  }
  static async open(listing: { apis: string; operations: string } = EMPTY): Promise<Workshop> {
    const workshop = new Workshop(await Deno.makeTempDir());
    await Deno.mkdir(join(workshop.root, "catalog/listing"), { recursive: true });
    await workshop.write("catalog/listing/apis.tsv", listing.apis);
    await workshop.write("catalog/listing/operations.tsv", listing.operations);
    await workshop.write("catalog/listing/endings.tsv", "methods\tpath\tsince\tshutoff\treplaced_by\n");
    await workshop.write("catalog/listing/schemas.tsv", "api\tpart\tname\tshape\n");
    return workshop;
  }
  async fetch(answers: Record<string, string | number> = {}): Promise<void> {
    await using server = serveSpecs();
    for (const [path, answer] of Object.entries(answers)) server.answers.set(path, answer);
    await fetchSpecs(`${server.url}/index.json`, join(this.root, "specs"), {
      log: () => {},
      sleep: async () => {},
    });
  }
  generate(...args: string[]): Promise<number> {
    this.log.length = 0;
    return generateCatalog(["--catalog", join(this.root, "catalog"), ...args], (line) => this.log.push(line));
  }
  generateFromSpecs(...args: string[]): Promise<number> {
    return this.generate("--specs", join(this.root, "specs"), "--word", "acme", ...args);
  }
  read(path: string): Promise<string> {
    return readFile(join(this.root, path), "utf8");
  }
  write(path: string, text: string): Promise<void> {
    return writeFile(join(this.root, path), text);
  }
  async apis(): Promise<Record<string, ApiData>> {
    const data = JSON.parse(await this.read("catalog/operations.json")) as CatalogData;
    return Object.fromEntries(data.apis.map((api) => [api.slug, api]));
  }
}

Deno.test("the committed catalog is what its generator makes of the committed listing", async () => {
  const log: string[] = [];
  assert.equal(
    await generateCatalog(["--catalog", CATALOG, "--check"], (line) => log.push(line)),
    0,
    log.join("\n"),
  );
});

long();
Deno.test("generate_catalog --check exits 1, names file and line, and writes nothing", async () => {
  const workshop = await Workshop.open();
  await cp(CATALOG, join(workshop.root, "catalog"), { recursive: true });
  assert.equal(await workshop.generate("--check"), 0);
  const edited = (await workshop.read("catalog/operations.json")).replace(
    "/sp/keywords/list",
    "/sp/keywords/lists",
  );
  await workshop.write("catalog/operations.json", edited);
  assert.equal(await workshop.generate("--check"), 1);
  assert.match(workshop.log[0]!, /operations\.json is out of date at line \d+/);
  assert.equal(await workshop.read("catalog/operations.json"), edited);
  assert.equal(await workshop.generate(), 0);
  assert.equal(await workshop.generate("--check"), 0);
});

Deno.test("generate_catalog --specs reads references, merged parameters and media types out of descriptions", async () => {
  const workshop = await Workshop.open();
  await workshop.fetch();
  assert.equal(await workshop.generateFromSpecs(), 0, workshop.log.join("\n"));
  const apis = await workshop.apis();
  assert.deepEqual(Object.keys(apis), ["gadgets", "mcp-toolbox", "platform-widgets", "unnamed"]);
  const widgets = apis["platform-widgets"]!;
  assert.deepEqual([widgets.title, widgets.version, widgets.source], [
    "Platform Widgets",
    "3.0",
    "PlatformWidgets_prod_3p.json",
  ]);
  const versions = [
    "application/json",
    "application/vnd.widget.v3.9+json",
    "application/vnd.widget.v3.10+json",
  ];
  assert.deepEqual(widgets.operations, [
    {
      operationId: "dspPlatformListWidgets",
      method: "PUT",
      path: "/widgets/list",
      summary: "List widgets (DSP)",
    },
    {
      operationId: "getWidget",
      method: "GET",
      path: "/widgets/{widgetId}",
      summary: "Get widget",
      tags: ["Widgets", "Platform"],
      deprecated: true,
      query: ["locale!"],
      headers: ["Platform-Ads-AccountId!"],
      accept: "application/vnd.widget.v3.10+json",
    },
    {
      operationId: "post__widgets_list",
      method: "POST",
      path: "/widgets/list",
      summary: "Post widgets list",
      contentType: "application/vnd.widget.v3.10+json",
      contentTypes: versions,
      accept: "application/vnd.widget.v4+json",
      accepts: [...versions, "application/vnd.widget.v4+json"],
    },
  ]);
});

Deno.test("generate_catalog --specs reads Swagger 2, hosted tools and operations without names", async () => {
  const workshop = await Workshop.open();
  await workshop.fetch();
  await workshop.generateFromSpecs();
  const { gadgets, unnamed, "mcp-toolbox": toolbox } = await workshop.apis();
  assert.deepEqual(
    gadgets!.operations.map(({ operationId, path, contentType, accept }) => [
      operationId,
      path,
      contentType,
      accept,
    ]),
    [
      ["createGadget", "/gadgets/v1/gadgets", "application/vnd.gadget.v1+json", "application/json"],
      ["listGadgets", "/gadgets/v1/gadgets", undefined, "application/json"],
    ],
  );
  assert.equal(toolbox!.hostedTools, true);
  assert.deepEqual(unnamed!.operations.map(({ operationId }) => operationId), [
    "delete__unnamed_{unnamedId}_",
    "get__unnamed_{unnamedId}_",
  ]);
});

Deno.test("generating twice changes nothing, and a check against the same descriptions passes", async () => {
  const workshop = await Workshop.open();
  await workshop.fetch();
  await workshop.generateFromSpecs();
  assert.equal(await workshop.generateFromSpecs("--check"), 0, workshop.log.join("\n"));
  assert.equal(await workshop.generate("--check"), 0, workshop.log.join("\n"));
});

Deno.test("the vendor's word is left alone unless the user names it", async () => {
  const workshop = await Workshop.open();
  await workshop.fetch();
  await workshop.generate("--specs", join(workshop.root, "specs"));
  assert.ok("acme-widgets" in await workshop.apis());
  await workshop.generateFromSpecs();
  for (const file of ["operations.json", "operation_ids.ts", "listing/apis.tsv", "listing/operations.tsv"]) {
    assert.doesNotMatch(await workshop.read(`catalog/${file}`), /acme/i, file);
  }
});

Deno.test("an API keeps its slug when its description moves to another file", async () => {
  const workshop = await Workshop.open();
  await workshop.fetch();
  await workshop.generateFromSpecs();
  const index = '{"items": [{"openapi": "/renamed.json"}]}';
  const text = await readFile(
    fileURLToPath(new URL("./specs/AcmeWidgets_prod_3p.json", import.meta.url)),
    "utf8",
  );
  await rm(join(workshop.root, "specs"), { recursive: true });
  await workshop.fetch({ "/index.json": index, "/renamed.json": text });
  await workshop.generateFromSpecs();
  assert.deepEqual(Object.keys(await workshop.apis()), ["platform-widgets"]);
  assert.match(workshop.log.join("\n"), /Dropped gadgets: no description/);
});

Deno.test("an API whose description cannot be fetched or read stays as it was", async () => {
  const workshop = await Workshop.open();
  await workshop.fetch();
  await workshop.generateFromSpecs();
  const before = await workshop.read("catalog/operations.json");
  await workshop.fetch({ "/gadgets.yaml": 404 });
  await workshop.generateFromSpecs();
  assert.match(workshop.log.join("\n"), /Skipped .*gadgets\.yaml: The response is 404/);
  assert.equal(await workshop.read("catalog/operations.json"), before);
});

Deno.test("a circular reference is reported and its description skipped, the others are read", async () => {
  const workshop = await Workshop.open();
  await workshop.fetch();
  const circular = {
    paths: { "/x": { post: { operationId: "x", requestBody: { $ref: "#/components/a" } } } },
    components: { a: { $ref: "#/components/b" }, b: { $ref: "#/components/a" } },
  };
  await workshop.write("specs/gadgets.yaml", JSON.stringify(circular));
  assert.equal(await workshop.generateFromSpecs(), 0);
  assert.match(
    workshop.log.join("\n"),
    /Skipped .*components\/a -> #\/components\/b -> #\/components\/a is a circle/,
  );
  assert.deepEqual(Object.keys(await workshop.apis()), ["mcp-toolbox", "platform-widgets", "unnamed"]);
});

Deno.test("a folder without a manifest is read file by file", async () => {
  const workshop = await Workshop.open();
  await workshop.fetch();
  await rm(join(workshop.root, "specs/manifest.json"));
  await workshop.generateFromSpecs();
  assert.equal(Object.keys(await workshop.apis()).length, 4);
});

Deno.test("a folder without one readable description is an error", async () => {
  const workshop = await Workshop.open();
  await Deno.mkdir(join(workshop.root, "specs"));
  await workshop.write("specs/x.json", "{");
  await assert.rejects(workshop.generateFromSpecs(), /holds no readable description/);
});

Deno.test("a listing that repeats an id, lacks a column or names an unknown API is refused with its line", async () => {
  const line = "a\tx\tGET\t/x\t-\t-\t-\t-\t-\t-\tpublished\n";
  const apis = `${EMPTY.apis}a\tA\t-\ttest\t-\t-\n`;
  for (
    const [listing, reason] of [
      [{ apis, operations: EMPTY.operations + line + line }, /line 3 repeats "a:x"/],
      [{ apis, operations: EMPTY.operations + "a\tx\n" }, /line 2 has 2 columns, not 11/],
      [{ apis: EMPTY.apis, operations: EMPTY.operations + line }, /line 2 names "a", which apis\.tsv lacks/],
      [{ apis, operations: line }, /line 1 is not "api operation_id/],
    ] as const
  ) {
    await assert.rejects((await Workshop.open(listing)).generate(), reason);
  }
});
