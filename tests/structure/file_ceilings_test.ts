import { deepEqual, ok } from "../support/assert.ts";
import { sourceFiles } from "../support/module_graph.ts";

const GENERATED = /^catalog\/(?:operation_ids\.ts$|schemas\/)/;

async function lineCounts(folders: readonly string[]): Promise<{ path: string; lines: number }[]> {
  const files = (await sourceFiles(folders)).filter((path) => !GENERATED.test(path));
  return await Promise.all(files.map(async (path) => {
    const text = await Deno.readTextFile(path);
    return { path, lines: text.split("\n").length - 1 };
  }));
}

Deno.test("no file is longer than 600 lines", async () => {
  const counts = await lineCounts(["src", "catalog", "scripts", "tests"]);
  deepEqual(counts.filter(({ lines }) => lines > 600), []);
});

Deno.test("the median source file is shorter than 120 lines", async () => {
  const lines = (await lineCounts(["src", "catalog"])).map((count) => count.lines).sort((a, b) => a - b);
  const median = lines[Math.floor(lines.length / 2)]!;
  ok(median < 120, `the median is ${median}`);
});

Deno.test("file names are snake_case", async () => {
  const files = await sourceFiles(["src", "catalog", "scripts", "tests"]);
  const wrong = files.filter((path) => !/^[a-z0-9_]+(\.d)?\.ts$/.test(path.split("/").at(-1)!));
  deepEqual(wrong, []);
});
