import { deepEqual, equal, ok } from "../support/assert.ts";
import { moduleGraph } from "../support/module_graph.ts";
import { architecturePage } from "../../scripts/generate_architecture.ts";

Deno.test("each route of the architecture page goes from file to file by imports", async () => {
  const page = await Deno.readTextFile("docs/architecture.md");
  const section = /## Five routes\n([\s\S]*?)\n## /.exec(page)![1]!;
  const routes = section.split(/\n(?=\*\*)/).slice(1);
  equal(routes.length, 5);

  const imported = new Map<string, string[]>();
  for (const { from, to, typeOnly } of await moduleGraph()) {
    if (!typeOnly) imported.set(from, [...imported.get(from) ?? [], to]);
  }
  const apart: string[] = [];
  for (const route of routes) {
    const [first, ...others] = [...route.matchAll(/`(src\/[\w/]+\.ts)`/g)].map((match) => match[1]!);
    ok(others.length >= 3, route);
    const reached = new Set([first!]);
    for (const file of reached) for (const next of imported.get(file) ?? []) reached.add(next);
    apart.push(
      ...others.filter((file) => !reached.has(file)).map((file) => `${first} does not lead to ${file}`),
    );
  }
  deepEqual(apart, []);
});

Deno.test("the folders of the architecture page are drawn from today's imports (scripts/generate_architecture.ts)", async () => {
  const page = await Deno.readTextFile("docs/architecture.md");
  equal(await architecturePage(page), page);
});
