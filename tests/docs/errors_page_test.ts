import { deepEqual, ok } from "../support/assert.ts";

const NAMES = new URL("../structure/public_names/", import.meta.url);
/** Items of a result, which nothing throws. */
const NOT_THROWN = ["BatchError"];

Deno.test("docs/errors.md describes every error class that an entry point exports", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/errors.md", import.meta.url));
  const errors = new Set<string>();
  for await (const { name } of Deno.readDir(NAMES)) {
    const names = (await Deno.readTextFile(new URL(name, NAMES))).split("\n");
    for (const one of names) if (one.endsWith("Error") && !NOT_THROWN.includes(one)) errors.add(one);
  }
  ok(errors.size > 25, `${errors.size} errors`);
  deepEqual([...errors].filter((name) => !page.includes(`\n## ${name}\n`)), []);
});
