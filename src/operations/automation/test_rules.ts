import type { Alert } from "../../automation/watch/alert.ts";
import type { WatchFile } from "../../automation/watch/watch_file.ts";
import { watch } from "../../automation/service/units/watch.ts";
import { nearest } from "../../base/text/nearest.ts";
import { readDay } from "../../base/time/moment.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { commandWords } from "../model/command_words.ts";
import type { DocumentText, Fields } from "../model/field.ts";
import { defineOperation } from "../model/operation.ts";

interface TestContext {
  readonly profile: ProfileClient;
  readonly store: Warehouse;
  readonly signal?: AbortSignal | undefined;
}

export interface TestedRule {
  readonly rule: string;
  readonly over: string;
  /** Alerts in the order of their days. */
  readonly alerts: readonly Alert[];
  /** Number of days that were judged. */
  readonly days: number;
  readonly unjudged: readonly { readonly day: string; readonly why: string }[];
  /** Reason why the rule cannot be replayed at all; otherwise `null`. */
  readonly problem: string | null;
}

const { name: NAME, what } = watch.file;

const RULES = {
  type: "document",
  required: true,
  value: "file",
  file: NAME,
  maxLength: 20_000,
  help: what,
  brief: `YAML of ${NAME}`,
} as const satisfies Fields[string];

const SPENDS = "version: 1\nrules: { spends: { over: campaign, when: cost7d > 100 } }\n";

export const testRules = defineOperation<TestContext, readonly TestedRule[]>()({
  name: "auto test",
  effect: "read",
  tool: "test_rules",
  title: "Test watch rules",
  summary: "Replay rules on stored days, and show when they would have alerted",
  details:
    "Uses today's figures, whose sales are more complete than on the day itself. Exit code 3 if no rule can be " +
    "replayed.",
  brief: "Checks watch rules, and shows the stored days on which each would alert. Saves and sends nothing.",
  examples: [
    { input: { rules: SPENDS }, about: "replay every rule on the last 31 days" },
    { input: { rules: SPENDS, rule: "spends", from: "-60" }, about: "replay one rule on the last 61 days" },
  ],
  library: "await replayRule(rule, { profile, store, from, to })",
  input: {
    rule: {
      type: "text",
      isArgument: true,
      help: "rule name",
      otherwise: "each rule",
    },
    rules: RULES,
    from: {
      type: "day",
      default: "-30",
      help: "first day: YYYY-MM-DD, or -N (days before today)",
      brief: "YYYY-MM-DD or -30",
    },
    to: { type: "day", default: "today", help: "last day" },
  },
  check: async ({ rules, rule }) => void await chosenRules(rules, rule),
  async run({ profile, store, signal }, { rules: document, rule: name, from, to }): Promise<TestedRule[]> {
    const { replayRule } = await import("../../automation/watch/replay_rule.ts");
    const { today } = profile.reports;
    const days = { from: readDay(from, "from", today), to: readDay(to, "to", today) };
    const tested: TestedRule[] = [];
    for (const rule of await chosenRules(document, name)) {
      const of = { rule: rule.name, over: rule.over };
      try {
        const replay = await replayRule(rule, { profile, store, ...days, words: commandWords, signal });
        tested.push({ ...of, ...replay, problem: null });
      } catch (error) {
        if (name !== undefined || !(error instanceof RangeError)) throw error;
        tested.push({ ...of, alerts: [], days: 0, unjudged: [], problem: error.message });
      }
    }
    return tested;
  },
});

/** @throws {ConfigurationError | RangeError} listing every mistake by line, or for a name that no rule has. */
async function chosenRules(document: DocumentText, name: string | undefined): Promise<WatchFile["rules"]> {
  const { parseWatch } = await import("../../automation/watch/watch_file.ts");
  const { text, source } = typeof document === "string" ? { text: document, source: NAME } : document;
  const { rules } = parseWatch(text, source);
  const chosen = rules.filter((rule) => name === undefined || rule.name === name);
  if (chosen.length > 0 || name === undefined) return chosen;
  const near = nearest(name, rules.map((rule) => rule.name));
  throw new RangeError(
    `${source} has no rule "${name}"${near === undefined ? "" : `. Did you mean "${near}"?`}`,
  );
}
