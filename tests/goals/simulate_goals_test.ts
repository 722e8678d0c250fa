import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { runCli } from "../cli/support/run_cli.ts";

const SMALL = ["plan", "goals", "simulate", "--account", "30x5,40x1", "--weeks", "20", "--seeds", "7"];

Deno.test("adsctl measures goals in a simulated market without an account, and prints a table with aims", async () => {
  const { code, stdout, stderr } = await runCli(SMALL, { env: {} });
  equal(code, 0, stderr);
  match(stdout, /^goals: 2 accounts of 2 sizes, seed 7: 2 accounts$/m);
  match(stdout, /^profit ahead of "no change": \d+ % \(aim 90 %\)$/m);
  match(
    stdout,
    /^profit without placements, which is the default, by that of an oracle, median of 2 accounts/m,
  );
  match(stdout, /^months above the amount by more than 2 %, of 6, .*: 0 months \(aim 0 months\)$/m);
  match(stderr, /^seed 7, 30 targets, 5 clicks a target and week, elasticity [\d.]+: \d+ % of the oracle/m);
});

Deno.test("the simulated figures for programs name each account, and are the same for the same seeds alone", async () => {
  const run = async (seed: string) => {
    const words = [...SMALL.slice(0, 3), "--account", "30x5", "--weeks", "20", "--seeds", seed, "--json"];
    const { code, stdout, stderr } = await runCli(words, { env: {} });
    equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  const [first, again, other] = [await run("7"), await run("7"), await run("8")];
  deepEqual(first, again);
  ok(JSON.stringify(first.accounts) !== JSON.stringify(other.accounts));
  const [account] = first.accounts;
  deepEqual([account.seed, account.targets, account.clicks, first.weeks], [7, 30, 5, 20]);
  ok(account.share.goals > 0.3 && account.share.goals < 1.1 && account.elasticity > 0.1);
  equal(account.months.length, 3);
  ok(first.figures.every(({ measured, unit }: { measured: string; unit: string }) => measured && unit));
});

Deno.test("accounts, weeks and seeds that make no sense are refused at once, all of them", async () => {
  const words = ["plan", "goals", "simulate", "--account", "30,5x5", "--weeks", "9", "--seeds", "9-2"];
  const { code, stderr } = await runCli(words, { env: {} });
  equal(code, 2);
  for (const part of ['"30"', '"5x5"', "--weeks is 9, expected at least 20", '--seeds is "9-2"']) {
    ok(stderr.includes(part), `${part}: ${stderr}`);
  }
});
