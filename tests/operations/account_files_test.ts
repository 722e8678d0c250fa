import { AccountFiles } from "../../src/account/files/account_files.ts";
import { checkArgumentLimits } from "../../src/interfaces/mcp/calls/call_limits.ts";
import { describedRoute } from "../../src/interfaces/console/http/operation_route.ts";
import { planAccountFiles } from "../../src/interfaces/mcp/tools/plan_changes.ts";
import { doesNotMatch, match, rejects, throws } from "../support/assert.ts";
import { planFrom } from "../../src/operations/plans/account_files.ts";
import { jsonInput } from "../../src/operations/model/field_schema.ts";

Deno.test("texts of account files have the paths of such files, and a lock file is read as one", async () => {
  const given = (path: string) => jsonInput(planFrom, { files: { [path]: "name: Spring" } });
  await given("sp/spring.yaml");
  for (const path of ["spring.yaml", "../sp/spring.yaml", "sp/../../etc/passwd", "/sp/spring.yaml"]) {
    await rejects(given(path), /as an account file: campaigns are sp\/NAME\.yaml/);
  }
  await rejects(given("account.lock.json"), /not a lock file/);
});

Deno.test("texts of some files archive nothing that they leave out", async () => {
  const files = { "sp/spring.yaml": "name: Spring" };
  await rejects(jsonInput(planFrom, { files, prune: true }), /Unrecognized key: "prune"/);
});

Deno.test("texts without a campaign or portfolio are refused, as an empty folder is", async () => {
  for (const files of [{}, { "account.yaml": "version: 1\n" }]) {
    await rejects(jsonInput(planFrom, { files }), /none is of a campaign or of portfolios\.yaml/);
  }
  await jsonInput(planFrom, { files: { "portfolios.yaml": "[]" } });
});

Deno.test("the tool server says how long an account file may be, and the console no such limit", async () => {
  match(JSON.stringify(planAccountFiles.inputSchema()), /account\.yaml; each to 20,000 characters"/);
  doesNotMatch(JSON.stringify(describedRoute(planFrom)), /characters/);
  await jsonInput(planFrom, { files: { "sp/spring.yaml": `name: Spring\n#${"x".repeat(20_001)}` } });
  checkArgumentLimits({ files: { "sp/spring.yaml": "x".repeat(20_000) } });
  throws(() => checkArgumentLimits({ files: { "sp/spring.yaml": "x".repeat(20_001) } }), RangeError);
});

Deno.test("variables that repeat each other are refused before they take hours", async () => {
  const chain = (repeated: (before: string) => string) =>
    Array.from({ length: 9 }, (_, at) => `  v${at + 1}: ${repeated(`\${v${at}}`)}\n`).join("");
  const given = (variables: string, field: string) =>
    jsonInput(planFrom, {
      files: {
        "account.yaml": `version: 1\nvariables:\n  v0: x\n${variables}`,
        "sp/spring.yaml": `name: Spring\n${field}\n`,
      },
    });
  const texts = chain((before) => `"${before.repeat(10)}"`);
  await rejects(given(texts, "state: ${v9}"), /state: uses variables that are too long together/);
  const lists = chain((before) => JSON.stringify(Array(10).fill(before)));
  await rejects(given(lists, "tags: ${v9}"), /tags: uses variables that are too long together/);
  const long = `  long: ${"x".repeat(150_000)}\n`;
  await rejects(given(long, `state: "${"${long}".repeat(200)}"`), /state: uses variables that are too long/);
});

Deno.test("many fields may use variables", () => {
  const keyword =
    "      - { keywordText: '${text} NUMBER', matchType: EXACT, state: ENABLED, bid: '${bid}' }\n";
  const keywords = Array.from({ length: 2000 }, (_, at) => keyword.replace("NUMBER", String(at))).join("");
  AccountFiles.fromTexts({
    "account.yaml": 'version: 1\nvariables: { bid: 0.5, word: wok, text: "${word} of steel" }\n',
    "sp/spring.yaml":
      "name: Spring\nstate: PAUSED\ntargetingType: MANUAL\nstartDate: 2099-03-01\nbudget: 20\n" +
      `ad_groups:\n  - name: Woks\n    state: ENABLED\n    defaultBid: 0.5\n    keywords:\n${keywords}`,
  }).check();
});
