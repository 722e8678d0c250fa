import { basename } from "node:path";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { PlanStore } from "../../../../plans/store/plan_store.ts";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { readNamedFile } from "../../../../base/runtime/read_named_file.ts";
import type { ScriptResult } from "../../../../automation/scripts/run_script.ts";
import type { Warehouse } from "../../../../store/warehouse/warehouse.ts";
import { command } from "../../shell/command.ts";
import { alertHead } from "./alert_head.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import {
  isStore,
  missingStore,
  storeOption,
  type StoreOptions,
  storePlace,
} from "../../shell/options/store_option.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { nameOf, withProfiles } from "../../shell/connect/with_profiles.ts";
import { scriptQuery } from "./script_query.ts";
import { isForMany, type ManyProfilesOptions } from "../../shell/options/many_profiles.ts";
import { again, parseEvery } from "../../shell/options/times.ts";
import { positiveInteger } from "../../shell/options/parse_values.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { say, writeText } from "../../shell/output/write_text.ts";
import { nextCommand } from "../../shell/context/shell_words.ts";

interface RunOptions extends ManyProfilesOptions, StoreOptions {
  readonly file: string;
  readonly timeout?: number;
  readonly memory?: number;
  readonly out?: string;
}

export const runCommand = command(
  (kit) =>
    kit.profilesLeaf("script", {
      each: "run the script for each",
      summary: "Run your own script that reads, plans and alerts, without sending changes",
      details:
        "FILE is TypeScript with a function as default export. It gets the profile (list, figures, plan), the " +
        "store (query), the rows of --data, log and alert. It runs in a process without network, files or " +
        "environment, using Deno, or else Node 24. Its plans are checked and saved like any other; a person " +
        "applies them. Alerts are printed, and kept in the store's inbox if there is a store. Exit code 3 if it " +
        "raises alerts, 1 if it fails.",
      examples: [
        ["adsctl auto script --new waste.ts", "write a starter script"],
        ["adsctl auto script waste.ts -m US", "run it for a profile"],
        [
          "adsctl auto script dayparting.ts -m US --data hours.csv --every 1h",
          "run it hourly until Ctrl-C, with rows of a file",
        ],
      ],
      library: 'await runScript(source, { profile, store, plans: PlanStore.open("plans") })',
    })
      .argument("<file>", "the script")
      .option("--new", "write a starter script to FILE without running it")
      .option("--data <file>", "CSV file with rows for the script")
      .option("--every <time>", "repeat at this interval: 15m, 1h or 1d", parseEvery)
      .option("--timeout <seconds>", "time limit in seconds (default: 300)", positiveInteger)
      .option("--memory <megabytes>", "memory limit in MB (default: 256)", positiveInteger)
      .option("--out <folder>", "folder for its plans (default: the current one)")
      .addOption(storeOption()),
  async (file, options, context) => {
    if (options.new) return await writeNew(file, context);
    const source = await readNamedFile(file, "the script");
    const data = options.data === undefined ? [] : await rowsOf(options.data, context);
    return await again(
      options.every,
      context,
      (context) => runOnce(source, { options: { file, ...options }, data, context }),
    );
  },
);

interface Run {
  readonly options: RunOptions;
  readonly data: readonly Readonly<Record<string, string>>[];
  readonly context: CliContext;
}

async function runOnce(source: string, run: Run): Promise<number> {
  const { options, context } = run;
  const store = await openStore(options, context);
  try {
    if (!isForMany(options)) {
      const profile = await connectProfile(options, context);
      const result = await runFor(profile, { source, store, ...run });
      return await reportAndKeep([{ profile, result }], { store, ...run });
    }
    return await withProfiles(options, context, {
      step: (profile) => runFor(profile, { source, store, ...run }),
      done: async ({ outcomes, ok }) => {
        const done = outcomes.flatMap((one) => "result" in one ? [one] : []);
        const code = await reportAndKeep(done, { store, ...run });
        return code === EXIT.done && !ok ? EXIT.someFailed : code;
      },
    });
  } finally {
    await store?.close();
  }
}

async function runFor(
  profile: ProfileClient,
  { source, store, options, data, context }: Run & { source: string; store: Warehouse | undefined },
): Promise<ScriptResult> {
  const { runScript } = await import("../../../../automation/scripts/run_script.ts");
  const { io, globals, interruption } = context;
  const many = isForMany(options) ? `${profile.countryCode} ` : "";
  const query = await scriptQuery(storePlace(options, context), context);
  return await refusingBadInput(() =>
    runScript(source, {
      profile,
      store,
      query,
      data,
      plans: PlanStore.open(options.out ?? ".", { now: io.now }),
      name: basename(options.file),
      seconds: options.timeout,
      megabytes: options.memory,
      signal: interruption.signal,
      onLog: (line) => void (globals.quiet || io.stderr.write(`${many}${visibleText(line)}\n`)),
    })
  );
}

async function reportAndKeep(
  done: readonly { readonly profile: ProfileClient; readonly result: ScriptResult }[],
  { store, ...run }: Run & { readonly store: Warehouse | undefined },
): Promise<number> {
  const { options, context } = run;
  const code = await report(done, run);
  if (store === undefined || done.every(({ result }) => result.alerts.length === 0)) return code;
  const { keepScriptAlerts } = await import("../../../../automation/service/units/script_alerts.ts");
  const { WatchState } = await import("../../../../automation/watch/watch_state.ts");
  const state = await WatchState.open(storePlace(options, context));
  // A name of its own: a service that runs the script too sends its alerts to channels, and would hold these for sent.
  const name = `run ${basename(options.file)}`;
  let count = 0;
  try {
    for (const { profile, result } of done) {
      count += (await keepScriptAlerts(result, { profile, name, state })).length;
    }
  } finally {
    await state.close();
  }
  if (count > 0) await say(`${count} kept in the inbox: "adsctl auto alerts"`, context);
  return code;
}

async function report(
  done: readonly { readonly profile: ProfileClient; readonly result: ScriptResult }[],
  { options, context }: Run,
): Promise<number> {
  const { io, globals } = context;
  if (wantsData(context)) {
    await printJson(
      done.map(({ profile: { profileId, countryCode }, result: { ok, problem = null, plans, alerts } }) => ({
        profile_id: profileId,
        country_code: countryCode,
        ok,
        problem,
        plans,
        alerts,
      })),
      context,
    );
  }
  for (const { profile, result: { problem, plans, alerts } } of done) {
    const where = done.length > 1 ? `${nameOf(profile)}: ` : "";
    if (!wantsData(context)) {
      for (const { title, text, severity } of alerts) {
        const more = text === undefined ? "" : `\n${indented(text)}`;
        await writeText(
          `${alertHead({ severity: severity ?? "note", title: where + title }, context)}${more}\n`,
          context,
        );
      }
      for (const { id, changes, findings } of plans) {
        const refused = findings.filter((finding) => finding.refused).length;
        const note = refused === 0 ? "" : `, ${refused} of them would be refused`;
        await io.stdout.write(
          `${where}Plan ${id}: ${changes} ${changes === 1 ? "change" : "changes"}${note}\n`,
        );
        await say(`To review it:\n  ${nextCommand(["plan", "show", planPath(id, options)], globals)}`, {
          io,
          globals,
        });
      }
    }
    if (problem !== undefined) {
      await io.stderr.write(`error: ${where}The script ${options.file} failed: ${visibleLines(problem)}\n`);
    }
  }
  if (done.some(({ result }) => !result.ok)) return EXIT.failed;
  return done.some(({ result }) => result.alerts.length > 0) ? EXIT.someFailed : EXIT.done;
}

function planPath(id: string | null, { out }: RunOptions): string {
  return out === undefined ? `plan-${id}.json` : fileSystem().join(out, `plan-${id}.json`);
}

function indented(text: string): string {
  return text.split("\n").map((line) => `  ${visibleText(line)}`).join("\n");
}

function visibleLines(text: string): string {
  return text.split("\n").map((line) => visibleText(line)).join("\n");
}

async function openStore(options: RunOptions, context: CliContext): Promise<Warehouse | undefined> {
  const place = storePlace(options, context);
  if (!isStore(place)) {
    if (options.store === undefined) return undefined;
    throw missingStore(place, context);
  }
  const { Warehouse } = await import("../../../../store/warehouse/warehouse.ts");
  return await Warehouse.open(place, { now: context.io.now });
}

export async function rowsOf(path: string, { io }: CliContext): Promise<Readonly<Record<string, string>>[]> {
  const { readRecords } = await import("../../shell/input/parse_records.ts");
  const rows: Readonly<Record<string, string>>[] = [];
  for (const { where, values, problem } of (await readRecords(path, io)).records) {
    if (problem !== undefined) throw new UsageError(`Cannot read the file "${path}": ${where}: ${problem}`);
    rows.push(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])));
  }
  return rows;
}

async function writeNew(file: string, { io, globals }: CliContext): Promise<number> {
  if (!await fileSystem().createText(file, SKELETON, { mode: 0o644 })) {
    throw new UsageError(`Cannot write "${file}": the file already exists. Choose another, or remove it`);
  }
  await say(
    `Wrote ${visibleText(file)}. To run it:\n  ${nextCommand(["auto", "script", file, "-m", "US"], globals)}`,
    {
      io,
      globals,
    },
  );
  return EXIT.done;
}

const SKELETON = `import type { ScriptContext } from "@platform/ads/scripts";

/** Lowers bids of keywords with high ACOS; a person applies the plan. */
export default async function ({ profile, log, alert }: ScriptContext): Promise<void> {
  // Stored figures: "adsctl sync" brings them up to date.
  const rows = await profile.figures({ by: ["keyword"], from: "-44", to: "-15" });
  const dear = rows.filter(({ clicks, acos }) => clicks >= 10 && (acos === null || acos > 0.5));
  log(\`\${rows.length} keywords have figures, \${dear.length} cost too much\`);
  if (dear.length === 0) return;

  const ids = new Set(dear.map((row) => row["keyword_id"]));
  const keywords = await profile.list("keywords", { states: ["ENABLED"] });
  const update = keywords.flatMap(({ keywordId, bid }) =>
    ids.has(keywordId) && typeof bid === "number" ? [{ keywordId, bid: Math.round(bid * 85) / 100 }] : []
  );
  const plan = await profile.plan({ kind: "keywords", update, note: "ACOS above 50 %" });
  if (plan.changes > 20) alert({ title: \`\${plan.changes} keywords cost too much in \${profile.countryCode}\` });
}
`;
