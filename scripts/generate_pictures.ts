/**
 * Draws docs/pictures from real sessions on the embedded demo account.
 *
 *     deno run -A scripts/generate_pictures.ts [--check]
 *
 * With `--check` nothing is written; exit 1 when a picture shows something else than the commands print now. Plan ids
 * differ from run to run and are not compared.
 */
import { styledLines } from "./pictures/styled_lines.ts";
import { terminalSvg } from "./pictures/terminal_svg.ts";
import { PLAN_ID, type RecordedCommand, recordSession } from "./session/record_session.ts";

const FOLDER = new URL("../docs/pictures/", import.meta.url);
const COLUMNS = 120;

const CHANGES = `keywordId,bid,state
186308801515883,+10%,
166749563478230,0.42,
196703005814849,0.01,
9223399646101685164,,paused
`;

const session = await recordSession([
  "adsctl list campaigns -m CA --demo --limit 5 --fields campaignId,name,state,budget.budget",
  "cat bids.csv",
  'adsctl plan update keywords bids.csv -m CA --demo --note "Raise the winners" --out raise.json',
  "adsctl plan apply raise.json --demo --yes",
  "adsctl plan undo raise.json --demo --yes",
], { files: { "bids.csv": CHANGES }, columns: COLUMNS });

const pictures = [
  {
    name: "plan.svg",
    title: "A plan: what would change, before anything is sent",
    commands: session.slice(1, 3),
  },
  {
    name: "session.svg",
    title: "Look, apply, see what was refused, undo",
    commands: [session[0]!, ...session.slice(3)],
  },
];

const check = Deno.args.includes("--check");
for (const { name, title, commands } of pictures) {
  const svg = terminalSvg(commands.flatMap(linesOf), { title, columns: COLUMNS });
  const path = new URL(name, FOLDER);
  const present = await Deno.readTextFile(path).catch(() => "");
  if (present.replace(PLAN_ID, "ID") === svg.replace(PLAN_ID, "ID")) continue;
  if (check) {
    console.error(`docs/pictures/${name} differs from what the commands print: run the generator`);
    Deno.exitCode = 1;
  } else {
    await Deno.mkdir(FOLDER, { recursive: true });
    await Deno.writeTextFile(path, svg);
    console.log(`Wrote docs/pictures/${name}`);
  }
}

function linesOf({ command, output }: RecordedCommand): ReturnType<typeof styledLines> {
  return [
    ...styledLines(`\x1b[2m$\x1b[22m \x1b[1m${command}\x1b[22m`, COLUMNS),
    ...styledLines(output, COLUMNS),
  ];
}
