import { equal, match } from "../support/assert.ts";
import { whyItFailed } from "../../scripts/why_it_failed.ts";

Deno.test("of a test run that failed, the first error is told first, and no name of a test that passed", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const failing = [1, 2, 3].map((number) =>
      `Deno.test("wrong ${number}", () => { throw new Error("reason ${number}"); });`
    );
    const passing = Array.from({ length: 200 }, (_, number) => `Deno.test("right ${number}", () => {});`);
    await Deno.writeTextFile(`${folder}/some_test.ts`, [...passing, ...failing].join("\n"));
    const run = new Deno.Command(Deno.execPath(), {
      args: ["test", "--quiet", "--no-check", "--no-config", folder],
      env: { NO_COLOR: "1" },
    });
    const { stdout } = await run.output();
    const told = whyItFailed(new TextDecoder().decode(stdout), 5);
    match(told, /^wrong 1 => .*\nerror: Error: reason 1\n/);
    match(
      told,
      /\n\.\.\. \d+ lines of errors more, of all that failed:\nwrong 1 => .*\nwrong 2 => .*\nwrong 3 => .*$/,
    );
    equal(told.split("\n").length, 9);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("of anything else that failed, its beginning and its end are told", () => {
  equal(whyItFailed("1\n2\n3\n4\n5\n6\n7\n8\n", 6), "1\n2\n... 2 lines left out ...\n5\n6\n7\n8");
  equal(whyItFailed("one\ntwo\n", 2), "one\ntwo");
});
