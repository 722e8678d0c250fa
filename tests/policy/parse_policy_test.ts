import { deepEqual, equal, match, throws } from "../support/assert.ts";
import { parseCases, parseLabels, parsePolicy } from "../../src/plans/policy/parse_policy.ts";

Deno.test("a policy text has its limits of size", () => {
  const padded = (length: number): string => "version: 1\n#".padEnd(length, "x");
  equal(parsePolicy(padded(1_000_000)).rules.length, 0);
  throws(() => parsePolicy(padded(1_000_001)), /It is larger than 1,000,000 characters/);
  const rules = (count: number): string =>
    `version: 1\nrules:\n${
      Array.from({ length: count }, (_, index) =>
        `  - { name: r${index}, when: "true", level: deny, message: m }`)
        .join("\n")
    }`;
  equal(parsePolicy(rules(500)).rules.length, 500);
  throws(() => parsePolicy(rules(501)), /rules/);
  const named = (length: number): string =>
    `version: 1\nrules: [{ name: ${"k".repeat(length)}, when: 'true', level: deny, message: m }]`;
  equal(parsePolicy(named(80)).rules.length, 1);
  throws(() => parsePolicy(named(81)), /rules\.0\.name/);
  throws(() => parsePolicy("version: 1\nallow_kinds: ['']"), /allow_kinds\.0/);
});

Deno.test("of very many problems the first hundred are shown, and the rest counted", () => {
  const problems = (count: number): string => {
    const unknown = Array.from({ length: count }, (_, index) => `max_${index}: { from: x }`);
    try {
      parsePolicy(`version: 1\nlevels:\n${unknown.map((_, index) => `  l${index}: deny`).join("\n")}`);
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  };
  equal(problems(100).split("\n").length, 101);
  match(problems(101), /\n {2}and 1 more$/);
  equal(problems(102).split("\n").length, 102);
  match(problems(102), /"l99" .*\n {2}and 2 more$/);
});

/** The problems of a policy text, without what leads to them. */
function problemsOf(text: string): string[] {
  try {
    parsePolicy(text);
  } catch (error) {
    return (error as Error).message.split("\n").slice(1).map((line) => line.trim());
  }
  return [];
}

const RULE = "{ name: a, when: 'true', level: deny, message: m }";
const PLACES: readonly (readonly [text: string, problems: readonly RegExp[]])[] = [
  ["version: 1\n\nmax_bid: two", [/^Line 3: max_bid: Expected an amount/]],
  ["version: 1\nhours:\n  from: '09:00'\n  to: '25:00'", [/^Line 4: hours\.to: Expected a time of day/]],
  ["version: 1\nhours:\n  from: '09:00'", [/^Line 2: hours\.to: /]],
  // What would protect nothing in silence.
  ["version: 1\nhours: { from: '09:00', to: '09:00' }", [
    /^Line 2: hours\.to: The hours start and end at the same time$/,
  ]],
  ["version: 1\nmax_increase: 30", [/^Line 2: max_increase: Expected a percentage such as 30%/]],
  ["version: 1\nfreeze: []", [/^Line 2: freeze: Expected at least one/]],
  ["version: 1\nprotect: {}", [/^Line 2: protect: .* this protects nothing$/]],
  ["version: 1\nprotect:\n  ids: []\n  names: []", [
    /^Line 3: protect\.ids: Exp/,
    /^Line 4: protect\.names: Exp/,
  ]],
  [
    "version: 1\nrules: [{ name: a, when: 'true', level: deny, message: m, kinds: [], ops: [] }]",
    [/^Line 2: rules\.0\.kinds: /, /^Line 2: rules\.0\.ops: /],
  ],
  ["version: 1\nhours:\n  from: '09:00'\n  to:\n    '25:00'", [/^Line 4: hours\.to: /]],
  [
    "version: 1\nprotect:\n  names:\n    - Brand\n    - ''",
    [/^Line 5: protect\.names\.1: /],
  ],
  ["version: 1\nhours: { from: '09:00', to: '10:00' }\nprotect:\n  id: [1]\n  idz: [1]", [
    /^Line 4: Unknown key id in protect\. Did you mean "ids"\?$/,
    /^Line 5: Unknown key idz in protect\. Did you mean "ids"\?$/,
  ]],
  ["version: 1\nprotect:\n  id:\n    idz: 1\n  idz: 1", [
    /^Line 3: Unknown key id in protect/,
    /^Line 5: Unknown key idz in protect/,
  ]],
  ["version: 1\nrulez: []", [/^Line 2: Unknown key rulez\. Did you mean "rules"\?$/]],
  ["version: 1\nprotect: { ids: [9223406226462071360] }", [
    /^Line 2: protect\.ids\.0: Write this id in quotes/,
  ]],
  ["version: 1\nlabels: { core: [9223406226462071360] }", [
    /^Line 2: labels\.core\.0: Write this id in quotes/,
  ]],
  ["version: 1\nlabels: { core: [] }", [/^Line 2: labels\.core: Expected at least one id/]],
  ["version: 1\nprotect: { kinds: [sp.keyword], labels: [coer] }\nlabels: { core: [5] }", [
    /^Line 2: protect\.kinds\.0: There is no kind "sp\.keyword"\. Did you mean "keywords"\?$/,
  ]],
  ["version: 1\nprotect: { labels: [coer] }\nlabels: { core: [5] }", [
    /^Line 2: protect\.labels: nothing has the label "coer"\. Did you mean "core"\?$/,
  ]],
  ["version: 1\ntests: [{ name: n, kind: sp.keywords, expect: allow }]", [
    /^Line 2: tests\.0\.expect: Write pass in place of allow$/,
  ]],
  ["version: 1\nfreeze:\n  - { from: 2026-12-02,\n      to: 2026-12-01 }", [
    /^Line 4: freeze\.0\.to: The range ends before it begins$/,
  ]],
  [`version: 1\nrules:\n  - ${RULE}\n  - ${RULE}`, [/^Line 4: The name "a" is taken$/]],
  [`version: 1\nrules:\n  - ${RULE.replace("name: a", "name: max_bid")}`, [
    /^Line 3: The name "max_bid" is taken$/,
  ]],
  [`version: 1\nrules:\n  - ${RULE}\nlevels:\n  max_bid: deny\n  a: deny`, [
    /^Line 6: levels: "a" is not a plain key\. Expected one of max_changes, /,
  ]],
  [`version: 1\nrules:\n  - ${RULE}\nexceptions:\n  - { rule: a, reason: x, until: 2026-12-01 }`, []],
  ["version: 1\nexceptions:\n  - reason: x\n    until: 2026-12-01\n    rule: b", [
    /^Line 5: exceptions: no rule is called "b"$/,
  ]],
  [`version: 1\nrules:\n  - ${RULE}\n  - ${RULE.replace("name: a", "name: b").replace("true", "bdi > 1")}`, [
    /^Line 4: rule "b": Unknown variable: bdi \(character 1\)$/,
  ]],
  ["version: 1\nrules:\n  - when: 'true'\n    level: deny\n    message: m\n", [/^Line 3: rules\.0\.name: /]],
  [`version: 1\nrules:\n  - ${RULE.replace("true", "x")}`, [
    /^Line 3: rule "a": Unknown variable: x \(character 1\)$/,
  ]],
  [`version: 1\nrules:\n  - ${RULE.replace("true", "")}`, [/^Line 3: rules\.0\.when: /]],
  ["version: 1\n  bad: [", [
    /^Line 1: Nested mappings .* line 1, column 10:$/,
    /^Line 1: /,
    /^Line 2: Flow sequence .* line 2, column 9:$/,
  ]],
  ["version: 1\nversion: 1", [/^Line 2: Map keys must be unique/]],
  ["- 1", [/^It holds no keys$/]],
  ["# nothing", [/^It is empty$/]],
  ["just words", [/^It holds no keys$/]],
  ["version: 2", [
    /^Line 1: version: It is of version 2, and this release reads version 1\. Install a newer release$/,
  ]],
  ["surprise: 1\nversion: 2", [/^Line 2: version: It is of version 2,/]],
  ["version: 1\nlabels_file: a", [/^labels_file: "a" is read by loadPolicy alone$/]],
  ["max_bid: 2", [/^version: /]],
  ["version: 0", [/^Line 1: version: /]],
  ["version: '2'", [/^Line 1: version: /]],
  ["version: 1\nlabels_file: a.yaml", [/^labels_file: "a\.yaml" is read by loadPolicy alone$/]],
];

for (const [text, expected] of PLACES) {
  Deno.test(`the policy ${JSON.stringify(text)} is reported line by line`, () => {
    const found = problemsOf(text);
    equal(found.length, expected.length, found.join("\n"));
    expected.forEach((pattern, at) => match(found[at] ?? "", pattern));
  });
}

Deno.test("keys that are merged into another are not taken over unseen", () => {
  const found = problemsOf("version: 1\nprotect: &all { kinds: [x] }\nhours:\n  <<: *all");
  equal(found.some((problem) => /Unknown key <</.test(problem)), true);
});

Deno.test("a value can be referred to 99 times, and to one that is not there not at all", () => {
  const labels = (count: number): string =>
    `version: 1\nlabels:\n  a: &a [1]\n${
      Array.from({ length: count }, (_, at) => `  b${at}: *a`).join("\n")
    }`;
  deepEqual(problemsOf(labels(99)), []);
  match(problemsOf(labels(100)).join(), /^Excessive alias count/);
  match(problemsOf("version: 1\nlabels: { a: *b }").join(), /^Unresolved alias .*: b$/);
});

const MAXIMA: readonly (readonly [text: (length: number) => string, max: number])[] = [
  [(length) => `rules: [{ name: ${"n".repeat(length)}, when: 'true', level: deny, message: m }]`, 80],
  [(length) => `rules: [{ name: n, when: 'true', level: deny, message: ${"m".repeat(length)} }]`, 400],
  [
    (length) => `rules: [{ name: n, when: "${"true".padEnd(length)}", level: deny, message: m }]`,
    4000,
  ],
];

for (const [text, max] of MAXIMA) {
  Deno.test(`a policy takes a text of ${max} characters in ${text(1).slice(0, 60)}, and none longer`, () => {
    deepEqual(problemsOf(`version: 1\n${text(max)}`), []);
    equal(problemsOf(`version: 1\n${text(max + 1)}`).length, 1);
    const empty = text(0).replace("name: ,", "name: '',").replace("message:  }", "message: '' }")
      .replace('"true"', '""');
    equal(problemsOf(`version: 1\n${empty}`).length > 0, true, empty);
  });
}

const VALUES: readonly (readonly [text: string, isRead: boolean])[] = [
  ["max_bid: 0", false],
  ["max_bid: 0.01", true],
  ["max_bid: { US: 0 }", false],
  ["max_increase: 0", true],
  ["max_increase: -0.1", false],
  ["max_increase: 12.5 %", true],
  ["max_changes: 0", true],
  ["max_changes: -1", false],
  ["max_changes: 1.5", false],
  ["max_archives: -1", false],
  ["hours: { from: '24:00', to: '10:00' }", false],
  ["hours: { from: '23:59', to: '24:00' }", true],
  ["hours: { from: '09:00', to: '10:00', days: [] }", false],
  ["hours: { from: '09:00', to: '10:00', days: [Mon] }", true],
  ["freeze: [{ from: 2026-12-01, to: 2026-12-01 }]", true],
  ["freeze: [{ from: 2026-02-30, to: 2026-12-01 }]", false],
  ["labels_file: ''", false],
  ["labels: { core: ['1 2'] }", false],
  ["labels: { core: [12] }", true],
  ["exceptions: [{ rule: max_bid, reason: '', until: 2026-12-01 }]", false],
  ["exceptions: [{ rule: max_bid, reason: x, until: 2026-12-01, markets: [us] }]", false],
];

for (const [text, isRead] of VALUES) {
  Deno.test(`a policy with ${text} is ${isRead ? "read" : "refused"}`, () => {
    equal(problemsOf(`version: 1\n${text}`).length === 0, isRead);
  });
}

for (const id of ["1e3", "12.0", "+7", ".5", "-.inf"]) {
  Deno.test(`the unquoted id ${id} is refused, for it would become another text`, () => {
    const [problem] = problemsOf(`version: 1\nprotect: { ids: [${id}] }`);
    match(problem ?? "", /Line 2: .*Write this id in quotes/);
    equal(problemsOf("version: 1\nmax_bid: 1e1").length, 0, "amounts may be written so");
  });
}

Deno.test("the fields of a tested change keep decimals in lists, and ids their digits", () => {
  const [one] = parseCases(
    "tests: [{ name: x, kind: sp.keywords, id: 0012, after: { campaignId: 1e3, x: [1.5], bid: 2.50 }, expect: pass }]",
    "tests.yaml",
  );
  deepEqual(one?.after, { campaignId: "1e3", x: [1.5], bid: 2.5 });
  equal(one?.id, "0012");
  throws(
    () => parseCases("tests: [{ name: x, kind: sp.keywords, id: 1e3, expect: pass }]", "t"),
    /in quotes, in full/,
  );
});

for (const id of ["007", "0x1F", "0o17"]) {
  Deno.test(`the unquoted id ${id} keeps its digits`, () => {
    deepEqual(parseLabels(`a: [${id}]`, "labels.yaml"), { a: [id] });
  });
}
