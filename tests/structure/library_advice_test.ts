import { commandWords } from "../../src/operations/model/command_words.ts";
import { deepEqual, equal } from "../support/assert.ts";
import { sourceFiles } from "../support/module_graph.ts";

Deno.test("no message of the library advises --demo, which only commands have", async () => {
  const wrong: string[] = [];
  for (const file of await sourceFiles(["src"])) {
    if (file.includes("/interfaces/")) continue;
    const code = (await Deno.readTextFile(file)).replace(/^\s*(?:\/?\*|\/\/).*$/gm, "");
    if (/--demo\b/.test(code)) wrong.push(file);
  }
  deepEqual(wrong, []);
});

/** Files that name commands: no function of the library does it, or the text is a file or a drawing that adsctl makes. */
const COMMANDS_ALONE = new Set([
  "src/automation/service/units/schedules.ts",
  "src/automation/service/units/pacing.ts",
  "src/automation/scripts/sandbox.ts",
  "src/automation/watch/ready_rules.ts",
  "src/account/sheets/sheet_layout.ts",
  "src/plans/policy/suggest_policy.ts",
  "src/plans/view/terminal_text.ts",
  "src/platform/connection/access_tokens.ts",
]);
/** Arguments of programs that the library starts, a note of a page, and a rule that names its setting both ways. */
const ARGUMENTS = new Set([
  "src/automation/scripts/sandbox.ts",
  "src/automation/watch/ready_rules.ts",
  "src/store/model/query_question.ts",
  "src/store/warehouse/query_in_subprocess.ts",
  "src/platform/notes/ad_products.ts",
  "src/client/entities/preflight/published_rules.ts",
]);
/** Readers of files, whose hints adsctl alone takes from people. */
const READERS = /^src\/account\/(?:imports|sheets|tables)\//;
const FLOORS = [
  "src/base",
  "src/platform",
  "src/client",
  "src/plans",
  "src/store",
  "src/account",
  "src/automation",
];

Deno.test("messages below operations name functions and options of the library, for which adsctl puts its own", async () => {
  const wrong: string[] = [];
  for (const file of await sourceFiles(FLOORS)) {
    const code = (await Deno.readTextFile(file)).replace(/^\s*(?:\/?\*|\/\/).*$/gm, "");
    const name = file.slice(file.indexOf("src/"));
    if (/["'`. (]adsctl /.test(code) && !COMMANDS_ALONE.has(name)) wrong.push(`${name} names a command`);
    const [option] = /["'`( ]--[a-z][a-z-]+\b(?! ?[=!]=)/.exec(code) ?? [];
    if (option !== undefined && !ARGUMENTS.has(name) && !READERS.test(name)) wrong.push(`${name}${option}`);
  }
  deepEqual(wrong, []);
});

for (
  const [said, shown] of [
    [
      "Fetch them with sync() of CA with the reports a,brands-b",
      'Fetch them with "adsctl sync -m CA --report a,brands-b"',
    ],
    ["Fetch it: sync() with the report a", "Fetch it: adsctl sync --report a"],
    ["with the option acceptShrink", "with --accept-shrink"],
    ["with the option holdBack.unit: keyword", "with --hold-back-unit keyword"],
    ["not raised yet. Run sync() from 2026-09-12", "not raised yet. Run adsctl sync --start 2026-09-12"],
    ['To undo it: undo() of "p1"', 'To undo it: "adsctl plan undo p1"'],
    [
      "no hour is stored: consumeStream() stores them",
      "no hour is stored: adsctl store stream run stores them",
    ],
    ["and 5 more: accountDrift() since -1d", "and 5 more: adsctl account drift --since -1d"],
    ['planOutcome() of "p1" compares', "adsctl plan outcome p1 compares"],
    ["neither the option nor the variable", "neither the option nor the variable"],
    ['"sync()" is no campaign; sync() reads it', '"sync()" is no campaign; adsctl sync reads it'],
    ['"5\\" sync()" is a name', '"5\\" sync()" is a name'],
    ['resumePlan("a b.json") with lookOnly shows', '"adsctl plan resume --look a b.json" shows'],
  ] as const
) {
  Deno.test(`adsctl prints ${shown}`, () => equal(commandWords(said), shown));
}
