import { deepEqual } from "../support/assert.ts";

Deno.test("a run of what there is not is refused in a line", async () => {
  for (
    const [words, problem] of [
      [["--changed", "no-such-commit"], "Cannot compare with git: fatal: "],
      [
        ["tests/no_such_folder", "README.md"],
        "Cannot test tests/no_such_folder: there is no such file or folder",
      ],
    ] as const
  ) {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "-q", "scripts/run_tests.ts", ...words],
      env: { NO_COLOR: "1", LC_ALL: "C" },
    }).output();
    const [line = "", ...others] = new TextDecoder().decode(stderr).trim().split("\n");
    deepEqual([code, stdout.length, line.startsWith(problem), others], [1, 0, true, []], line);
  }
});
