import { KIND_NAMES, kindNoun, spellKind } from "../../platform/catalog/kind_names.ts";
import { globalOptionRows } from "./shell/context/global_options.ts";
import { ENVIRONMENT } from "./shell/io/environment.ts";

export function optionsTopic(): string {
  const rows = globalOptionRows();
  const width = Math.max(...rows.map(({ flags }) => flags.length));
  return `Options of every command

${rows.map(({ flags, meaning }) => `  ${flags.padEnd(width)}  ${meaning}`).join("\n")}

Put them before or after the command. If an option is repeated, the last one wins. "adsctl use" saves some as defaults.
`;
}

export function exitCodesTopic(): string {
  return `Exit codes

  0    Done.
  1    Failed: the platform refused the request, the network failed, or you answered no. The message lists
       changes that may have gone through.
  2    Usage: the command line, a file or the settings are wrong. Nothing was sent.
  3    Partly done: the platform refused some items, or their outcome is unknown. The others went through.
       Also: some ids were not found, and the new plan holds the others.
  4    Refused by a check: the account drifted; the plan was edited, was already applied, or is for another
       profile; or the operation cannot be sent. Nothing was sent.
  5    Authentication: the identity provider or the platform rejected the login.
  6    Differences found, for example by "adsctl account diff" or "adsctl account drift". Both end with 0
       if there are none.
  130  Interrupted by Ctrl-C. Completed work is printed.

If the reader of a pipe ends early, as in "adsctl list keywords -m US | head", the exit code is 0.
`;
}

export function environmentTopic(): string {
  const width = Math.max(...ENVIRONMENT.map(({ name }) => name.length));
  return `Environment variables

${ENVIRONMENT.map(({ name, meaning }) => `  ${name.padEnd(width)}  ${meaning}`).join("\n")}

The dotenv file can hold PLATFORM_ADS_DEMO and the variables down to PLATFORM_ADS_WIRE_SHORT_WORD. The process
environment overrides the dotenv file, and single settings override the platform file. All other variables are
read from the process environment only; "adsctl use" saves market, store, policy, wire, format and demo.
`;
}

export function formatsTopic(): string {
  return `Formats

Output (--format):
  table  Fits the terminal: shortens long text and drops columns, with a note. The default on a terminal.
  tsv    A header line, then one tab-separated line per row, never shortened. The default elsewhere.
  json   One array, one row per line. --json is short for it. Commands with a single result print one object.
  jsonl  One JSON object per line, printed as rows arrive.
  csv    RFC 4180 with every known field, to edit in a spreadsheet. Values that a spreadsheet would run as a
         formula start with ', which is removed when you read the file back; --raw prints them unchanged.

--out FILE writes rows to a file, in the format of its ending: .csv, .tsv, .json, .jsonl, .parquet or .xlsx. The
file is replaced only once all rows are written. Commands that plan write the plan there.

With json and jsonl, errors are one JSON object on stderr: code (USAGE, NOT_FOUND, THROTTLED, ...), message, hint,
request_id, platform_code, status and exit_code.

--fields a,b,c selects and orders fields; a.b selects a nested field. An unknown name lists the known ones.
Ids are strings in JSON, because they can exceed JavaScript's number range. Control characters in names are
escaped: \\x1b in tables, tsv and csv, \\u001b in JSON.

Examples with jq:
  adsctl list keywords -m US --json | jq -r '.[] | select(.bid > 2) | .keywordId'
  adsctl list campaigns -m US --format jsonl | jq -c '{name, daily: .budget.budget}'
  adsctl plan show plan.json --json | jq '.changes | length'

Input (plan update, plan create):
  CSV with a header row (separated by comma, semicolon, tab or |), a JSON array, or JSON lines. "-" is standard
  input. Write column names as keywordId, keyword_id or "Keyword ID"; "id" is the entity's own id. Write an object
  field as JSON, or use a column for each part, such as budget.budget. Empty cells change nothing.
  Amounts use a decimal point (or comma, in CSV with semicolons), or are relative: +10%, -5%, *1.2.
  Unknown columns, duplicate ids, and ids rounded by a spreadsheet (1.23E+14) are refused.
`;
}

export function weekTopic(): string {
  return `A week

Weekly tasks, two commands each: one creates a plan and shows the reasons, "plan apply" sends it.

  Update the report store         adsctl sync -m US
  Review the last two weeks       adsctl figures --by campaign --days 14 --compare
  Find causes of ACOS changes     adsctl report compare -m US --start -14 --end -8
  Lower bids with high ACOS       adsctl plan bids -m US --where 'acos30d > 35%' --change -10% --out bids.json
  Block terms without sales       adsctl plan negatives -m US --min-clicks 10 --out negatives.json
  Add keywords for selling terms  adsctl plan harvest -m US --map map.csv --out harvest.json
  Raise budgets that run out      adsctl plan budgets -m US --change +20% --out budgets.json
  Send or undo a plan             adsctl plan apply bids.json; adsctl plan undo bids.json
  See changes by others           adsctl account drift -m US
  Measure a plan's effect         adsctl plan outcome bids.json

Conditions use complete days in the market's time zone. acos30d covers the 30 days that end --lag days ago
(default: 14, because orders arrive late). Every plan prints the days it used.
`;
}

export function kindsTopic(): string {
  const names = KIND_NAMES.map(spellKind);
  const width = Math.max(...names.map((name) => name.length));
  return `Kinds of entities

Commands, tools, policies and files use the same names: keywords, brands-keywords, display-targets. Report names
follow the same pattern: search-terms, brands-campaigns. Names from plan files, the library (sp.keywords, sb.keywords)
and SQL (sp_keywords, sp_search_terms) also work. Case, dots, underscores and hyphens do not matter.

${KIND_NAMES.map((kind, at) => `  ${(names[at] ?? "").padEnd(width)}  ${kindNoun(kind)}`).join("\n")}

"adsctl help keywords" shows the fields of that kind.
`;
}

export function marketsTopic(): string {
  return `Markets

-m takes a country code (US, DE, JP; UK means GB) or a profile id. "adsctl auth profiles" lists both. If a
marketplace has several profiles, give the profile id, or add --account-type (seller, vendor, agency) or
--account-name. Without -m, adsctl uses PLATFORM_ADS_MARKET, then the market saved by "adsctl use MARKET".

Plans store their profile, so "plan apply" needs no -m. If you give one, it must match.

Amounts are in the marketplace's currency.
`;
}
