import { equal, ok } from "../support/assert.ts";
import { gzipSync } from "node:zlib";

/** What docs/dependencies.md says: a name, and at most so many KB minified and gzipped. */
const ROW = /^\| (The library|The catalog's data, [^|]*?) +\| +([\d.]+) KB +\| +([\d.]+) KB +\|$/gm;

Deno.test("a browser bundle of the library is no larger than docs/dependencies.md says, nor much smaller", async () => {
  const page = await Deno.readTextFile("docs/dependencies.md");
  const said = [...page.matchAll(ROW)].map((row) => [Number(row[2]), Number(row[3])]);
  equal(said.length, 2, "the page states two sizes");

  const folder = await Deno.makeTempDir();
  try {
    const args = ["bundle", "--quiet", "--platform", "browser", "--minify", "--code-splitting"];
    const bundle = new Deno.Command(Deno.execPath(), { args: [...args, "--outdir", folder, "mod.ts"] });
    const { success, stderr } = await bundle.output();
    ok(success, new TextDecoder().decode(stderr));

    const chunks = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    ok(chunks.length > 150, "the schemas of each API are a chunk of their own, loaded at first use");
    const parts = [
      await loadedWith("mod.js", folder),
      chunks.filter((name) => /^operations_data-\w+\.js$/.test(name)),
    ];
    for (const [at, files] of parts.entries()) {
      const sizes = [0, 0];
      for (const name of files) {
        const bytes = await Deno.readFile(`${folder}/${name}`);
        sizes[0]! += bytes.length / 1000;
        sizes[1]! += gzipSync(bytes, { level: 9 }).length / 1000;
      }
      for (const [which, size] of sizes.entries()) {
        const limit = said[at]![which]!;
        ok(size <= limit && size >= 0.8 * limit, `${files} have ${size} KB, the page says ${limit}`);
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** A chunk with those that it loads at once. */
async function loadedWith(first: string, folder: string): Promise<string[]> {
  const loaded = new Set([first]);
  for (const name of loaded) {
    const text = await Deno.readTextFile(`${folder}/${name}`);
    for (const [, other = ""] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) loaded.add(other);
  }
  return [...loaded];
}
