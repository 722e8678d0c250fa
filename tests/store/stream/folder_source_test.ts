import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { dirname } from "node:path";
import { folderSource } from "../../../src/store/mod.ts";
import type { StreamMessage } from "../../../src/store/stream/read_message.ts";
import { openFiles } from "../../support/open_files.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { until } from "../../support/until.ts";

Deno.test("a packed file that breaks off hands over what comes before, says so, and holds the next file up no longer", async () => {
  await using folder = await temporaryFolder();
  const lines = Array.from({ length: 20_000 }, (_, at) => `{"a":"${at * 7919 % 20_000}"}\n`).join("");
  const packed = gzipSync(lines);
  await Deno.writeFile(folder.file("1.gz"), packed.subarray(0, packed.length / 2));
  await Deno.writeTextFile(folder.file("2.jsonl"), '{"b":1}\n');
  const later = Date.now() + 16 * 60_000;
  const source = await folderSource(folder.path, { now: () => later });
  const messages = [];
  for await (const delivery of source.deliveries({})) messages.push(...delivery.messages);
  assert(messages.length > 5000, `${messages.length} messages`);
  assert.deepEqual(messages[0], { id: "1.gz:1", body: '{"a":"0"}' });
  const [broken, last] = messages.slice(-2);
  assert.match(broken!.body, /^The file 1\.gz cannot be unpacked: /);
  assert.deepEqual(last, { id: "2.jsonl:1", body: '{"b":1}' });
});

/** Reads the files of a folder; after the first delivery, stops or aborts as asked. */
async function read(
  files: Readonly<Record<string, string | Uint8Array>>,
  { path = "", then }: { path?: string; then?: "stop" | "abort" } = {},
): Promise<StreamMessage[]> {
  await using folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    await Deno.mkdir(dirname(folder.file(name)), { recursive: true });
    if (typeof content === "string") await Deno.writeTextFile(folder.file(name), content);
    else await Deno.writeFile(folder.file(name), content);
  }
  const messages: StreamMessage[] = [];
  const abort = new AbortController();
  for await (const delivery of (await folderSource(folder.file(path))).deliveries({ signal: abort.signal })) {
    messages.push(...delivery.messages);
    if (then === "stop") break;
    if (then === "abort") abort.abort();
  }
  // No file stays open; in minutes the collection of garbage might close one.
  await until(async () => !(await openFiles() ?? []).some(({ path }) => path.startsWith(folder.path)), 20);
  return messages;
}

Deno.test("files of folders in the folder are read in the order of their names, hidden ones are not", async () => {
  const messages = await read({
    "b/2.jsonl": '{"a":3}',
    "b/1.jsonl.gz": gzipSync('{"a":2}'),
    "a.jsonl": '{"a":1}',
    ".hidden/1.jsonl": '{"a":9}',
    "b/.2.jsonl": '{"a":9}',
    "empty": "",
  });
  assert.deepEqual(messages.map(({ id, body }) => `${id.replaceAll("\\", "/")} ${body}`), [
    'a.jsonl:1 {"a":1}',
    'b/1.jsonl.gz:1 {"a":2}',
    'b/2.jsonl:1 {"a":3}',
  ]);
});

Deno.test("characters may lie across the pieces that a file is read in, and one that is cut off shows", async () => {
  const text = `{"a":"${"é".repeat(100_000)}"}`;
  for (const content of [text, gzipSync(text), ` ${text}`]) {
    assert.equal((await read({ "1.jsonl": content }, { path: "1.jsonl" }))[0]?.body, text);
  }
  const cut = new Uint8Array([...new TextEncoder().encode('{"a":1}\n'), 0xC3]);
  assert.deepEqual((await read({ "1": cut })).map(({ body }) => body), ['{"a":1}', "\uFFFD"]);
});

Deno.test("a file is unpacked where its first two bytes say that it is packed, whatever its name", async () => {
  // The first has the second byte of a packed file, the other its first byte.
  for (const text of ["\u02CB", "\x1F{}"]) {
    assert.deepEqual(await read({ "1.gz": text }), [{ id: "1.gz:1", body: text }]);
  }
});

Deno.test("an abort ends the reading, and what is not whole of the file under way stays there", async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `{"a":"${at}"}\n`).join("");
  const messages = await read({ "1": lines, "2": '{"b":1}' }, { then: "abort" });
  assert(messages.every(({ body }) => /^\{"a":"\d+"\}$/.test(body)), messages.at(-1)?.body);
  assert(messages.length < 20_000);
});

Deno.test("who stops reading leaves no file open", async () => {
  const lines = Array.from({ length: 100_000 }, (_, at) => `{"a":"${at * 7919 % 100_000}"}\n`).join("");
  for (const content of [lines, gzipSync(lines)]) {
    assert.equal((await read({ "1": content }, { then: "stop" })).length, 1000);
  }
});

Deno.test("a path that does not exist is refused, and a file that is gone since is not taken for a message", async () => {
  await using folder = await temporaryFolder();
  const path = folder.file("1.jsonl");
  await assert.rejects(folderSource(path), {
    name: "ConfigurationError",
    message: `Cannot read messages from "${path}": it does not exist`,
  });
  await Deno.writeTextFile(path, "{}");
  const source = await folderSource(path);
  await Deno.remove(path);
  await assert.rejects(async () => {
    for await (const _ of source.deliveries({}));
  }, /it does not exist/);
});
