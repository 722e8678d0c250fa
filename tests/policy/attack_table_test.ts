import { deepEqual } from "../support/assert.ts";

/** The attempts of the table in the guide, each with the test that makes it. */
const TESTS: ReadonlyMap<string, string> = new Map([
  ["a plan in many small plans", "limits of counts hold for the day, not for each plan"],
  ["1 -> 1.3 -> 1.7 -> 2.2", "many small steps of a day count as one"],
  ["a single update, a call, a bare request", "a policy stops a bid of 99 that goes by ${way}"],
  ["an update without an id", "an update of an item without an id"],
  ["an update with state `archived`", "an archive by update and an archive by delete are judged alike"],
  ['`"1e3"`, `"999"`, `"0x10"`', "a bid in hexadecimal"],
  ["a body with more than is understood", "a body that says more than is understood"],
  ["an unknown path", "a path that is none of the catalog"],
  ["a method in a header or parameter", "a method in a header"],
  ["a name in other letters", "a name is protected however it is written"],
  [
    "a plan file that names another campaign",
    "what a plan says of its campaign cannot lead a rule away from the campaign that it is in",
  ],
  [
    "a plan file that claims a bid or state",
    "what a plan says of an entity as it was counts for nothing where the account was read",
  ],
  [
    "a low bid beside the default bid",
    "the default bid of an ad group, behind a low bid that means nothing there",
  ],
  ["enabling what is paused with a high bid", "enabling a paused keyword is judged by the bid that it has"],
  [
    "a plan file that claims to undo another",
    "a plan file that claims to undo another is judged like any other, unless it does",
  ],
  [
    "a program that is killed and started anew",
    "resuming a plan takes over what the process that died had reserved",
  ],
  ["two programs at once", "of many that decide at once each sees what the ones before it took"],
  ["a damaged ledger", "a damaged ledger refuses, and says which line of which file"],
  ["a missing or malformed policy", "a policy that cannot be read lets nothing through"],
  [
    "figures that are not there",
    "a figure that is unknown denies, and the message names the figure and the way out",
  ],
]);

const FOLDER = new URL("./", import.meta.url);

Deno.test("every attempt that the guide names is made by a test, and no other is promised", async () => {
  const guide = await Deno.readTextFile(new URL("../../docs/guides/policy.md", import.meta.url));
  const [, table = ""] = /\| Attempt .*\n\|.*\n((?:\|.*\n)+)/.exec(guide) ?? [];
  const attempts = table.trim().split("\n").map((row) => row.split("|")[1]?.trim());
  deepEqual(attempts, [...TESTS.keys()]);
  let sources = await Deno.readTextFile(new URL("../cli/policy_test.ts", import.meta.url));
  for await (const { name } of Deno.readDir(FOLDER)) {
    if (name !== "attack_table_test.ts") sources += await Deno.readTextFile(new URL(name, FOLDER));
  }
  deepEqual([...TESTS.values()].filter((test) => !sources.includes(test)), []);
});
