import { KIND_NAMES, kindNoun } from "../../platform/catalog/kind_noun.ts";
import { spellKind } from "../../platform/catalog/kind_names.ts";
import { globalOptionRows } from "./shell/arguments/global_options.ts";
import { ENVIRONMENT } from "./shell/io/environment.ts";

export function optionsTopic(): string {
  const rows = globalOptionRows();
  const width = Math.max(...rows.map(({ flags }) => flags.length));
  return `Options of every command

${rows.map(({ flags, meaning }) => `  ${flags.padEnd(width)}  ${meaning}`).join("\n")}

They stand before the command or after it; the last one wins. "adsctl use" saves some of them.
`;
}

export function exitCodesTopic(): string {
  return `Exit codes

  0    Done.
  1    Failed: the platform or the network refused, or the answer to a question was no. The message says what
       may have been done.
  2    Usage: the command line, a file or the settings are wrong. Nothing was sent.
  3    Some items failed: the platform refused some, or the outcome of some is unknown. The others were done.
       Also: ids of a new plan were not found; it holds the others.
  4    Refused by a check: the account drifted from the plan; the plan was edited, was applied before, or is for
       another profile; the operation cannot be sent at all. Nothing was sent.
  5    Authentication: the identity provider or the platform does not accept the login.
  6    There are differences: "adsctl account diff" between files and account, "adsctl account drift" since the last pull or plan.
       Both end with 0 when there are none.
  130  Interrupted by Ctrl-C. What was done before is printed.

When the reader of a pipe ends early, as in "adsctl list keywords -m US | head", the exit code is 0.
`;
}

export function environmentTopic(): string {
  const width = Math.max(...ENVIRONMENT.map(({ name }) => name.length));
  return `Environment variables

${ENVIRONMENT.map(({ name, meaning }) => `  ${name.padEnd(width)}  ${meaning}`).join("\n")}

Login and platform settings, down to PLATFORM_ADS_WIRE_SHORT_WORD, and PLATFORM_ADS_DEMO may stand in the dotenv file as
well; a variable of the process wins over it, and a single setting over the platform file. The others are read
from the process alone; "adsctl use" saves a market, store, policy, format or the demo account in their
place.
`;
}

export function formatsTopic(): string {
  return `Formats

What is printed (--format):
  table  Columns that fit the terminal: long texts are cut, and fields on the right are left out, with a note. The
         default on a terminal.
  tsv    A header line, then one line a row, values separated by tabs and never cut. The default elsewhere.
  json   One array, one row a line. --json is short for it. Commands that print one thing print one object.
  jsonl  One JSON object a line, printed as the rows arrive.
  csv    RFC 4180 with every known field, for a spreadsheet and back. Values that a spreadsheet would run as a
         formula get ' before them, which is taken off when the file comes back; --raw prints them unchanged.

With json and jsonl an error is one JSON object on stderr: code (USAGE, NOT_FOUND, THROTTLED, ...), message, hint,
request_id, platform_code, status and exit_code.

--fields a,b,c chooses and orders the fields; a.b reaches into a field. For a name that does not exist the known
ones are listed. Ids are texts in JSON: they can be longer than a number of JavaScript holds. Control characters
in names are shown as \\x1b in tables, tsv and csv (\\u001b in JSON), and never sent to a terminal.

Other tools take over from there; with jq, for example:
  adsctl list keywords -m US --json | jq -r '.[] | select(.bid > 2) | .keywordId'
  adsctl list campaigns -m US --format jsonl | jq -c '{name, daily: .budget.budget}'
  adsctl plan show plan.json --json | jq '.changes | length'

What is read (plan update, plan create):
  CSV with a header row (comma, semicolon, tab or bar between cells), a JSON array, or JSON lines. "-" is standard
  input. Column names may be written keywordId, keyword_id or "Keyword ID"; "id" is the entity's own id. A cell of
  an object-valued field is JSON, or has a column of its own such as budget.budget. Empty cells change nothing.
  Amounts are numbers with a point (in CSV with semicolons, also 0,75), or changes: +10%, -5%, *1.2.
  A column that is not a field, an id that a spreadsheet has rounded (1.23E+14) and an id that is there twice are refused.
`;
}

export function weekTopic(): string {
  return `A week

Each job takes two commands: one makes a plan and shows why, the other sends it. Nothing is sent before "plan apply".

  Bring figures up to date        adsctl sync -m US
  See how it went                 adsctl figures --by campaign --days 14 --compare
  Find what moved ACOS            adsctl report compare -m US --start -14 --end -8
  Lower bids that cost too much   adsctl plan bids -m US --where 'acos30d > 35%' --change -10% --out bids.json
  Stop terms that sell nothing    adsctl plan negatives -m US --min-clicks 10 --out negatives.json
  Take over terms that sell       adsctl plan harvest -m US --map map.csv --out harvest.json
  Feed what runs out of budget    adsctl plan budgets -m US --change +20% --out budgets.json
  Send a plan, or undo it         adsctl plan apply bids.json; adsctl plan undo bids.json
  See what others changed         adsctl account drift -m US
  See what a plan did             adsctl plan outcome bids.json

Conditions count whole days of the market, newest excluded: acos30d means 30 days that end --lag days ago (default: 14,
because orders still come in). Every plan prints the days that it used.
`;
}

export function kindsTopic(): string {
  const names = KIND_NAMES.map(spellKind);
  const width = Math.max(...names.map((name) => name.length));
  return `Kinds of entities

A kind has one name in commands, tools, policies and files: keywords, brands-keywords, display-targets. Reports are
named alike: search-terms, brands-campaigns. The names of plan files and the library (sp.keywords, sb.keywords) and of
SQL (sp_keywords, sp_search_terms) are accepted as well. Case, dots, underscores and hyphens make no difference.

${KIND_NAMES.map((kind, at) => `  ${(names[at] ?? "").padEnd(width)}  ${kindNoun(kind)}`).join("\n")}

"adsctl help keywords" shows the fields of one.
`;
}

export function marketsTopic(): string {
  return `Markets

-m takes the country code of a marketplace (US, DE, JP; UK and GB are one) or a profile id. "adsctl auth profiles" lists
both. Where a marketplace has several profiles, give the profile id, or narrow with --account-type (seller, vendor,
agency) or --account-name. Without -m, PLATFORM_ADS_MARKET is used, then what "adsctl use MARKET" saved.

A plan remembers its profile, so "plan apply" needs no -m; with one, it must be the same profile.

Amounts are in the currency of the marketplace.
`;
}
