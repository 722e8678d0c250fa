import { deepEqual, equal, match, ok } from "node:assert/strict";
import { ChangePlan } from "../../mod.ts";

const EXAMPLES = new URL("../../docs/examples/", import.meta.url);

const sixtyDaysAgo = new Date(Date.now() - 60 * 86_400_000).toISOString();

/** What each example is started with besides `--demo`, and what it must say. */
const CASES: Readonly<Record<string, { args: readonly string[]; says: RegExp }>> = {
  "bids_from_suggestions.ts": { args: ["CA"], says: /200 keywords read, \d+ answered, [1-9]\d* to change/ },
  "copy_campaign.ts": { args: ["--apply", "CA"], says: /Copied to campaign \d+: [1-9]/ },
  "undo_yesterday.ts": {
    args: [`--since=${sixtyDaysAgo}`, "US"],
    says: /[1-9]\d* changes would go back/,
  },
};

Deno.test("every example is tried here and named in the index", async () => {
  const files: string[] = [];
  for await (const entry of Deno.readDir(EXAMPLES)) {
    if (entry.name.endsWith(".ts") && entry.name !== "connect.ts") files.push(entry.name);
  }
  deepEqual(files.sort(), Object.keys(CASES).sort());
  const index = await Deno.readTextFile(new URL("README.md", EXAMPLES));
  for (const file of files) ok(index.includes(`(${file})`), `${file} is not in docs/examples/README.md`);
});

for (const [file, { args, says }] of Object.entries(CASES)) {
  Deno.test(`the example ${file} runs on the demo account`, async () => {
    const folder = await Deno.makeTempDir();
    try {
      const run = new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "-q", new URL(file, EXAMPLES).href, "--demo", ...args],
        env: { PLAN_DIR: `${folder}/`, NO_COLOR: "1" },
        cwd: folder,
      });
      const { code, stdout, stderr } = await run.output();
      const decoder = new TextDecoder();
      const [out, err] = [decoder.decode(stdout), decoder.decode(stderr)];
      equal(code, 0, err);
      match(out, says);
      for await (const entry of Deno.readDir(folder)) {
        const plan = await ChangePlan.load(`${folder}/${entry.name}`);
        ok(plan.changes.length > 0, "the plan changes something");
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
