import { equal, match, ok } from "../support/assert.ts";
import { withoutPolicy } from "../support/without_policy.ts";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

const MEMBERS = "ads-data-manager:IngestAudiences";

withoutPolicy("its plan is applied without an approval");
Deno.test("a file of members is checked, planned and applied, and nothing of it is printed", async () => {
  await using at = await emulated({ clock: { now: "2026-09-30T12:00:00Z", frozen: true } });
  const file = await at.write("members.csv", "user_id,email\nu2,Anna@Example.com\nu3,bert@example.com\n");
  const plan = `${at.folder}/upload.json`;
  const words = ["plan", "upload", file, "--to", MEMBERS, "-m", "US", "-p", "dataSetId=ds1", "--out", plan];
  const sent = () => at.emulator.requests().filter(({ operation }) => operation === MEMBERS).length;
  const clear = await runCli(words, at);
  equal(clear.code, 2, clear.stderr);
  match(clear.stderr, /Row 2: email is not a SHA-256 hash: the option hash hashes it\nRow 3: email/);
  const made = await runCli([...words, "--hash", "--part", "1"], at);
  equal(made.code, 0, made.stderr);
  equal(sent(), 0);
  const applied = await runCli(["plan", "apply", plan, "--yes", "--accept-risk"], at);
  equal(applied.code, 0, applied.stderr);
  equal(sent(), 2);
  const all = [clear, made, applied].map(({ stdout, stderr }) => stdout + stderr).join("");
  ok(!/anna|bert|u2|u3|[0-9a-f]{64}.*em/i.test(all), all);
  const again = await runCli(["plan", "apply", plan, "--yes", "--accept-risk"], at);
  ok(again.code !== 0);
  equal(sent(), 2);
});
