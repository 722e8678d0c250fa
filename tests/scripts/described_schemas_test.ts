import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateCatalog } from "../../scripts/generate_catalog.ts";
import { ApiShapes, type ShortApi } from "../../src/platform/schema/api_shapes.ts";

/** A small description; `change` alters it. */
function description(change: "before" | "after"): object {
  const isAfter = change === "after";
  return {
    openapi: "3.0.1",
    info: { title: "Gadgets", version: "1" },
    servers: [{ url: "https://api.acme.test" }],
    paths: {
      "/gadgets/{gadgetId}": {
        put: {
          operationId: "updateGadget",
          parameters: [
            { in: "path", name: "gadgetId", required: true, schema: { type: "string" } },
            {
              in: "query",
              name: "states",
              explode: false,
              schema: { type: "array", items: { type: "string" } },
            },
            { in: "header", name: "Acme-Ads-AccountId", required: isAfter, schema: { type: "string" } },
            { in: "header", name: "Authorization", required: true, schema: { type: "string" } },
          ],
          requestBody: {
            required: true,
            content: {
              "application/vnd.acmeGadget.v1+json": { schema: { $ref: "#/components/schemas/AcmeGadget" } },
            },
          },
          responses: {
            "200": {
              content: {
                "application/json": {
                  schema: {
                    type: "array",
                    items: { $ref: "#/components/schemas/AcmeGadget" },
                    maxItems: isAfter ? 50 : 100,
                  },
                },
              },
            },
            "400": { content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } } },
            "404": { content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } } },
          },
        },
      },
    },
    components: {
      schemas: {
        Problem: {
          type: "object",
          properties: { code: { type: "string" } },
          required: ["code", "notAField"],
        },
        AcmeGadget: {
          type: "object",
          required: isAfter ? ["name", "site"] : ["name"],
          properties: {
            name: { type: "string", maxLength: isAfter ? 40 : 80, nullable: true },
            site: { type: "string", enum: isAfter ? ["ACME_BUSINESS"] : ["ACME_BUSINESS", "OTHER"] },
            offAcmeBudget: { type: "number", minimum: 0, exclusiveMinimum: true },
            ...(isAfter ? { tags: { type: "object", additionalProperties: { type: "string" } } } : {}),
          },
        },
      },
    },
  };
}

async function workshop<T>(
  run: (at: {
    generate: (described: object) => Promise<string[]>;
    read: (path: string) => Promise<string>;
  }) => Promise<T>,
): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), "catalog-"));
  try {
    await mkdir(join(root, "catalog/listing"), { recursive: true });
    await mkdir(join(root, "specs"));
    const columns =
      "api\toperation_id\tmethod\tpath\tflags\ttags\tquery\theaders\tcontent_types\taccepts\tmedia_types_source";
    for (
      const [name, text] of [
        ["apis", "slug\ttitle\tversion\tsource\tunlisted\tnote"],
        ["operations", columns],
        ["endings", "methods\tpath\tsince\tshutoff\treplaced_by"],
        ["schemas", "api\tpart\tname\tshape"],
      ] as const
    ) await writeFile(join(root, `catalog/listing/${name}.tsv`), `${text}\n`);
    return await run({
      generate: async (described) => {
        await writeFile(join(root, "specs/gadgets.json"), JSON.stringify(described));
        const log: string[] = [];
        const args = ["--catalog", join(root, "catalog"), "--specs", join(root, "specs"), "--word", "acme"];
        assert.equal(await generateCatalog(args, (line) => log.push(line)), 0);
        return log.filter((line) => line.startsWith("Changed: ")).map((line) =>
          line.slice("Changed: ".length)
        );
      },
      read: (path) => readFile(join(root, path), "utf8"),
    });
  } finally {
    await rm(root, { recursive: true });
  }
}

Deno.test("shapes are read from fetched descriptions, with marks where the platform's own word stands on the wire", () =>
  workshop(async ({ generate, read }) => {
    assert.deepEqual(await generate(description("before")), [
      "gadgets:updateGadget is described now",
      "model gadgets:PlatformGadget is described now",
      "model gadgets:Problem is described now",
    ]);
    const api = JSON.parse(await read("catalog/schemas/gadgets.json")) as ShortApi;
    const shapes = new ApiShapes(api);
    const shape = shapes.operation("updateGadget")!;
    assert.deepEqual(
      shape.parameters.map((
        { name, in: place, required, schema },
      ) => [place, name, required, schema.explode]),
      [
        ["path", "gadgetId", true, undefined],
        ["query", "states", false, false],
        ["header", "Platform-Ads-AccountId", false, undefined],
      ],
    );
    assert.equal(shape.bodyRequired, true);
    assert.deepEqual(Object.keys(shape.body!), ["application/vnd.platformGadget.v1+json"]);
    assert.deepEqual(Object.keys(shape.errors), ["400", "404"]);
    assert.deepEqual(shapes.model("PlatformGadget"), {
      type: "object",
      properties: {
        name: { type: ["string", "null"], maxLength: 80 },
        site: { type: "string", enum: ["OTHER", "PLATFORM_BUSINESS"], wordEnum: ["PLATFORM_BUSINESS"] },
        offPlatformBudget: { type: "number", exclusiveMinimum: 0, word: true },
      },
      required: ["name"],
    });
    assert.deepEqual(shapes.model("Problem").required, ["code"]);
    const text = await read("catalog/listing/schemas.tsv");
    assert.ok(!/acme/i.test(text), text);
    assert.deepEqual(await generate(description("before")), [], "the same once more changes nothing");
  }));

Deno.test("what changed in a description is reported as readable lines", () =>
  workshop(async ({ generate }) => {
    await generate(description("before"));
    assert.deepEqual(await generate(description("after")), [
      "gadgets:updateGadget 200 application/json maxItems 100 → 50",
      "gadgets:updateGadget header Platform-Ads-AccountId: required now",
      "model gadgets:PlatformGadget name: maxLength 80 → 40",
      "model gadgets:PlatformGadget site: enum value OTHER gone",
      "model gadgets:PlatformGadget site: required now",
      "model gadgets:PlatformGadget tags: field added",
    ]);
    const gone = await generate({
      ...description("after"),
      paths: { "/other": { get: { operationId: "updateGadget" } } },
    });
    assert.ok(gone.length > 0, gone.join("\n"));
  }));
