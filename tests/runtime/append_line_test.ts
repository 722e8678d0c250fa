import { equal, rejects } from "../support/assert.ts";
import { addComment, readComments } from "../../src/plans/store/plan_comments.ts";
import { fileSystem } from "../../src/base/runtime/file_system.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

Deno.test("a line begins on its own where the one before was cut short, in any file", async () => {
  await using folder = await temporaryFolder();
  const files = fileSystem();
  for (const [before, after] of [["", "b\n"], ["a\n", "a\nb\n"], ["ö", "ö\nb\n"], ["a\n{", "a\n{\nb\n"]]) {
    const path = folder.file("lines.jsonl");
    await Deno.writeTextFile(path, before!);
    await files.appendLine(path, "b");
    equal(await Deno.readTextFile(path), after);
  }
  await files.appendLine(folder.file("new.jsonl"), "b");
  equal(await Deno.readTextFile(folder.file("new.jsonl")), "b\n");
  await rejects(files.appendLine(folder.file("none/new.jsonl"), "b"), { name: "PlatformAdsError" });
});

Deno.test("a comment that was cut short takes no other along", async () => {
  await using folder = await temporaryFolder();
  const at = "2026-09-30T12:00:00Z";
  await addComment(folder.path, "abc", { at, by: "one", text: "first" });
  const [hidden] = [...Deno.readDirSync(folder.path)].map(({ name }) => folder.file(name));
  const [name] = [...Deno.readDirSync(hidden!)].map((file) => file.name);
  await Deno.writeTextFile(`${hidden}/${name}`, '{"at":"2026', { append: true });
  await addComment(folder.path, "abc", { at, by: "two", text: "second" });
  equal((await readComments(folder.path, "abc")).map(({ text }) => text).join(), "first,second");
});
