import { deepEqual, equal } from "../support/assert.ts";
import { sourceFiles } from "../support/module_graph.ts";

/**
 * An id made a text without a look at whether it is there: by its resource or its name, of the entity or of a parent.
 * A property in a template text is left to its type.
 */
const UNCHECKED = new RegExp(
  [
    String.raw`(?:\bString\(|\$\{)\s*[\w.!?#]+(?:\[(?:[^\][]|\[[^\]]*\])*\bidField\]|\["\w*Id"\]|\.adId\b)`,
    String.raw`\bString\(\s*(?:[\w.!?#]+\.)?\w*[a-z]Id\b\s*(?:\?\?[^)]*)?\)`,
    String.raw`\bString\(\s*[\w.!?#]+\["\w+\.id"\]`,
  ].join("|"),
);

Deno.test("ids of entities are read by idOf, which can answer none", async () => {
  const wrong: string[] = [];
  for (const file of await sourceFiles(["src"])) {
    // The emulator shares no code with the client, and gives each of its entities an id.
    if (file.startsWith("src/emulator/") || file === "src/base/json/id_of.ts") continue;
    for (const [at, line] of (await Deno.readTextFile(file)).split("\n").entries()) {
      if (UNCHECKED.test(line)) wrong.push(`${file}:${at + 1} ${line.trim()}`);
    }
  }
  deepEqual(wrong, []);
});

for (
  const [line, isUnchecked] of [
    ["ids.map((item) => String(item[spec.idField]))", true],
    ["`${kind} ${entity[KINDS[kind].idField]}`", true],
    ["String(item.adId)", true],
    ['String(item["adId"])', true],
    ['String(fields["campaignId"])', true],
    ['String(fields["portfolioId"] ?? "")', true],
    ['String(row["campaign.id"])', true],
    ["videos.map(({ adGroupId }) => String(adGroupId))", true],
    ['`${kind} ${entity["adGroupId"]}`', true],
    ['String(row["profile_id"])', false],
    ["isString(profileId)", false],
    ["`profile ${plan.profileId}`", false],
    ["{ [this.idField]: id }", false],
    ["`{${idField}}`", false],
    ["idOf(item, spec.idField)", false],
  ] as const
) {
  Deno.test(`the search for unchecked ids ${isUnchecked ? "finds" : "passes"} ${line}`, () => {
    equal(UNCHECKED.test(line), isUnchecked);
  });
}
