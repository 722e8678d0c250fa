import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { ChangePlan } from "../../mod.ts";
import { CASES, EXAMPLES } from "./example_cases.ts";
import { after } from "../support/hooks.ts";
import { longFile } from "../support/long.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

longFile();

Deno.test("every example is tried here and named in the index", async () => {
  const files = (await filesIn(EXAMPLES)).filter((name) => name.endsWith(".ts") && name !== "connect.ts");
  deepEqual(files, Object.keys(CASES).sort());
  const index = await Deno.readTextFile(new URL("README.md", EXAMPLES));
  for (const file of files) ok(index.includes(`(${file})`), `${file} is not in docs/examples/README.md`);
});

/** The demo account of all examples: one after another they change it, as those of a reader do. */
const state = await temporaryFolder();
after(state.remove);

for (const [file, { args, says, leaves }] of Object.entries(CASES)) {
  Deno.test(`the example ${file} runs on the demo account`, async () => {
    const folder = await Deno.makeTempDir();
    try {
      const run = new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "-q", new URL(file, EXAMPLES).href, "--demo", ...args],
        env: { PLAN_DIR: `${folder}/`, XDG_STATE_HOME: state.path, NO_COLOR: "1" },
        cwd: folder,
      });
      const { code, stdout, stderr } = await run.output();
      const decoder = new TextDecoder();
      const [out, err] = [decoder.decode(stdout), decoder.decode(stderr)];
      equal(code, 0, err);
      match(out, says);
      const files = await filesIn(folder);
      if (leaves !== undefined) deepEqual(files, leaves);
      else {
        equal(files.length, 1, `one plan: ${files}`);
        const plan = await ChangePlan.load(`${folder}/${files[0]}`);
        ok(plan.changes.length > 0, "the plan changes something");
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

async function filesIn(folder: string | URL): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
}
