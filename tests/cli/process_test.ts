import assert from "node:assert/strict";
import { emulated } from "./support/emulated.ts";
import { screen } from "./support/screen.ts";
import { ADSCTL, HAS_PSEUDO_TERMINAL, inPipe, onTerminal } from "./support/process.ts";
import { long } from "../support/long.ts";

/** A state folder and a working folder of its own for each test. */
async function withFolder(
  step: (world: { cwd: string; env: Record<string, string> }) => Promise<void>,
): Promise<void> {
  const cwd = await Deno.makeTempDir({ prefix: "adsctl-process-" });
  try {
    await step({ cwd, env: { XDG_STATE_HOME: `${cwd}/state`, XDG_CONFIG_HOME: `${cwd}/config` } });
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
}

function adsctl(line: string): string[] {
  return [...ADSCTL, ...line.split(" ")];
}

Deno.test("in a pipe: stable lines, no colour, nothing on stderr", () =>
  withFolder(async (world) => {
    const { code, stdout, stderr } = await inPipe(adsctl("auth profiles --demo"), world);
    assert.equal(code, 0, stderr);
    assert.equal(stderr, "");
    assert.ok(!stdout.includes("\x1b"));
    assert.match(stdout, /^countryCode\tprofileId\t/);
    const usage = await inPipe(adsctl("list"), world);
    assert.deepEqual([usage.code, usage.stdout], [2, ""]);
  }));

Deno.test("a pipe whose reader goes away ends quietly", () =>
  withFolder(async (world) => {
    const line = `set -o pipefail; ${
      ADSCTL.map((word) => `'${word}'`).join(" ")
    } list keywords -m US --demo --format jsonl | head -1`;
    const { code, stdout, stderr } = await inPipe(["bash", "-c", line], world);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.equal(stdout.split("\n").length, 2);
  }));

long();
Deno.test("plan update and plan apply in two processes see one demo account; two at once lose nothing", () =>
  withFolder(async (world) => {
    const listed = await inPipe(adsctl("list keywords -m CA --demo --state enabled --json"), world);
    const two = (JSON.parse(listed.stdout) as { keywordId: string; bid?: number }[]).filter(({ bid }) =>
      bid !== undefined
    ).slice(0, 2);
    for (const [at, { keywordId }] of two.entries()) {
      await Deno.writeTextFile(`${world.cwd}/${at}.csv`, `id,bid\n${keywordId},0.${at + 3}1\n`);
      const made = await inPipe(
        adsctl(`plan update keywords ${at}.csv -m CA --demo --out ${at}.json`),
        world,
      );
      assert.equal(made.code, 0, made.stderr);
    }
    const applied = await Promise.all(
      [0, 1].map((at) => inPipe(adsctl(`plan apply ${at}.json --demo --yes`), world)),
    );
    for (const { code, stderr } of applied) assert.equal(code, 0, stderr);
    const ids = two.map(({ keywordId }) => keywordId);
    const after = await inPipe(adsctl(`list keywords -m CA --demo --json --id ${ids.join(",")}`), world);
    const bids = new Map(
      (JSON.parse(after.stdout) as { keywordId: string; bid: number }[]).map((
        { keywordId, bid },
      ) => [keywordId, bid]),
    );
    assert.deepEqual(ids.map((id) => bids.get(id)), [0.31, 0.41]);
  }));

long();
Deno.test("while emulator start serves the demo account, --demo uses it; Ctrl-C ends it", () =>
  withFolder(async (world) => {
    const [program, ...args] = adsctl("demo start --write-env demo.env");
    const server = new Deno.Command(program!, {
      args,
      cwd: world.cwd,
      env: world.env,
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const url = (await reader.read()).value!.trim();
    const listed = await inPipe(adsctl("auth profiles --demo --verbose"), world);
    assert.equal(listed.code, 0, listed.stderr);
    assert.ok(listed.stderr.includes(`${url}/na/v2/profiles`));
    const status = await inPipe(adsctl("demo status --json"), world);
    assert.equal(JSON.parse(status.stdout).served_at, url);
    const byFile = await inPipe(adsctl("auth profiles --env-file demo.env"), world);
    assert.equal(byFile.stdout, listed.stdout);
    assert.equal((await inPipe(adsctl("demo start"), world)).code, 1);
    server.kill("SIGINT");
    assert.equal((await server.status).code, 0);
    await reader.cancel();
    assert.equal(JSON.parse((await inPipe(adsctl("demo status --json"), world)).stdout).served_at, null);
    assert.equal((await inPipe(adsctl("demo reset --quiet"), world)).code, 0);
  }));

if (!HAS_PSEUDO_TERMINAL) {
  console.log("No pseudo-terminal tests: `script` of util-linux is not on this machine");
} else {
  Deno.test("on a terminal: a table that fits it, in colour unless NO_COLOR says no", () =>
    withFolder(async (world) => {
      const plain = await onTerminal(adsctl("list campaigns -m CA --demo --limit 12"), {
        ...world,
        env: { ...world.env, NO_COLOR: "1" },
      });
      assert.equal(plain.code, 0, plain.stdout);
      // deno-lint-ignore no-control-regex
      assert.doesNotMatch(plain.stdout, /\x1b\[\d*m/, "no colour");
      // A slow machine shows that it waits, and erases that.
      const [note, ...rest] = screen(plain.stdout).join("\n").trimEnd().split("\n").reverse();
      const lines = rest.reverse();
      assert.match(note!, /^No room for Campaign ID/);
      assert.equal(lines.length, 13);
      for (const line of lines) assert.ok([...line].length <= 90, line);
      const env = { ...world.env, NO_COLOR: "" };
      const coloured = await onTerminal(adsctl("list campaigns -m CA --demo --limit 1"), { ...world, env });
      assert.ok(coloured.stdout.includes("\x1b[1mName"), coloured.stdout);
    }));

  long();
  Deno.test("on a terminal: plan apply shows the plan and asks; y applies it, Ctrl-C at the question sends nothing", () =>
    withFolder(async (world) => {
      const env = { ...world.env, NO_COLOR: "1" };
      const listed = await inPipe(adsctl("list keywords -m CA --demo --state enabled --json --limit 30"), {
        ...world,
        env,
      });
      const { keywordId } = (JSON.parse(listed.stdout) as { keywordId: string; bid?: number }[]).find((
        { bid },
      ) => bid !== undefined)!;
      await Deno.writeTextFile(`${world.cwd}/k.csv`, `id,bid\n${keywordId},0.77\n`);
      await inPipe(adsctl("plan update keywords k.csv -m CA --demo --out p.json"), { ...world, env });
      const keys = (key: string): [string, string][] => [["[y/N] ", key]];
      const stopped = await onTerminal(adsctl("plan apply p.json --demo"), {
        ...world,
        env,
        keys: keys("\x03"),
      });
      assert.equal(stopped.code, 130, stopped.stdout);
      const no = await onTerminal(adsctl("plan apply p.json --demo"), { ...world, env, keys: keys("n\n") });
      assert.equal(no.code, 1, no.stdout);
      const yes = await onTerminal(adsctl("plan apply p.json --demo"), { ...world, env, keys: keys("y\n") });
      assert.equal(yes.code, 0, yes.stdout);
      assert.match(yes.stdout, /bid [\d.]+ → 0\.77/);
      assert.match(yes.stdout, /1 succeeded, 0 failed/);
    }));

  Deno.test("on a terminal: auth exchange does not show what is pasted", async () => {
    await using world = await emulated();
    const { PLATFORM_ADS_REFRESH_TOKEN: _, ...env } = world.env;
    const options = { cwd: world.folder, env };
    const link = await inPipe(adsctl("auth url --redirect-uri https://example.test/cb"), options);
    const answer = await fetch(`${link.stdout.trim()}&approve=1`, { redirect: "manual" });
    await answer.body?.cancel();
    const address = answer.headers.get("location")!;
    const run = await onTerminal(adsctl("auth exchange"), {
      ...options,
      keys: [["not shown: ", `${address}\r`]],
    });
    assert.equal(run.code, 0, run.stdout);
    assert.ok(
      !run.stdout.includes(new URL(address).searchParams.get("code")!),
      "the code is not on the screen",
    );
    assert.match(await Deno.readTextFile(`${world.folder}/.env`), /^PLATFORM_ADS_REFRESH_TOKEN=.+$/m);
  });

  long();
  Deno.test("on a terminal: plan approve makes a key, asks for a passphrase without showing it, and signs", () =>
    withFolder(async (world) => {
      const env = { ...world.env, NO_COLOR: "1", PLATFORM_ADS_MCP_PLAN_DIR: `${world.cwd}/plans` };
      const listed = await inPipe(adsctl("list keywords -m CA --demo --json --limit 1"), { ...world, env });
      const [{ keywordId }] = JSON.parse(listed.stdout);
      await Deno.writeTextFile(`${world.cwd}/k.csv`, `id,bid\n${keywordId},0.77\n`);
      const made = await inPipe(adsctl("plan update keywords k.csv -m CA --demo --out plans/ --json"), {
        ...world,
        env,
      });
      const { id } = JSON.parse(made.stdout);
      const run = await onTerminal(adsctl(`plan approve ${id} --minutes 5 --demo`), {
        ...world,
        env,
        keys: [["[y/N] ", "y\n"], ["New passphrase: ", "open sesame\r"], ["Once more: ", "open sesame\r"]],
      });
      assert.equal(run.code, 0, run.stdout);
      assert.ok(!run.stdout.includes("sesame"));
      const approval = JSON.parse(
        await Deno.readTextFile(
          /^Approved until [^]*?:\s+(\/.+)$/m.exec(run.stdout.replaceAll("\r", ""))![1]!,
        ),
      );
      assert.equal(approval.plan_id, id);
      const wrong = await onTerminal(adsctl(`plan approve ${id} --demo`), {
        ...world,
        env,
        keys: [["[y/N] ", "y\n"], ["approval key: ", "wrong\r"]],
      });
      assert.equal(wrong.code, 2, wrong.stdout);
      assert.match(wrong.stdout, /passphrase is wrong/);
    }));
}

long();
Deno.test({
  name: "on a terminal the table and the chart of a report begin on a clean line",
  ignore: !HAS_PSEUDO_TERMINAL,
  fn: async () => {
    const line = "report sp_campaigns -m CA --demo --start -2 --end -1";
    const runs = [[line, /^Date /], [`${line} --chart clicks`, /^ +\d/]] as const;
    await Promise.all(runs.map(([words, first]) =>
      withFolder(async (world) => {
        const env = { ...world.env, NO_COLOR: "1" };
        const { code, stdout } = await onTerminal(adsctl(words), { ...world, env });
        assert.equal(code, 0, stdout);
        assert.match(screen(stdout)[0]!, first);
        assert.doesNotMatch(screen(stdout).join("\n"), /pending|processing| rows/);
      })
    ));
  },
});
