/**
 * Draws docs/pictures from real sessions on the embedded demo account.
 *
 *     deno run -A scripts/generate_pictures.ts [--check] [NAME.svg ...]
 *
 * With `--check` nothing is written; exit 1 when a picture shows something else than the commands print now. Plan ids
 * differ from run to run and are not compared. Pictures of figures follow today's date: they are drawn, and not compared.
 */
import { styledLines } from "./pictures/styled_lines.ts";
import { terminalSvg } from "./pictures/terminal_svg.ts";
import { PLAN_ID, type RecordedCommand, recordSession } from "./session/record_session.ts";

const FOLDER = new URL("../docs/pictures/", import.meta.url);

const BIDS = `keywordId,bid,state
186308801515883,+10%,
166749563478230,0.42,
196703005814849,0.01,
9223399646101685164,,paused
`;
const SLIP = `keywordId,bid
186308801515883,25
166749563478230,+10%
`;
const POLICY = `version: 1
max_bid: { CA: 3 }
max_increase: 50%
`;

interface Picture {
  /** Its file. */
  readonly name: string;
  /** What it shows. */
  readonly title: string;
  /** First words of the commands that it shows, in their order. */
  readonly shows: readonly string[];
  /** Lines that it has at most. @default all */
  readonly lines?: number;
  /** False where figures or days of today are in it. @default true */
  readonly isCompared?: boolean;
}

interface Session {
  readonly files: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly commands: readonly string[];
  readonly pictures: readonly Picture[];
}

const SESSIONS: readonly Session[] = [
  {
    files: { "bids.csv": BIDS },
    columns: 120,
    commands: [
      "adsctl list campaigns -m CA --demo --limit 5 --fields campaignId,name,state,budget.budget",
      "cat bids.csv",
      'adsctl plan update keywords bids.csv -m CA --demo --note "Raise the winners" --out raise.json',
      "adsctl plan apply raise.json --demo --yes",
      "adsctl plan undo raise.json --demo --yes",
    ],
    pictures: [
      {
        name: "plan.svg",
        title: "A plan: what would change, before anything is sent",
        shows: ["cat", "adsctl plan update"],
      },
      {
        name: "session.svg",
        title: "Look, apply, see what was refused, undo",
        shows: ["adsctl list", "adsctl plan apply", "adsctl plan undo"],
      },
    ],
  },
  {
    files: { "bids.csv": BIDS, "slip.csv": SLIP, "policy.yaml": POLICY },
    columns: 100,
    commands: [
      "adsctl auto init schedules",
      "adsctl auto show schedules",
      "cat policy.yaml",
      "adsctl plan update keywords slip.csv -m CA --demo --policy policy.yaml --out slip.json",
      'adsctl ops search "list portfolios"',
      "adsctl ops show portfolios:ListPortfolios",
      "adsctl account pull -m CA ./account --demo",
      "adsctl plan update keywords bids.csv -m CA --demo --out raise.json",
      "adsctl plan apply raise.json --demo --yes",
      "adsctl account diff ./account --demo",
      "adsctl demo export --out downloads -m CA",
      'adsctl import "downloads/Sponsored Products Campaign report.csv" -m CA --store files.sqlite',
    ],
    pictures: [
      { name: "schedule.svg", title: "The week of a schedule", shows: ["adsctl auto show schedules"] },
      {
        name: "policy.svg",
        title: "A policy stops a slip",
        shows: ["cat policy.yaml", "adsctl plan update keywords slip.csv"],
      },
      {
        name: "operations.svg",
        title: "Find an operation, and see its shape",
        shows: ["adsctl ops search", "adsctl ops show"],
        lines: 34,
      },
      {
        name: "diff.svg",
        title: "Files and account differ",
        shows: ["adsctl account diff"],
      },
      {
        name: "import.svg",
        title: "A downloaded report, and the next steps",
        shows: ["adsctl import"],
        isCompared: false,
      },
    ],
  },
  {
    files: {},
    columns: 100,
    commands: [
      "adsctl sync --demo -m CA --report sp_campaigns,sp_targeting,sb_targeting,sp_search_terms --start -65",
      "adsctl figures --demo -m CA --by week --weeks 8 --chart",
      'adsctl plan bids --demo -m CA --where "acos30d < 0.10 && clicks30d >= 25" --change +10% --out raise.json',
      'adsctl plan bids --demo -m CA --where "clicks30d >= 3" --change +10% --hold-back 25% --out bids.json',
      "adsctl plan power bids.json --demo --weeks 2 --effect 30%",
      "adsctl auto init watch",
      "adsctl auto run watch --demo -m CA",
    ],
    pictures: [
      {
        name: "figures.svg",
        title: "Cost and sales by week",
        shows: ["adsctl figures"],
        isCompared: false,
      },
      {
        name: "week.svg",
        title: "Higher bids where ACOS is low, with the figures behind each change",
        shows: ["adsctl plan bids"],
        lines: 30,
        isCompared: false,
      },
      {
        name: "experiment.svg",
        title: "The chance to see an effect, with a part held back",
        shows: ["adsctl plan power"],
        isCompared: false,
      },
      {
        name: "watch.svg",
        title: "Alerts of a first look",
        shows: ["adsctl auto run watch"],
        lines: 24,
        isCompared: false,
      },
    ],
  },
];

const check = Deno.args.includes("--check");
const named = Deno.args.filter((arg) => arg !== "--check");
for (const { pictures: all, commands, ...options } of SESSIONS) {
  const pictures = all.filter(({ name, isCompared = true }) =>
    (named.length === 0 || named.includes(name)) && (isCompared || !check)
  );
  if (pictures.length === 0) continue;
  const last = commands.findLastIndex((command) => pictures.some(({ shows }) => begins(command, shows)));
  const session = await recordSession(commands.slice(0, last + 1), options);
  for (const picture of pictures) await draw(picture, session, options.columns);
}

/** True of a command that a picture shows. */
function begins(command: string, shows: readonly string[]): boolean {
  return shows.some((words) => command.startsWith(words));
}

async function draw(
  { name, title, shows, lines: most = Infinity, isCompared = true }: Picture,
  session: readonly RecordedCommand[],
  columns: number,
): Promise<void> {
  const shown = shows.map((words) => {
    const found = session.find(({ command }) => command.startsWith(words));
    if (found === undefined) throw new Error(`Cannot draw ${name}: no command begins with "${words}"`);
    return found;
  });
  const lines = shown.flatMap(({ command, output }) => [
    ...styledLines(`\x1b[2m$\x1b[22m \x1b[1m${command}\x1b[22m`, columns),
    ...styledLines(output, columns),
  ]);
  const cut = lines.length > most
    ? [...lines.slice(0, most - 1), ...styledLines("\x1b[2m…\x1b[22m", 1)]
    : lines;
  const svg = terminalSvg(cut, { title, columns });
  const path = new URL(name, FOLDER);
  const present = await Deno.readTextFile(path).catch(() => "");
  if (present.replaceAll(PLAN_ID, "ID") === svg.replaceAll(PLAN_ID, "ID")) return;
  if (!check) {
    await Deno.mkdir(FOLDER, { recursive: true });
    await Deno.writeTextFile(path, svg);
    console.log(`Wrote docs/pictures/${name}`);
  } else if (isCompared) {
    console.error(`docs/pictures/${name} differs from what the commands print: run the generator`);
    Deno.exitCode = 1;
  }
}
