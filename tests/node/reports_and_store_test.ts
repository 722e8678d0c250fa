import { match, ok } from "node:assert/strict";
import { nodeProgram } from "../support/node_program.ts";
import { longFile } from "../support/long.ts";

longFile();

/** Suites that are written for both runtimes: they use `node:test` and nothing of Deno. */
const FOLDERS = ["tests/reports", "tests/store", "tests/store/sqlite"];
/** What they check is decided by catalog, requests and the emulator's data, which are the same on every runtime. */
const OF_NO_RUNTIME = [
  "tests/reports/account_marketplaces_test.ts",
  "tests/reports/account_reports_test.ts",
  "tests/reports/emulator_test.ts",
  "tests/reports/every_type_test.ts",
  "tests/reports/report_fields_test.ts",
  "tests/reports/run_fields_test.ts",
  "tests/reports/typed_rows_test.ts",
  "tests/store/named_figures_test.ts",
];
/** What needs packages (of PostgreSQL, for random input), which Node does not find in a clone. */
const NEEDS_PACKAGES = /from "(?:[./]+support\/postgres|fast-check)/;

function suites(): string[] {
  const files = FOLDERS.flatMap((folder) =>
    [...Deno.readDirSync(folder)].map(({ name }) => `${folder}/${name}`)
  );
  return files.filter((path) =>
    path.endsWith("_test.ts") && !OF_NO_RUNTIME.includes(path) &&
    !NEEDS_PACKAGES.test(Deno.readTextFileSync(path))
  );
}

const node = await nodeProgram("24");

Deno.test({
  name: "the suites of reports and the store pass on Node 24 as they do on Deno",
  ignore: node === undefined,
  fn: async () => {
    const command = new Deno.Command(node!, {
      // A process for each file would strip the types of every module anew.
      args: ["--test", "--test-isolation=none", ...suites()],
      env: { NO_COLOR: "1" },
    });
    const { success, stdout, stderr } = await command.output();
    const text = new TextDecoder().decode(stdout);
    ok(success, text.slice(-4000) + new TextDecoder().decode(stderr));
    match(text, /pass [1-9]\d{2}/, "more than a hundred tests ran");
    match(text, /fail 0/);
  },
});
