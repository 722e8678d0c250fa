import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import type { AlertMarkState } from "../../../../automation/watch/watch_state.ts";
import { command, group } from "../../shell/command.ts";
import { withFile, withProfileAndStore } from "../../shell/options/file_and_profile.ts";
import { parseEvery } from "../../shell/options/times.ts";
import { positiveInteger } from "../../shell/arguments/parse_values.ts";
import { storeOption } from "../../shell/store/store_option.ts";
import { allProfilesOption, exceptOption, profilesOption } from "../../shell/options/profile_options.ts";

/** The file that is read where none is named. */
const FILE = { what: "a file of rules", name: "watch.yaml" };

const runs = () => import("./watch_runs.ts");

export const watchCommand = group(
  "watch",
  {
    summary: "Raise alerts on figures, late reports, outside changes and plans",
    details:
      "Rules are conditions over stored figures, by market, campaign, keyword or search term, and over late reports, changes " +
      "that no plan made, and plans. An alert is kept in the store before it is delivered, and is said once. A rule may " +
      "propose a plan; nothing is sent.",
    examples: [
      ["adsctl watch init", "write a file of twelve rules to begin with"],
      ["adsctl watch test spend_jump -m US --from -60", "what a rule would have said"],
      ["adsctl watch run -m US", "look once; for cron, after each sync"],
    ],
    library: "await runWatch(profile, { file, store, state, plans })",
  },
  [
    command(
      (kit) =>
        kit.leaf("init", {
          summary: "Write a file of twelve rules to begin with",
          examples: [["adsctl watch init --out rules.yaml", "write it under a name of its own"]],
        })
          .option("--out <file>", `a file that does not exist yet (default: ${FILE.name})`),
      async (options, context) => await (await runs()).runInit(options, context),
    ),
    command(
      (kit) =>
        withFile(
          kit.leaf("check", {
            summary: "Check a file of rules, all at once, and name rules that find nothing to look at",
            details: "Every fault is printed as file:line: message. Nothing is read of the account.",
            examples: [["adsctl watch check", `check ${FILE.name}`]],
            library: 'await loadWatch("watch.yaml")',
          }),
          FILE,
        )
          .addOption(storeOption()),
      async (file, options, context) => await (await runs()).runCheck({ ...options, file }, context),
    ),
    command(
      (kit) =>
        withProfileAndStore(
          kit.leaf("test", {
            summary: "Replay a rule over stored days, and show when it would have alerted",
            details:
              "Figures are as they are known now: sales of a day are complete which they were not on that day.",
            examples: [["adsctl watch test spend_jump -m US --from -60", "the last 60 days"]],
            library: "await replayRule(rule, { profile, store, from, to })",
          }).argument("<rule>", "name of a rule").argument("[file]", FILE.what, FILE.name),
        )
          .option("--from <day>", "first day: YYYY-MM-DD, or -N days before today (default: -30)")
          .option("--to <day>", "last day (default: today where the profile is)"),
      async (rule, file, options, context) =>
        await (await runs()).runTest({ ...options, rule, file }, context),
    ),
    command(
      (kit) =>
        withProfileAndStore(withFile(
          kit.leaf("run", {
            summary: "Look once: judge the rules, keep and deliver what is new, save proposed plans",
            details:
              "Ends with 3 when there are new alerts, and with 1 when a channel could not be reached; it is tried again.",
            examples: [
              ["adsctl watch run -m US", "for cron, after each sync"],
              ["adsctl watch run --profiles US,CA --every 1h", "each hour until Ctrl-C, for two profiles"],
            ],
            library: "await runWatch(profile, { file, store, state, plans })",
          }),
          FILE,
        ))
          .addOption(profilesOption("each is watched"))
          .addOption(allProfilesOption("each is watched"))
          .addOption(exceptOption())
          .option("--every <time>", "look again and again: 15m, 1h or 1d", parseEvery)
          .option("--out <folder>", "folder for proposed plans; otherwise where other plans are"),
      async (file, options, context) => await (await runs()).runLooks({ ...options, file }, context),
    ),
    command((kit) =>
      withProfileAndStore(kit.leaf("alerts", {
        summary: "List the alerts of a profile, the newest first",
        examples: [
          ["adsctl watch alerts -m US", "what was said"],
          ["adsctl watch alerts -m US --json", "with texts, facts, and the channels that have them"],
        ],
      }))
        .option("--limit <count>", "most of them (default: 50)", positiveInteger)
        .addOption(
          new Option("--state <states>", "only alerts with these marks: new, seen, snoozed, closed, or open")
            .argParser(alertStates),
        ), async (options, context) => await (await runs()).runAlerts(options, context)),
    command(
      (kit) =>
        kit.leaf("mark", {
          summary: "Mark alerts as seen, snoozed or closed, as the console's inbox does",
          details: "A snoozed find is neither shown nor said again until the snooze is over.",
          examples: [
            ["adsctl watch mark 0123456789ab --closed --reason 'the weekend event'", "it is dealt with"],
            ["adsctl watch mark 0123456789ab --snooze 3d", "not before three days"],
          ],
          library: 'await state.mark(ids, { state: "closed", by: "Ann", reason: "sold out" })',
        }).argument("<ids...>", "ids of watch alerts")
          .option("--seen", "somebody looks at them")
          .option("--closed", "nothing is left to do")
          .option("--new", "take a mark away")
          .option("--snooze <time>", "show them again after this time: 4h, 3d", parseEvery)
          .option("--reason <text>", "reason, for others")
          .addOption(storeOption()),
      async (ids, options, context) => await (await runs()).runMark({ ...options, ids }, context),
    ),
  ],
);

/** Names of states, in a list; `open` stands for all but closed. */
function alertStates(text: string): AlertMarkState[] {
  return text.split(",").flatMap((name): AlertMarkState[] => {
    const word = name.trim();
    if (word === "open") return ["new", "seen", "snoozed"];
    if (word === "new" || word === "seen" || word === "snoozed" || word === "closed") return [word];
    throw new InvalidArgumentError("Expected new, seen, snoozed, closed or open.");
  });
}
