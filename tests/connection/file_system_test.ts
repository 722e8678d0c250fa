import assert from "node:assert/strict";
import { ConfigurationError } from "../../mod.ts";
import { fileSystem } from "../../src/base/runtime/file_system.ts";
import { readNamedFile } from "../../src/base/runtime/read_named_file.ts";

Deno.test("A file is written whole, into folders made on the way, and leaves nothing else behind", async () => {
  const root = await Deno.makeTempDir();
  try {
    const files = fileSystem();
    const path = files.join(root, "a", "b", "plan.json");
    await files.writeText(path, "one\n");
    await files.writeText(path, "two – ü\n");
    assert.equal(await files.readText(path), "two – ü\n");
    assert.deepEqual(Array.from(Deno.readDirSync(files.join(root, "a", "b")), ({ name }) => name), [
      "plan.json",
    ]);
    assert.deepEqual(
      await Promise.all(
        ["", "a", "a/b/plan.json", "gone"].map((part) => files.isDirectory(files.join(root, part))),
      ),
      [true, true, false, false],
    );
    await assert.rejects(files.writeText(files.join(root, "a"), "a folder is in the way"));
    assert.deepEqual(Array.from(Deno.readDirSync(root), ({ name }) => name), ["a"]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("A file that cannot be read is named, and why", async () => {
  await assert.rejects(readNamedFile("gone.json", "the plan"), {
    name: "ConfigurationError",
    message: 'Cannot read the plan "gone.json": there is no such file',
  });
  await assert.rejects(readNamedFile("src", "the plan"), {
    message: 'Cannot read the plan "src": it is a folder',
  });
});

Deno.test("A runtime without files is told apart from a missing file", async () => {
  const process = Object.getOwnPropertyDescriptor(globalThis, "process")!;
  try {
    Object.defineProperty(globalThis, "process", { value: undefined, configurable: true, writable: true });
    assert.throws(() => fileSystem(), ConfigurationError);
    await assert.rejects(readNamedFile("x", "the plan file"), /no file system/);
  } finally {
    Object.defineProperty(globalThis, "process", process);
  }
});

Deno.test("What cannot be written is named, with the reason in words", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const files = fileSystem();
    await files.writeText(`${folder}/file`, "");
    await assert.rejects(
      files.writeText(`${folder}/file/below`, ""),
      /Cannot write ".*below": a part of the path is not a folder/,
    );
    await files.writeText(`${folder}/sub/file`, "");
    await assert.rejects(files.writeText(`${folder}/sub`, ""), /Cannot write ".*sub": it is a folder/);
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["file", "sub"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
