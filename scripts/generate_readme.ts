/**
 * Writes the terminal session at the top of the README from a real run on the embedded demo account.
 *
 *     deno run -A scripts/generate_readme.ts [--check]
 *
 * With `--check` nothing is written; exit 1 when the README shows something else than the commands print now. Plan ids
 * differ from run to run and are not compared.
 */
import { PLAN_ID, recordSession } from "./session/record_session.ts";

const README = new URL("../README.md", import.meta.url);
const SESSION = /(<!-- session -->\n\n```text\n)([\s\S]*?)(```)/;

const CHANGES = `keywordId,bid
186308801515883,+10%
166749563478230,0.42
196703005814849,0.01
`;

const COMMANDS = [
  "cat bids.csv",
  'adsctl plan update keywords bids.csv -m CA --demo --note "Raise the winners" --out raise.json',
  "adsctl plan apply raise.json --demo --yes",
  "adsctl plan undo raise.json --demo --yes",
];

const text = await Deno.readTextFile(README);
const recorded = await recordSession(COMMANDS, { files: { "bids.csv": CHANGES } });
const session = recorded.map(({ command, output }) => `$ ${command}\n${output}`).join("");
const next = text.replace(SESSION, (_, before: string, __, after: string) => `${before}${session}${after}`);
if (!SESSION.test(text)) {
  console.error(
    'Cannot find the session in README.md: there is no "<!-- session -->" with a text block after it',
  );
  Deno.exit(1);
}
const same = next.replace(PLAN_ID, "ID") === text.replace(PLAN_ID, "ID");
if (Deno.args.includes("--check")) {
  console.log(
    same ? "README.md shows what the commands print" : "README.md shows an old session: run the generator",
  );
  if (!same) {
    console.log(session);
    Deno.exit(1);
  }
} else if (!same) {
  await Deno.writeTextFile(README, next);
  console.log("Wrote README.md");
}
