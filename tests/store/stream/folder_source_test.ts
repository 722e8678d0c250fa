import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { folderSource } from "../../../src/store/mod.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

Deno.test("a packed file that breaks off hands over what comes before, says so, and holds the next file up no longer", async () => {
  await using folder = await temporaryFolder();
  const lines = Array.from({ length: 20_000 }, (_, at) => `{"a":"${at * 7919 % 20_000}"}\n`).join("");
  const packed = gzipSync(lines);
  await Deno.writeFile(folder.file("1.gz"), packed.subarray(0, packed.length / 2));
  await Deno.writeTextFile(folder.file("2.jsonl"), '{"b":1}\n');
  const source = await folderSource(folder.path);
  const messages = [];
  for await (const delivery of source.deliveries({})) messages.push(...delivery.messages);
  assert(messages.length > 5000, `${messages.length} messages`);
  assert.deepEqual(messages[0], { id: "1.gz:1", body: '{"a":"0"}' });
  const [broken, last] = messages.slice(-2);
  assert.match(broken!.body, /^The file 1\.gz cannot be unpacked: /);
  assert.deepEqual(last, { id: "2.jsonl:1", body: '{"b":1}' });
});
