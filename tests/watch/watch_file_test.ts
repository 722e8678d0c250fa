import { deepEqual, equal, match, throws } from "../support/assert.ts";
import { parseWatch, READY_RULES } from "../../src/automation/watch/mod.ts";
import { compileWatch } from "../../src/automation/watch/watch_names.ts";

const faultsOf = (text: string): string[] => {
  try {
    parseWatch(text, "w.yaml");
  } catch (error) {
    return (error as Error).message.split("\n").slice(1);
  }
  return [];
};

Deno.test("everything that is wrong with a file of rules is named at once, with file, line and what to write", () => {
  const text = `version: 1
channels:
  hook: { kind: webhook, url_env: HOOK }
rules:
  typo: { over: campaign, when: acos30dd > 0.3 }
  elsewhere: { over: market, when: budget > 3 }
  share: { over: campaign, when: acos30d > 30 }
  far: { over: campaign, when: "true", for: 20 days, channel: hok }
  words: { over: campaign, when: cost7d > 1, say: "{nme} cost {cost7d}" }
  job: { over: market, when: cost7d > 1, propose: { job: bids } }
  affairs: { over: plans, when: open > 3, days: fresh, for: 2 }
  number: { over: campaign, when: cost7d }
`;
  const first = faultsOf(text).join("\n");
  match(first, /^w\.yaml:8: rules\.far\.for: Expected 1 to 14 days/m);
  match(first, /^w\.yaml:5: rules\.typo\.when: "acos30dd" is not known/m);
  match(first, /^w\.yaml:12: rules\.number\.when: /m);
  for (
    const pattern of [
      /^w\.yaml:5: rules\.typo\.when: "acos30dd" is not known\. Did you mean "acos30d"\?/m,
      /^w\.yaml:6: rules\.elsewhere\.when: "budget" belongs to rules over campaign, today, and this rule is over market/m,
      /^w\.yaml:7: rules\.share\.when: acos30d is a share, and 30 is 3000 %\. Write 30%/m,
      /^w\.yaml:8: rules\.far\.channel: No channel is called "hok"\. Did you mean "hook"\?/m,
      /^w\.yaml:9: rules\.words\.say: "\{nme\}" is not a fact of rules over campaign/m,
      /^w\.yaml:10: rules\.job\.propose: bids follow from a rule over keyword/m,
      /^w\.yaml:10: rules\.job\.propose: Write the change: \{ job: bids/m,
      /^w\.yaml:11: rules\.affairs\.days: Rules over plans read no figures/m,
      /^w\.yaml:11: rules\.affairs\.for: /m,
      /^w\.yaml:12: rules\.number\.when: The condition must be true or false/m,
    ]
  ) match(first, pattern);
  throws(
    () =>
      parseWatch("version: 1\nchannels: { a: { kind: slack, url_env: 'https://x' } }\nrules: {}", "w.yaml"),
    /do not belong in the file/,
  );
});

Deno.test("a rule with a wrong shape and a wrong meaning is reported for both in one round, each with its line", () => {
  const faults = faultsOf(`version: 1
rules:
  one:
    over: campaign
    when: cots7d > 1 && clcks7d > 2
    severity: loud
    colour: red
    propose: { job: bids, change: -15 }
  two:
    over: campaign
    when: campaign > 3
    for: 99 days
    channel: nobody
  three: { over: campagn, when: cots7d > 1 }
`);
  deepEqual(faults.map((fault) => fault.replace(/(\w): (?:Expected|No channel|no such).*/, "$1")), [
    "w.yaml:6: rules.one.severity",
    "w.yaml:8: rules.one.propose",
    "w.yaml:7: Unknown key colour in rules.one",
    "w.yaml:12: rules.two.for",
    "w.yaml:14: rules.three.over",
    'w.yaml:5: rules.one.when: "cots7d" is not known. Did you mean "cost7d"?; "clcks7d" is not known. Did you mean "clicks7d"?',
    "w.yaml:13: rules.two.channel",
    "w.yaml:11: rules.two.when",
  ]);
});

Deno.test("ends of an interval are written alike in conditions and sentences, and nothing else has them", () => {
  const of = (when: string, say: string): string =>
    `version: 1\nrules: { r: { over: campaign, when: "${when}", say: "${say}" } }`;
  const [rule] =
    parseWatch(of("acos30d.low > 40%", "{campaign}: {acos30d.low} to {cvr7d.high}"), "w.yaml").rules;
  equal(rule!.condition.judge({ acos30d_low: 0.41 }), true);
  deepEqual(rule!.figures.map(({ name, of }) => [name, of]), [["acos30d_low", "low"], [
    "cvr7d_high",
    "high",
  ]]);
  deepEqual(faultsOf(of("acos30d.lo > 40%", "x")), [
    'w.yaml:2: rules.r.when: "acos30d.lo" is not known. The ends of its interval are acos30d.low and acos30d.high',
  ]);
  const [both] = faultsOf(of("acos30d.lo > 40% && cots1d > 3", "x"));
  match(both!, /"acos30d\.lo" is not known.*; "cots1d" is not known\. Did you mean "cost1d"\?$/);
  deepEqual(faultsOf(of("clicks30d.low > 4", "{clicks30d.low}")), [
    'w.yaml:2: rules.r.say: "{clicks30d.low}" is not a fact of rules over campaign',
    'w.yaml:2: rules.r.when: "clicks30d.low" is not known. Only acos, roas, ctr, cvr have .low and .high',
  ]);
});

Deno.test("percentages are shares, in texts they are not, and rules on sales look at mature days unless they say otherwise", () => {
  const rule = (when: string, more = "") =>
    parseWatch(`version: 1\nrules: { r: { over: campaign, when: '${when}'${more} } }`, "w.yaml").rules[0]!;
  equal(rule("acos30d > 30% && clicks30d >= 10").condition.judge({ acos30d: 0.31, clicks30d: 10 }), true);
  equal(rule("acos30d > 30%").condition.judge({ acos30d: 0.3 }), false);
  equal(rule('campaign == "30%"').condition.judge({ campaign: "30%" }), true);
  equal(rule("ctr7d < 0.5%").condition.judge({ ctr7d: 0.004 }), true);
  equal(compileWatch("open > 7 % 4", "plans").judge({ open: 4 }), true);
  deepEqual(rule("acos30d > 30%").condition.judge({}), { unknown: "acos30d is unknown" });
  deepEqual(["cost7d > 1", "orders7d == 0", "cvr30d_before > 1%"].map((when) => rule(when).look), [
    "fresh",
    "mature",
    "mature",
  ]);
  equal(rule("orders7d == 0", ", days: fresh").look, "fresh");
  equal(parseWatch(READY_RULES, "watch.yaml").rules.length, 12);
});

Deno.test("a channel that is wrong is reported once, and the rules that name it are not", () => {
  const faults = faultsOf(`version: 1
channels: { hook: { kind: webhok } }
rules:
  a: { over: campaign, when: cost7d > 1, channel: hook }
  b: { over: campaign, when: cots7d > 1, channel: hook }
`);
  deepEqual(faults.map((fault) => fault.split(": ").slice(0, 2).join(" ")), [
    "w.yaml:2 channels.hook.kind",
    "w.yaml:5 rules.b.when",
  ]);
});
