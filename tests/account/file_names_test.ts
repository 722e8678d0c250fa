import { deepEqual, equal, match, ok } from "../support/assert.ts";
import fc from "fast-check";
import { CAMPAIGN_KINDS } from "../../src/account/files/file_kinds.ts";
import { fileNames, slug } from "../../src/account/files/file_paths.ts";
import { isAccountPath } from "../../src/account/files/account_files.ts";
import { anyText } from "../support/any_text.ts";

const campaign = (name: string, id: string) => ({
  kind: CAMPAIGN_KINDS["sp"]!,
  id,
  entity: { name },
  children: [],
  withoutId: [],
});

Deno.test("hostile names give safe file names", () => {
  const names: [string, string][] = [
    ["SP | Trail Tent 2P | Exact", "sp-trail-tent-2p-exact"],
    ["../../etc/passwd", "etc-passwd"],
    ["..", "campaign"],
    ["", "campaign"],
    ["a\\b\u0000c\nd", "a-b-c-d"],
    ["CON", "con-campaign"],
    ["com1", "com1-campaign"],
    ["Ünïcode ÄÖ", "ünïcode-äö"],
    ["日本語 広告", "日本語-広告"],
    ["\u202egnp.exe", "gnp-exe"],
    ["🎒", "campaign"],
    [".hidden", "hidden"],
    ["-rf", "rf"],
  ];
  deepEqual(names.map(([name]) => slug(name)), names.map(([, expected]) => expected));
});

Deno.test("any campaigns get names that are safe, different without regard to case, and the same in any order", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          anyText({ maxLength: 200 }),
          fc.constantFrom("A", "a", "Ａ", "A-2", "é", "e\u0301", "ß", "SS"),
        ),
        { maxLength: 12 },
      ),
      (names) => {
        const campaigns = names.map((name, at) => campaign(name, String(at + 1)));
        const found = fileNames(campaigns, []);
        equal(
          new Set([...found.values()].map((name) => name.normalize("NFKD").toUpperCase().toLowerCase())).size,
          names.length,
        );
        for (const name of found.values()) {
          ok(isAccountPath(`sp/${name}.yaml`), name);
          match(name, /^[\p{L}\p{M}\p{N}-]+$/u);
          ok(new TextEncoder().encode(name).length <= 200);
        }
        deepEqual([...fileNames([...campaigns].reverse(), [])].sort(), [...found].sort());
      },
    ),
    { seed: 3, numRuns: 150 },
  );
});

Deno.test("a new campaign never takes the name of a file that is there", () => {
  deepEqual([...fileNames([campaign("Shoes", "7")], ["SHOES"]).values()], ["shoes-7"]);
});

Deno.test("no other path than that of an account file is read, written or removed", () => {
  for (
    const path of [
      "sp/../x.yaml",
      "../account.yaml",
      "sp/a/b.yaml",
      "sp/.x.yaml",
      "sp/a\\b.yaml",
      "xx/a.yaml",
      "sp/a.txt",
      "sp\\a.yaml",
      "C:/sp/a.yaml",
      "sp/C:a.yaml",
    ]
  ) {
    equal(isAccountPath(path), false, path);
  }
});
