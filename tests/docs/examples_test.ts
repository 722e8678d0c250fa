import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { fileURLToPath } from "node:url";
import { ChangePlan } from "../../mod.ts";
import { longFile } from "../support/long.ts";
import { nodeProgram } from "../support/node_program.ts";
import { packageOnNode } from "../support/package_on_node.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

longFile();

const EXAMPLES = new URL("../../docs/examples/", import.meta.url);

const sixtyDaysAgo = new Date(Date.now() - 60 * 86_400_000).toISOString();

interface Case {
  /** What the example is started with besides `--demo`. */
  readonly args: readonly string[];
  /** What it must say. */
  readonly says: RegExp;
  /** The files it leaves, where that is not one plan. */
  readonly leaves?: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  "brands_campaign.ts": { args: ["--apply", "US"], says: /\nARCHIVED\n$/, leaves: [] },
  "display_campaign.ts": { args: ["US"], says: /5 to create/ },
  "bids_from_suggestions.ts": { args: ["CA"], says: /200 keywords read, \d+ answered, [1-9]\d* to change/ },
  "copy_campaign.ts": { args: ["--apply", "CA"], says: /Copied to campaign \d+: [1-9]/, leaves: [] },
  "agent_session.ts": { args: ["CA"], says: /Plan \S+: .*[1-9]\d* to change/ },
  "negatives_from_search_terms.ts": {
    args: ["CA"],
    says: /\d+ search terms, \d+ clicked and never bought, [1-9]\d* to keep away/,
  },
  "nightly_sync.ts": {
    args: ["CA"],
    says:
      /^(\d+) of \1 reports? of 1 profile stored, [1-9]\d* rows\nCA sp_campaigns: .* [1-9]\d* rows, 0 gaps/,
    leaves: ["ads.sqlite"],
  },
  "pause_spenders.ts": { args: ["US"], says: /\d+ targets ran, .* [1-9]\d* keywords to pause/ },
  "undo_yesterday.ts": {
    args: [`--since=${sixtyDaysAgo}`, "US"],
    says: /[1-9]\d* changes would go back/,
  },
  "weekly_jobs.ts": { args: ["CA"], says: /bids: \d+ looked at, [1-9][^]*[1-9]\d* changes in one plan/ },
};

Deno.test("every example is tried here and named in the index", async () => {
  const files = (await filesIn(EXAMPLES)).filter((name) => name.endsWith(".ts") && name !== "connect.ts");
  deepEqual(files, Object.keys(CASES).sort());
  const index = await Deno.readTextFile(new URL("README.md", EXAMPLES));
  for (const file of files) ok(index.includes(`(${file})`), `${file} is not in docs/examples/README.md`);
});

for (const [file, { args, says, leaves }] of Object.entries(CASES)) {
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

Deno.test("every example but that of the installed tool server runs on Node 24", async () => {
  const node = await nodeProgram("24");
  if (node === undefined) return;
  await using folder = await temporaryFolder();
  const { args: own, env } = await packageOnNode(folder.path);
  for (const [file, { args, says }] of Object.entries(CASES)) {
    if (file === "agent_session.ts") continue;
    const { code, stdout, stderr } = await new Deno.Command(node, {
      args: [...own, fileURLToPath(new URL(file, EXAMPLES)), "--demo", ...args],
      env: { ...env, PLAN_DIR: folder.file("plans/"), STORE: folder.file("ads.sqlite"), NO_COLOR: "1" },
      cwd: folder.path,
    }).output();
    const decoder = new TextDecoder();
    equal(code, 0, `${file}: ${decoder.decode(stderr)}`);
    match(decoder.decode(stdout), says);
  }
});

async function filesIn(folder: string | URL): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
}
