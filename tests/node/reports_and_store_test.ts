import { match, ok } from "node:assert/strict";
import { nodeProgram } from "../support/node_program.ts";

/** Suites that are written for both runtimes: they use `node:test` and nothing of Deno. */
const SUITES = ["tests/reports/*_test.ts", "tests/store/*_test.ts", "tests/store/sqlite/*_test.ts"];

const node = await nodeProgram("24");

Deno.test({
  name: "the suites of reports and the store pass on Node 24 as they do on Deno",
  ignore: node === undefined,
  fn: async () => {
    const [program, ...args] = node!;
    const command = new Deno.Command(program!, {
      args: [...args, "--test", ...SUITES],
      env: { NO_COLOR: "1" },
    });
    const { success, stdout, stderr } = await command.output();
    const text = new TextDecoder().decode(stdout);
    ok(success, text.slice(-4000) + new TextDecoder().decode(stderr));
    match(text, /pass [1-9]\d{2}/, "more than a hundred tests ran");
    match(text, /fail 0/);
  },
});
