import { equal, ok } from "../support/assert.ts";
import { longFile } from "../support/long.ts";

longFile();

/** V8 leaves garbage as long as there is room: with little room, the peak is what is held. */
const FLAGS = "--v8-flags=--max-semi-space-size=2,--max-old-space-size=300";

Deno.test({
  name: "a goal of 100,000 targets is decided in 500 MB",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const script = new URL("../bench/support/large_goal_process.ts", import.meta.url).href;
    const args = ["run", "-A", "-q", "--no-check", FLAGS, script];
    const { stdout, success, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
    ok(success, new TextDecoder().decode(stderr).slice(-2000));
    const { rows, peakMb } = JSON.parse(new TextDecoder().decode(stdout));
    equal(rows, 100_000);
    ok(peakMb < 500, `${peakMb} MB at the peak`);
  },
});
