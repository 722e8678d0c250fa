import { deepEqual } from "../support/assert.ts";

/** The attempts of the table in the guide, each with the test that makes it. */
const TESTS: ReadonlyMap<string, string> = new Map([
  ["an edited plan file", "1. an edited plan file"],
  ["a copied or replayed fingerprint", "2. a replayed fingerprint: of another plan"],
  [
    "ten parallel applies, two processes",
    "two server processes that apply one plan at the same moment send it once",
  ],
  [
    "an answer to a form that was not shown",
    "a yes counts only for a question that this server asked about this plan",
  ],
  ["a name with commands for the model", "7. prompt text and table rows inside a campaign name"],
  [
    "an error message with instructions",
    "what the platform says in a failure is quoted in one line, marked as data and cut",
  ],
  ["headers that change the operation", "3. call_operation with a write"],
  [
    "a `./.env` in a hostile folder",
    "a .env that nobody named sets no option of the server, and may make it stricter",
  ],
  [
    "SQL that writes, reads files, never ends",
    "a query that never ends is ended with its process, and the server lives on",
  ],
  [
    "a value larger than the memory",
    "a value of PostgreSQL that is larger than the memory ends its query, not the server",
  ],
  [
    "10,000 calls that disconnect early",
    "after 10,000 calls that are hung up on at random moments every session is free again",
  ],
  [
    "200 clients at once",
    "200 clients that begin at once get at most as many sessions as there may be",
  ],
  [
    "10,000 broken, wrong, deep, huge messages",
    "fuzzed messages over HTTP, in and out of sessions, meet no internal error",
  ],
  [
    "a day of 2,000 calls",
    "calls of every tool by agents of both eras: no internal error, and memory stays level",
  ],
  [
    "the event id of another session",
    "a client whose stream breaks in the middle of apply_plan reads the result from the last event on",
  ],
  [
    "the task id of another caller",
    "a task is for whoever began it, is kept for an hour, and there are 64 at most",
  ],
  [
    "an audit log that was changed",
    "whatever is changed, left out, moved or put in, the first line that is wrong is named",
  ],
  [
    "a full disk under the audit log",
    "a call that cannot be recorded does not plan, apply or store anything",
  ],
  ["calls without a pause", "each caller may make so many calls a minute, and of these so many that write"],
  ["`/metrics` without a token", "/metrics counts calls by tool and result, and needs the token"],
  [
    "a kill in the middle of `apply_plan`",
    "a server that is killed in the middle of apply_plan leaves a log that is whole and shows the call",
  ],
]);

const FOLDERS = ["./", "../audit/", "../reliability/tool_server/"];

Deno.test("every attempt against the tool server that the proofs name is made by a test, and no other is promised", async () => {
  const guide = await Deno.readTextFile(new URL("../../docs/proofs.md", import.meta.url));
  const section = guide.slice(guide.indexOf("## Attempts against the tool server"));
  const [, table = ""] = /\| Attempt .*\n\|.*\n((?:\|.*\n)+)/.exec(section) ?? [];
  const attempts = table.trim().split("\n").map((row) => row.split("|")[1]?.trim());
  deepEqual(attempts, [...TESTS.keys()]);
  let sources = "";
  for (const folder of FOLDERS) {
    const url = new URL(folder, import.meta.url);
    for await (const { name, isFile } of Deno.readDir(url)) {
      if (isFile && name !== "attack_table_test.ts") sources += await Deno.readTextFile(new URL(name, url));
    }
  }
  deepEqual([...TESTS.values()].filter((test) => !sources.includes(test)), []);
});
