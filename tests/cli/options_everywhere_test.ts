import { commandTree } from "../../src/interfaces/cli/command_tree.ts";
import { OLD_NAMES } from "../../src/interfaces/cli/shell/renamed_commands.ts";
import { deepEqual, equal, match, ok } from "../support/assert.ts";

interface Leaf {
  readonly path: string;
  readonly options: readonly {
    readonly long?: string;
    readonly flags: string;
    readonly description: string;
  }[];
}

const tree = commandTree();

async function leaves(): Promise<Leaf[]> {
  return (await tree).filter(({ command }) => command.commands.length === 0)
    .map(({ path, command }) => ({ path, options: command.options.map((option) => ({ ...option })) }));
}

function withoutOption(all: readonly Leaf[], long: string): string[] {
  return all.filter(({ options }) => !options.some((option) => option.long === long)).map(({ path }) => path);
}

/** Commands without an option, by the reason. */
type Exceptions = Readonly<Record<string, readonly string[]>>;

const NO_MARKET: Exceptions = {
  "They are about the program, the login or its settings": [
    ...["auth url", "auth exchange", "auth check", "use", "completions", "auto worker"],
  ],
  "They run the emulator, which is all of its profiles": [
    ...["start", "status", "faults", "advance", "snapshot", "restore", "reset", "record", "diff"]
      .map((name) => `demo ${name}`),
    ...["list", "show", "run", "connect"].map((name) => `demo arena ${name}`),
  ],
  "They describe the platform": [
    ...["ops search", "ops show", "ops apis", "ops sunset"],
    ...["report types", "report columns", "report fields", "report check"],
  ],
  "A clean room has its own account and marketplace": [
    ...["instances", "tables", "workflows", "run", "drift"].map((name) => `report clean-room ${name}`),
  ],
  "A plan, an alert or a sheet names its profile": [
    ...["held-back", "part", "show", "approve", "resume", "rows", "undo", "power", "outcome"].map((name) =>
      `plan ${name}`
    ),
    ...["auto mark", "sheet result"],
    ...["account rehearse show", "account rehearse reset", "account rehearse plan"],
  ],
  "They work on a file alone": [
    "report clean-room check",
    ...["schedules", "pacing", "watch"].map((unit) => `auto init ${unit}`),
    ...["schedules", "pacing", "goals", "watch"].map((unit) => `auto check ${unit}`),
    ...["policy check", "policy test", "policy explain"],
    ...["auto audit check", "auto audit show"],
  ],
  "They are about all of a store, or of its stream": [
    ...["schema", "restatements", "prune", "status", "grant-reader", "shard-plan"].map((name) =>
      `store ${name}`
    ),
    ...["confirm", "run", "reconcile"].map((name) => `store stream ${name}`),
  ],
  "It plays a market of its own": ["plan goals simulate"],
  "SQL names its markets; {profiles} in it takes --profiles": ["query"],
};

Deno.test("every command takes -m, except those that are about no profile or market", async () => {
  deepEqual(withoutOption(await leaves(), "--market").sort(), Object.values(NO_MARKET).flat().sort());
});

Deno.test("-m is a country code or profile id in every command", async () => {
  const byCountry = ["store maturity"]; // its shares are sums by country
  for (const { path, options } of await leaves()) {
    const market = options.find(({ long }) => long === "--market");
    if (market === undefined || byCountry.includes(path)) continue;
    match(market.flags, /^-m, --market <markets?>$/, path);
    match(market.description, /country codes? or profile ids?/, path);
  }
});

Deno.test("every command takes --json and --demo", async () => {
  const all = await leaves();
  deepEqual(withoutOption(all, "--json"), []);
  deepEqual(withoutOption(all, "--demo"), []);
});

const NO_OUT: Exceptions = {
  "The folder or the file is its argument": [
    ...["account pull", "sheet pull", "store export", "store publish", "import"],
    ...["demo snapshot", "demo restore", "demo record"],
  ],
  "It writes settings, whose place is fixed": ["init", "use"],
  "It sends or does something, and prints what came of it": [
    ...["plan apply", "plan approve", "plan resume", "report create", "report delete", "ops call"],
    ...["auto start", "auto run schedules", "auto stop", "auto run pacing", "auto mark"],
    ...["account rehearse reset", "store grant-reader", "demo reset", "demo advance"],
    ...["ops job cancel", "ops job wait"],
  ],
  "It runs until it is stopped": [
    ...["console", "demo start", "demo arena connect", "auto worker", "store stream run"],
  ],
  "It prints a text or a stream for a person or a program to read": [
    ...["auth url", "auth exchange", "auth check", "completions", "demo arena show", "ops show"],
    ...["account diff", "account rehearse show", "account rehearse plan", "plan power"],
    ...["plan goals outcome", "plan goals show", "plan goals simulate", "ops job status"],
    ...["auto show schedules", "auto show pacing", "auto plan schedules", "auto learn"],
    ...["schedules", "pacing", "goals", "watch"].map((unit) => `auto check ${unit}`),
    ...["auto audit check", "report clean-room check"],
    ...["store tap", "store status", "store shard-plan", "demo status"],
  ],
};

Deno.test("every command that prints rows, makes a file or a plan takes --out", async () => {
  deepEqual(withoutOption(await leaves(), "--out").sort(), Object.values(NO_OUT).flat().sort());
});

Deno.test("an option has one form of value in all commands", async () => {
  const forms = new Map<string, Set<string>>();
  for (const { options } of await leaves()) {
    for (const { long, flags } of options) {
      if (long === undefined || !ONE_FORM.includes(long)) continue;
      forms.set(long, (forms.get(long) ?? new Set()).add(flags.replace(/s?>$/, ">")));
    }
  }
  for (const long of ONE_FORM) {
    equal(forms.get(long)?.size, 1, `${long}: ${[...forms.get(long) ?? []].join("; ")}`);
  }
  ok(forms.size === ONE_FORM.length);
});

/** Options that many commands have. */
const ONE_FORM = ["--market", "--profiles", "--lag", "--limit", "--yes", "--note", "--all-profiles"];

/** Words for an act, by the one that commands use. */
const ACTS: Readonly<Record<string, readonly string[]>> = {
  check: ["verify", "validate", "lint", "inspect"],
  run: ["execute", "tick", "consume", "launch", "perform"],
  show: ["view", "display", "print", "get", "describe", "cat"],
  start: ["begin", "open", "up", "enable"],
  // "cancel" is what the platform calls it for its long jobs.
  stop: ["end", "terminate", "down", "disable", "halt"],
  list: ["ls", "all"],
  pull: ["download-all", "fetch", "clone"],
};

Deno.test("an act has one word in all commands, and no command is there under its old name too", async () => {
  const paths = (await leaves()).map(({ path }) => path);
  const others = new Set(Object.values(ACTS).flat());
  deepEqual(paths.filter((path) => others.has(path.split(" ").at(-1) ?? "")), []);
  deepEqual(paths.filter((path) => OLD_NAMES.includes(path)), []);
  for (const word of Object.keys(ACTS)) ok(paths.some((path) => path.endsWith(word)), word);
});
