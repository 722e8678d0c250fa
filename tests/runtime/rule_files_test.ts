import { deepEqual, ok } from "../support/assert.ts";
import { parseGoals } from "../../src/account/goals/goals_file.ts";
import { parsePacing } from "../../src/automation/pacing/pacing_file.ts";
import { parseSchedules } from "../../src/automation/schedules/load_schedules.ts";
import { parseService } from "../../src/automation/service/service_file.ts";
import { parseWatch } from "../../src/automation/watch/watch_file.ts";

interface File {
  readonly parse: (text: string, source: string) => unknown;
  readonly consequence: string;
  readonly key: string;
  /** A valid entry, in one line. */
  readonly entry: string;
  /** Further lines that the file needs. */
  readonly rest?: string;
}

const FILES: Readonly<Record<string, File>> = {
  schedules: {
    parse: parseSchedules,
    consequence: "nothing is scheduled",
    key: "schedules",
    entry: "one: { move: bid, grid: [{ factor: 0.5 }] }",
  },
  pacing: {
    parse: parsePacing,
    consequence: "nothing is paced",
    key: "budgets",
    entry: "one: { amount: 9 }",
  },
  goals: {
    parse: parseGoals,
    consequence: "nothing is planned",
    key: "goals",
    entry: "one: { aim: sales, acos: 25% }",
  },
  watch: {
    parse: parseWatch,
    consequence: "nothing is watched",
    key: "rules",
    entry: "one: { over: campaign, when: cost7d > 1 }",
  },
  service: {
    parse: parseService,
    consequence: "no service runs",
    key: "timers",
    entry: "watch: { at: hourly }",
    rest: "profiles: all\n",
  },
};

const NAME = "Expected a name of letters, digits, _ and -, 40 at most";
const NEWER = "It is of version 2, and this release reads version 1. Install a newer release";

function refusalOf({ parse, consequence }: File, text: string): readonly string[] {
  try {
    parse(text, "f.yaml");
  } catch (error) {
    const { name, message } = error as Error;
    const [first, ...problems] = message.split("\n");
    deepEqual([name, first], ["ConfigurationError", `Cannot use f.yaml, so ${consequence}:`]);
    return problems;
  }
  throw new Error(`Accepted:\n${text}`);
}

for (const [kind, file] of Object.entries(FILES)) {
  const { parse, key, entry, rest = "" } = file;
  const whole = `version: 1\n${rest}${key}:\n  ${entry}\n`;
  const end = whole.split("\n").length;

  Deno.test(`a ${kind} file is refused in the same form as other rule files, with file, line and field`, () => {
    parse(whole, "f.yaml");
    const refused = (text: string): readonly string[] => refusalOf(file, text);

    deepEqual(refused(whole.replace("version: 1", "version: 2")), [`f.yaml:1: version: ${NEWER}`]);
    deepEqual(refused("surprise: 1\nversion: 2\n"), [`f.yaml:2: version: ${NEWER}`]);
    deepEqual(refused(whole.replace("version: 1", "version: one")), ["f.yaml:1: version: Expected 1"]);
    deepEqual(refused(whole.replace("version: 1\n", "")), ["f.yaml: version: Expected 1"]);

    for (const text of ["", "# nothing\n"]) deepEqual(refused(text), ["f.yaml: It is empty"]);
    deepEqual(refused("just words"), ["f.yaml: It holds no keys"]);
    deepEqual(refused(`${whole}version: 1\n`).map((line) => line.split(" at line")[0]), [
      `f.yaml:${end}: Map keys must be unique`,
    ]);
    const broken = refused(`${whole}more: [\n`);
    ok(broken.every((line) => /^f\.yaml:\d+: /.test(line)), broken.join("\n"));

    deepEqual(refused(`${whole}surprise: 1\n`), [`f.yaml:${end}: Unknown key surprise`]);
    const [inEntry = "", ...others] = refused(whole.replace(" }\n", ", surprise: 1 }\n"));
    ok(
      inEntry.startsWith(`f.yaml:${end - 1}: `) && inEntry.includes(`${key}.${entry.split(":")[0]}`),
      inEntry,
    );
    deepEqual(others, []);
  });

  if (kind === "service") continue;
  Deno.test(`names in a ${kind} file have letters, digits, _ and -`, () => {
    for (const name of ["bad name!", "-first", "a".repeat(41)]) {
      deepEqual(refusalOf(file, whole.replace("one:", `"${name}":`)), [`f.yaml:3: ${key}.${name}: ${NAME}`]);
    }
    if (kind !== "watch" && kind !== "pacing") return;
    deepEqual(refusalOf(file, `${whole}channels:\n  "a b": { kind: stdout }\n`), [
      `f.yaml:5: channels.a b: ${NAME}`,
    ]);
  });
}
