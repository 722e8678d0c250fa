import { z } from "zod";
import { nearest } from "../../base/text/nearest.ts";
import { ruleFile } from "../../base/runtime/rule_file.ts";
import { readNamedFile } from "../../base/runtime/read_named_file.ts";
import {
  compileWatch,
  figureNamed,
  isFigureOver,
  namedFacts,
  WATCH_OVERS,
  type WatchCondition,
  type WatchFigure,
  watchNames,
  type WatchOver,
} from "./watch_names.ts";

/** Urgency of an alert. */
export type AlertSeverity = "note" | "warning" | "urgent";

/** Type of plan that a rule proposes for a person to apply. */
export type WatchJob = "pause" | "bids" | "budgets" | "negatives";

/** The plan that a rule makes for all of its findings together. */
export interface WatchProposal {
  /** `pause` campaigns or keywords, change `bids` of keywords or `budgets` of campaigns, add `negatives` for terms. */
  readonly job: WatchJob;
  /** Change of bids or budgets, for example `-15%`. */
  readonly change?: string | undefined;
  /** True to apply the plan without a person if a policy names the rule under `allow_auto`. @default false */
  readonly auto?: boolean | undefined;
}

/** A rule of a watch file. */
export interface WatchRule {
  /** Name, as in the file. */
  readonly name: string;
  /** Kind of rows that the rule checks, one row at a time. */
  readonly over: WatchOver;
  /** Condition, as written in the file. */
  readonly when: string;
  /** The condition, compiled. */
  readonly condition: WatchCondition;
  /** Number of consecutive days on which the condition must hold. @default 1 */
  readonly days: number;
  /** Minimum number of clicks in the longest window that the rule reads; rows with fewer are skipped. @default 0 */
  readonly minClicks: number;
  /**
   * Days that the rule checks: only days whose orders are complete, or all days up to yesterday.
   *
   * @default mature for sales
   */
  readonly look: "mature" | "fresh";
  /** Days before the same alert is raised again. @default 1 */
  readonly quietDays: number;
  /** Urgency of its alerts. @default warning */
  readonly severity: AlertSeverity;
  /** Names of the channels for the rule's alerts. @default all of the file */
  readonly channels: readonly string[];
  /** Figures that the rule reads: those of the condition, then those used only in the first sentence of its alerts. */
  readonly figures: readonly WatchFigure[];
  /** First sentence of the rule's alerts, with facts in braces: `{campaign} cost {cost1d}`. @default the condition */
  readonly say?: string | undefined;
  /** Advice for readers. */
  readonly advice?: string | undefined;
  /** Plan to make for the rule's findings. */
  readonly propose?: WatchProposal | undefined;
}

/** Destination of alerts. Addresses and secrets are read only from the environment. */
export type WatchChannel =
  | { readonly name: string; readonly kind: "stdout" }
  | { readonly name: string; readonly kind: "inbox" }
  | { readonly name: string; readonly kind: "file"; readonly path: string }
  | { readonly name: string; readonly kind: "slack"; readonly url_env: string }
  | {
    readonly name: string;
    readonly kind: "email";
    readonly server_env: string;
    readonly from: string;
    readonly to: readonly string[];
  }
  | {
    readonly name: string;
    readonly kind: "webhook";
    readonly url_env: string;
    readonly secret_env?: string | undefined;
  };

/** Rules and channels of a watch file. */
export interface WatchFile {
  /** Path of the file. */
  readonly source: string;
  /** Rules in file order. */
  readonly rules: readonly WatchRule[];
  /** Channels in file order; standard output if the file names none. */
  readonly channels: readonly WatchChannel[];
  /** Address of the console, for links in alerts, without a trailing slash. */
  readonly console?: string | undefined;
}

const Variable = z.string().regex(
  /^[A-Z][A-Z0-9_]*$/,
  "Expected the name of an environment variable such as ALERTS_URL; addresses and secrets do not belong in the file",
);
const Address = z.string().regex(/^[^\s<>@,;]+@[^\s<>@,;]+$/, "Expected an address such as ads@example.com");

export const ChannelsShape = z.record(
  z.string(),
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("stdout") }),
    z.strictObject({ kind: z.literal("inbox") }),
    z.strictObject({ kind: z.literal("file"), path: z.string().min(1) }),
    z.strictObject({ kind: z.literal("slack"), url_env: Variable }),
    z.strictObject({
      kind: z.literal("email"),
      server_env: Variable,
      from: Address,
      to: z.union([Address.transform((one) => [one]), z.array(Address).min(1)]),
    }),
    z.strictObject({ kind: z.literal("webhook"), url_env: Variable, secret_env: Variable.optional() }),
  ], { error: "Expected kind: stdout, inbox, file, slack, email or webhook" }),
).optional();

export function channelsOf(shape: z.infer<typeof ChannelsShape>): WatchChannel[] {
  return Object.entries(shape ?? { out: { kind: "stdout" as const } }).map(([name, one]) => ({
    name,
    ...one,
  }));
}

const Days = z.union([
  z.int().min(1).max(14),
  z.string().regex(/^([1-9]|1[0-4]) days?$/).transform((text) => Number.parseInt(text)),
], { error: "Expected 1 to 14 days, such as 2 days" });

const RuleShape = z.strictObject({
  over: z.enum(WATCH_OVERS, { error: `Expected ${WATCH_OVERS.join(", ")}` }),
  when: z.string().min(1),
  for: Days.default(1),
  min_clicks: z.int().nonnegative().default(0),
  days: z.enum(["mature", "fresh"], { error: "Expected mature or fresh" }).optional(),
  once: z.enum(["daily", "weekly"], { error: "Expected daily or weekly" }).default("daily"),
  severity: z.enum(["note", "warning", "urgent"], { error: "Expected note, warning or urgent" }).default(
    "warning",
  ),
  channel: z.union([z.string().transform((name) => [name]), z.array(z.string()).min(1)], {
    error: "Expected the name of a channel, or a list of names",
  }).optional(),
  say: z.string().min(1).optional(),
  advice: z.string().min(1).optional(),
  propose: z.union([
    z.enum(["pause", "negatives"]).transform((job) => ({ job })),
    z.strictObject({
      job: z.enum(["pause", "bids", "budgets", "negatives"]),
      change: z.string().optional(),
      auto: z.boolean().optional(),
    }),
  ], { error: "Expected pause, negatives, { job: bids, change: -15% } or { job: budgets, change: +20% }" })
    .optional(),
});

const readFile = ruleFile({
  key: "rules",
  entry: RuleShape,
  more: {
    channels: ChannelsShape,
    console: z.url({
      protocol: /^https?$/,
      error: "Expected the address of a console, such as http://127.0.0.1:3900",
    }).transform((address) => address.replace(/\/+$/, "")).optional(),
  },
  consequence: ", so nothing is watched",
  byField: true,
});

function figuresOf({ figures }: WatchCondition, say = ""): WatchFigure[] {
  const named = [...say.matchAll(/\{([^}]*)\}/g)].flatMap(([, word = ""]) => figureNamed(word) ?? []);
  return [...new Map([...figures, ...named].map((figure) => [figure.name, figure])).values()];
}

const JOBS: Readonly<Record<WatchJob, readonly WatchOver[]>> = {
  pause: ["campaign", "keyword"],
  bids: ["keyword"],
  budgets: ["campaign"],
  negatives: ["search_term"],
};

/**
 * Reads a watch file, YAML or JSON.
 *
 * @throws {ConfigurationError} that lists everything that is wrong, each as `file:line: message`.
 *
 * @example
 * ```ts
 * import { loadWatch } from "@platform/ads/watch";
 *
 * async function names(path: string): Promise<string[]> {
 *   const { rules } = await loadWatch(path);
 *   return rules.map(({ name, over, when }) => `${name}: ${when} over each ${over}`);
 * }
 * ```
 */
export async function loadWatch(path: string): Promise<WatchFile> {
  return parseWatch(await readNamedFile(path, "the rule file"), path);
}

/**
 * Parses the text of a watch file.
 *
 * @param source Name of the file, for errors.
 * @throws {ConfigurationError} that lists everything that is wrong, each as `file:line: message`.
 *
 * @example
 * ```ts
 * import { parseWatch } from "@platform/ads/watch";
 *
 * const text = "version: 1\nrules: { dear: { over: campaign, when: 'acos30d > 40% && clicks30d >= 50' } }";
 * console.log(parseWatch(text, "watch.yaml").rules[0]?.look); // mature
 * ```
 */
export function parseWatch(text: string, source: string): WatchFile {
  const file = readFile(text, source);
  const channels = channelsOf(file.more.channels);
  // A channel that is wrong itself is there all the same.
  const { channels: written } = file.data as { readonly channels?: object };
  const known = written === undefined ? channels.map(({ name }) => name) : Object.keys(written);
  const rules = file.entries.flatMap(([name, shape]): WatchRule[] => {
    const at = (path: readonly string[], message: string): void => file.at(name, path, message);
    const { over, when, propose } = shape;
    const say = shape.say === undefined ? undefined : namedFacts(shape.say);
    for (const channel of shape.channel ?? []) {
      if (known.includes(channel)) continue;
      const near = nearest(channel, known);
      at(
        ["channel"],
        `No channel is called "${channel}"${near === undefined ? "" : `. Did you mean "${near}"?`}`,
      );
    }
    for (const [, word = ""] of say?.matchAll(/\{([^}]*)\}/g) ?? []) {
      if (word === "day" || word === "market" || watchNames(over).includes(word)) continue;
      at(["say"], `"{${word}}" is not a fact of rules over ${over}`);
    }
    if (propose !== undefined) {
      const change = "change" in propose ? propose.change : undefined;
      const needsChange = propose.job === "bids" || propose.job === "budgets";
      if (!JOBS[propose.job].includes(over)) {
        at(
          ["propose"],
          `${propose.job} follow from a rule over ${
            JOBS[propose.job].join(" or ")
          }, and this is over ${over}`,
        );
      }
      if (needsChange && change === undefined) {
        at(["propose"], `Write the change: { job: ${propose.job}, change: -15% }`);
      }
      if (change !== undefined && !/^[+-]\d+(\.\d+)?%$/.test(change)) {
        at(["propose", "change"], "Expected a percentage such as -15% or +20%");
      }
    }
    if (!isFigureOver(over)) {
      for (
        const [key, given] of [["days", shape.days], ["min_clicks", shape.min_clicks || undefined]] as const
      ) {
        if (given !== undefined) at([key], `Rules over ${over} read no figures`);
      }
      if (shape.for > 1) at(["for"], `Rules over ${over} only check the current state`);
    }
    try {
      const condition = compileWatch(when, over);
      return [{
        name,
        over,
        when,
        condition,
        days: shape.for,
        minClicks: shape.min_clicks,
        look: shape.days ?? (condition.readsSales ? "mature" : "fresh"),
        figures: figuresOf(condition, say),
        quietDays: shape.once === "weekly" ? 7 : 1,
        severity: shape.severity,
        channels: shape.channel ?? known,
        say,
        advice: shape.advice,
        propose,
      }];
    } catch (error) {
      at(["when"], (error as Error).message);
      return [];
    }
  });
  file.refuse();
  return { source, rules, channels, console: file.more.console };
}
