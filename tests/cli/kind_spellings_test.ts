import { deepEqual, equal, match, throws } from "../support/assert.ts";
import { readSettings } from "../../src/account/files/account_settings.ts";
import { FILE_KINDS } from "../../src/account/files/file_kinds.ts";
import { RESOURCE_KINDS } from "../../src/client/entities/kinds/kinds.ts";
import { kindWord, spellKind } from "../../src/platform/catalog/kind_names.ts";
import { parseWireSetting, WireChoice } from "../../src/client/entities/wire/wire_setting.ts";
import { namedReport } from "../../src/client/reports/requests/named_report.ts";
import { presetName, REPORT_PRESET_NAMES, spellReport } from "../../src/client/reports/requests/presets.ts";
import { OPERATIONS } from "../../src/operations/table.ts";
import { kindOf } from "../../src/operations/plans/write_operation.ts";
import { readDocument } from "../../src/plans/policy/parse_policy.ts";
import { lakeTables } from "../../src/store/lake/lake_tables.ts";
import { storedLayouts } from "../../src/store/model/report_layout.ts";
import { runCli } from "./support/run_cli.ts";

/** Spellings of a kind that people, plans, SQL and old habits have. */
const spellings = (kind: string): string[] => [
  spellKind(kind),
  kind,
  kindWord(kind),
  kindWord(kind).replaceAll("_", "-"),
  kind.toUpperCase(),
];

Deno.test("policies, files, wires, tools and commands take each kind in every spelling", () => {
  const inFiles = FILE_KINDS.map(({ kind }) => kind);
  const place = { profileId: "1", countryCode: "US" };
  for (const at of spellings("sp.keywords").keys()) {
    const spelled = (kinds: readonly string[]): string[] => kinds.map((kind) => spellings(kind)[at] ?? kind);
    const all = spelled(RESOURCE_KINDS).join(", ");
    const policy = readDocument(
      `version: 1\nallow_kinds: [${all}]\nprotect: { kinds: [${all}] }`,
      "policy.yaml",
    );
    deepEqual([policy.allow_kinds, policy.protect?.kinds], [RESOURCE_KINDS, RESOURCE_KINDS]);
    const own = spelled(inFiles);
    const { settings, problems } = readSettings(
      `version: 1\nignore: { kinds: [${own}], fields: [${own.map((kind) => `${kind}.state`)}] }`,
    );
    deepEqual([problems, settings.ignore.kinds], [[], inFiles]);
    deepEqual(settings.ignore.fields, inFiles.map((kind) => `${kind}.state`));
    for (const kind of RESOURCE_KINDS) {
      const text = spellings(kind)[at] ?? kind;
      equal(kindOf(text), kind, text);
      equal(
        new WireChoice(parseWireSetting(`${text}@US=unified`), RESOURCE_KINDS).of(kind, place),
        "unified",
        text,
      );
    }
  }
});

Deno.test("settings of files refuse a kind that is given twice, and a name that is none", () => {
  const { problems } = readSettings(
    "version: 1\nmanaged: { keywords: [bid], sp.keywords: [state] }\nignore: { kinds: [keyword] }",
  );
  match(JSON.stringify(problems), /is the same kind as \\"keywords\\"/);
  match(JSON.stringify(problems), /\\"keyword\\" is not a kind\. Did you mean \\"keywords\\"/);
});

Deno.test("a report has every spelling of its family, and one for people", async () => {
  for (const name of REPORT_PRESET_NAMES) {
    for (const text of [spellReport(name), name, name.replaceAll("_", "-"), name.toUpperCase()]) {
      equal(presetName(text), name);
      equal((await namedReport(text)).report, name);
    }
  }
  deepEqual(["sp_search_terms", "sb_campaigns", "sd_targeting"].map(spellReport), [
    "search-terms",
    "brands-campaigns",
    "display-targeting",
  ]);
  throws(() => presetName("serch-terms"), /Did you mean "search-terms"/);
});

Deno.test("tables of a lake are named in every spelling of their report or kind", async () => {
  const layouts = await storedLayouts([]);
  for (
    const [name, words] of [
      ["sb_keywords", ["brands-keywords", "sb.keywords", "sb_keywords"]],
      ["sp_ad_groups", ["ad-groups", "ad_groups", "sp.ad_groups"]],
      ["sp_search_terms", ["search-terms", "sp-search-terms", "SP_SEARCH_TERMS"]],
    ] as const
  ) {
    for (const word of words) deepEqual(lakeTables([word], layouts).map((table) => table.name), [name], word);
  }
});

Deno.test("help, completions, tools and refusals show kinds and reports in the one spelling", async () => {
  const others = [...RESOURCE_KINDS.filter((kind) => kind.includes(".")), ...REPORT_PRESET_NAMES].flatMap((
    kind,
  ) => [
    kind,
    kindWord(kind),
    kindWord(kind).replaceAll("_", "-"),
  ]);
  const strange = new RegExp(`(?<![\\w.])(?:${others.join("|").replaceAll(".", "\\.")})(?![\\w.])`);
  const shown = [
    ...OPERATIONS.flatMap(({ name, input }) =>
      Object.values(input).map(({ help, brief, otherwise }) => `${name}: ${help} ${brief} ${otherwise}`)
    ),
    ...(await Deno.readTextFile("docs/tools.md")).split(/\n## /).filter((page) =>
      /^(?:list_entities|run_report|suggest_\w+|plan_(?:create|update|archive|bids))\b/m.test(page)
    ),
  ];
  for (
    const args of [["__complete", "list", ""], ["__complete", "report", ""], [
      "list",
      "strange-kind",
      "-m",
      "US",
    ]]
  ) {
    const { stdout, stderr } = await runCli(args);
    match(stdout + stderr, /brands-campaigns/);
    shown.push(stdout + stderr);
  }
  deepEqual(shown.filter((text) => strange.test(text)).map((text) => text.slice(0, 200)), []);
});
