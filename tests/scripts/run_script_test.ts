import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { PlanStore, type ProfileClient } from "../../mod.ts";
import { runScript, type RunScriptOptions, type ScriptResult } from "../../src/automation/scripts/mod.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { emulated } from "../support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { long } from "../support/long.ts";
import { until } from "../support/until.ts";

interface Ran extends ScriptResult {
  readonly lines: readonly string[];
}

async function run(
  body: string,
  options: { profile: ProfileClient; folder: string } & Partial<Omit<RunScriptOptions, "profile">>,
): Promise<Ran> {
  const { folder, ...rest } = options;
  const lines: string[] = [];
  const source =
    `export default async ({ profile, store, data, today, log, alert }: any) => {\n${body}\n};\n`;
  const plans = PlanStore.open(folder);
  const result = await runScript(source, {
    plans,
    name: "try.ts",
    onLog: (line) => lines.push(line),
    ...rest,
  });
  return { ...result, lines };
}

/** Requests of an emulator that change something. */
function writes(requests: readonly { readonly method: string; readonly path: string }[]): string[] {
  return requests.filter(({ method, path }) =>
    method === "PUT" || method === "DELETE" || (method === "POST" && !/list|token|recommend/i.test(path))
  )
    .map(({ method, path }) => `${method} ${path}`);
}

Deno.test("a script reads, plans and alerts; its plan is saved, judged and open, and nothing is sent", async () => {
  await using world = await emulated();
  await using folder = await temporaryFolder();
  const ran = await run(
    `
    const keywords = await profile.list("sp.keywords", { states: ["ENABLED"] });
    const own = keywords.filter(({ bid }: any) => typeof bid === "number").slice(0, 3);
    const plan = await profile.plan({
      kind: "sp.keywords",
      update: own.map(({ keywordId, bid }: any, at: number) => ({ keywordId, bid: at === 0 ? 5000 : bid + 0.01 })),
      note: "from a script",
    });
    log("found", keywords.length, plan.changes, { today, data });
    console.log("also", profile.countryCode, profile.currencyCode);
    alert({ title: "Look here", text: "because", severity: "urgent" });
    alert({ title: 7, severity: "extreme" });
    `,
    { profile: world.us, folder: folder.path, data: [{ hour: "7", factor: "0.8" }] },
  );
  equal(ran.ok, true, ran.problem);
  const enabled = await world.us.sp.keywords.list({ states: ["ENABLED"] });
  deepEqual(ran.lines, [
    `found ${enabled.length} 3 {"today":"2026-09-30","data":[{"hour":"7","factor":"0.8"}]}`,
    "also US USD",
  ]);
  deepEqual(ran.alerts, [
    { title: "Look here", text: "because", severity: "urgent" },
    { title: "7", severity: "warning" },
  ]);
  const [plan] = ran.plans;
  equal(plan!.changes, 3);
  ok(
    plan!.findings.some(({ code }) => code === "BID_OUT_OF_MARKET_PLACE_RANGE"),
    JSON.stringify(plan!.findings),
  );
  const store = PlanStore.open(folder.path);
  equal((await store.get(plan!.id!)).note, "from a script");
  equal((await store.status(plan!.id!)).state, "open");
  deepEqual(writes(world.emulator.requests()), []);
});

Deno.test("a script has no files, network, environment, programs or modules, whichever way it asks", async () => {
  await using world = await emulated();
  await using folder = await temporaryFolder();
  const secret = `${folder.path}/secret.json`;
  await Deno.writeTextFile(secret, '{"secret":"do not tell"}');
  await Deno.writeTextFile(`${folder.path}/other.ts`, 'export default "do not tell";');
  const url = `file://${secret}`;
  const { hostname, port } = new URL(world.emulator.url);
  const before = world.emulator.requests().length;
  const tries: Readonly<Record<string, string>> = {
    read: `Deno.readTextFileSync(${JSON.stringify(secret)})`,
    folder: `[...Deno.readDirSync(${JSON.stringify(folder.path)})].length`,
    fs: `(await import("node:fs")).readFileSync(${JSON.stringify(secret)}, "utf8")`,
    sqlite: `new (await import("node:sqlite")).DatabaseSync(${JSON.stringify(`${folder.path}/x.db`)})`,
    write: `Deno.writeTextFileSync(${JSON.stringify(`${folder.path}/left`)}, "x")`,
    json: `JSON.stringify(await import(${JSON.stringify(url)}, { with: { type: "json" } }))`,
    computed: `JSON.stringify(await import(${
      JSON.stringify(url)
    }.replace("secret", "secret"), { with: { type: "json" } }))`,
    text: `JSON.stringify(await import(${JSON.stringify(url)}, { with: { type: "text" } }))`,
    localhost: `JSON.stringify(await import(${
      JSON.stringify(url.replace("file:///", "file://localhost/"))
    }, { with: { type: "json" } }))`,
    upper: `JSON.stringify(await import(${
      JSON.stringify(url.replace("file:", "FILE:"))
    }, { with: { type: "json" } }))`,
    module: `(await import(${JSON.stringify(`file://${folder.path}/other.ts`)})).default`,
    relative: `(await import("./other.ts")).default`,
    blob: `(await import(URL.createObjectURL(new Blob([${
      JSON.stringify(`import x from "${url}" with { type: "json" }; export default x.secret`)
    }], { type: "application/javascript" })))).default`,
    fetch: `(await fetch(${JSON.stringify(`${world.emulator.url}/_emulator/settings`)})).status`,
    fetch_file: `await (await fetch(${JSON.stringify(url)})).text()`,
    connect: `await Deno.connect({ hostname: ${JSON.stringify(hostname)}, port: ${port} })`,
    listen: `Deno.listen({ port: 0 })`,
    net: `await import("node:net").then(({ connect }) => new Promise((done, fail) => connect(${port}, ${
      JSON.stringify(hostname)
    }, () => done("connected")).on("error", fail)))`,
    remote: `await import(${JSON.stringify(`${world.emulator.url}/x.js`)})`,
    npm: `await import("npm:yaml")`,
    env: `Deno.env.get("PATH")`,
    all_env: `JSON.stringify(Deno.env.toObject())`,
    process_env: `(await import("node:process")).default.env.HOME.length`,
    run: `new Deno.Command(${JSON.stringify(Deno.execPath())}, { args: ["--version"] }).outputSync().success`,
    child: `(await import("node:child_process")).execFileSync(${
      JSON.stringify(Deno.execPath())
    }, ["--version"])`,
    ffi: `Deno.dlopen("/lib/x86_64-linux-gnu/libc.so.6", {})`,
    host: `Deno.hostname()`,
    kill: `Deno.kill(${Deno.pid}, "SIGCONT")`,
    prompt:
      `(await Deno.permissions.request({ name: "read" })).state === "granted" ? "granted" : (() => { throw new Error("denied") })()`,
  };
  const body = Object.entries(tries).map(([name, code]) =>
    `try { log(${JSON.stringify(name)}, "OPEN", String(${code})); } catch (error) { log(${
      JSON.stringify(name)
    }, "closed"); }`
  ).join("\n");
  const ran = await run(body, { profile: world.us, folder: folder.path });
  equal(ran.ok, true, ran.problem);
  deepEqual(ran.lines, Object.keys(tries).map((name) => `${name} closed`));
  equal(world.emulator.requests().length, before, "nothing reached the platform");
  deepEqual([...Deno.readDirSync(folder.path)].map(({ name }) => name).sort(), ["other.ts", "secret.json"]);
});

Deno.test("a static import of a local file, a worker and forged messages give a script nothing more", async () => {
  await using world = await emulated();
  await using folder = await temporaryFolder();
  const secret = `${folder.path}/secret.json`;
  await Deno.writeTextFile(secret, '{"secret":"do not tell"}');
  const plans = PlanStore.open(folder.path);
  const fixed = await runScript(
    `import x from "file://${secret}" with { type: "json" };\nexport default ({ log }: any) => log(x.secret);`,
    { profile: world.us, plans, name: "fixed.ts" },
  );
  equal(fixed.ok, false);
  ok(!JSON.stringify(fixed).includes("do not tell"));
  const missing = await run(
    `log(typeof Worker, typeof process, typeof require);
     for (const name of ["process", "fs", "fs/promises", "module", "worker_threads", "vm", "sqlite", "test"]) {
       await import("node:" + name).then(() => log("loaded", name), () => {});
     }`,
    { profile: world.us, folder: folder.path },
  );
  deepEqual(missing.lines, ["undefined undefined undefined"], missing.problem);
  const before = world.emulator.requests().length;
  const forged = await run(
    `const write = (text: string) => void Deno.stdout.writeSync(new TextEncoder().encode(text));
     for (const method of ["apply", "request", "create", "send", "constructor", "__proto__"]) {
       write(JSON.stringify({ id: 900, method, params: { path: "/sp/keywords", method: "PUT" } }) + "\\n");
     }
     write("no JSON\\nnull\\n7\\n[]\\n");
     write(JSON.stringify({ log: { toString: 1 } }) + "\\n");`,
    { profile: world.us, folder: folder.path },
  );
  ok(forged.lines.length <= 1);
  deepEqual(forged.plans, []);
  equal(world.emulator.requests().length, before);
});

long();
Deno.test("a script that hangs, takes too much memory or writes without end is ended and told", async () => {
  await using world = await emulated();
  await using folder = await temporaryFolder();
  const place = { profile: world.us, folder: folder.path };
  const hangs = await run("for (;;) {}", { ...place, seconds: 1 });
  deepEqual([hangs.ok, hangs.problem], [false, "it took longer than 1 s and was ended"]);
  const waits = await run("await new Promise((done) => setTimeout(done, 1e9));", { ...place, seconds: 1 });
  match(waits.problem!, /longer than 1 s/);
  const memory = await run("const all = []; for (;;) all.push(new Array(1e6).fill(1));", {
    ...place,
    megabytes: 64,
  });
  match(memory.problem!, /used more than 64 MB of memory and was ended/);
  const writing = await run('for (let at = 0; at < 20_000; at++) log("line", at);', place);
  match(writing.problem!, /wrote more than 10000 lines and was ended/);
  const asking = await run('for (;;) profile.list("sp.campaigns").catch(() => {});', place);
  match(asking.problem!, /more than 1000 requests at once and was ended/);
  const stop = new AbortController();
  const stopped = run('log("began"); for (;;) {}', {
    ...place,
    signal: stop.signal,
    onLog: () => stop.abort(),
  });
  match((await stopped).problem!, /interrupted/);
  const gone = await run("Deno.exit(7);", place);
  match(gone.problem!, /its process ended with 7 before it was done/);
});

long();
Deno.test("a script that computes or waits for ever ends by itself when the program that runs it is killed", async () => {
  const source = (body: string): string =>
    `data:application/typescript;base64,${btoa(`export default ${body};`)}`;
  const start = (body: string): string =>
    JSON.stringify(
      JSON.stringify({ source: source(body), profile: {}, data: [], today: "2026-09-30" }) + "\n",
    );
  const sandbox = new URL("../../src/automation/scripts/sandbox.ts", import.meta.url).href;
  const program = `
    const { startSandbox } = await import(${JSON.stringify(sandbox)});
    for (const start of [${start("({ log }) => { log(1); for (;;) {} }")}, ${
    start("({ log }) => { log(1); return new Promise((done) => setTimeout(done, 1e9)); }")
  }]) {
      const { child } = startSandbox({ megabytes: 64, seconds: 0.1 });
      child.stdin.write(start);
      child.stdout.once("data", () => console.log(child.pid));
    }
    setInterval(() => {}, 1000);`;
  const parent = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", program],
    stdout: "piped",
  }).spawn();
  let text = "";
  const reader = parent.stdout.pipeThrough(new TextDecoderStream()).getReader();
  while (text.split("\n").length < 3) text += (await reader.read()).value;
  parent.kill("SIGKILL");
  await parent.status;
  await reader.cancel();
  const isThere = (pid: string): boolean => {
    try {
      return !/^State:\s*Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
    } catch {
      return false;
    }
  };
  const pids = text.trim().split("\n");
  equal(pids.length, 2);
  await until(() => !pids.some(isThere));
});

long();
Deno.test("a mistake in a script is told with its line; bad requests are refused as everywhere", async () => {
  await using world = await emulated();
  await using folder = await temporaryFolder();
  const place = { profile: world.us, folder: folder.path };
  const thrown = await run('throw new Error("not today");', place);
  match(thrown.problem!, /^Error: not today\n *at .*try\.ts:2:/);
  ok(!thrown.problem!.includes("data:"), thrown.problem);
  const syntax = await runScript("export default ( => {", {
    profile: world.us,
    plans: PlanStore.open(folder.path),
    name: "try.ts",
  });
  match(syntax.problem!, /Expression expected/);
  const none = await runScript("export const a = 1;", {
    profile: world.us,
    plans: PlanStore.open(folder.path),
  });
  match(none.problem!, /no default export that is a function/);
  const refused: readonly (readonly [string, RegExp])[] = [
    ['await profile.list("sp.keyword");', /keyword/],
    ['await profile.list("sp.keywords", { campaignIds: ["x"] });', /Id filter has invalid value/],
    ['await profile.plan({ kind: "sp.keywords", update: [{ bid: 1 }] });', /keywordId/],
    ["await profile.plan(null);", /kind of entity/],
    ['await profile.plan({ kind: "sp.keywords", update: 7 });', /update, create and archive must be lists/],
    ['await profile.figures({ from: "-7" });', /there is no store/],
    ['await store.query("SELECT 1");', /there is no store/],
  ];
  for (const [code, message] of refused) match((await run(code, place)).problem!, message, code);
  const [keyword] = await world.us.sp.keywords.list({ states: ["ENABLED"] });
  const odd = await run(
    `log((await profile.plan({ kind: "sp.keywords", update: [{ keywordId: "${
      keyword!.keywordId
    }", bidd: 1 }] })).warnings);`,
    place,
  );
  match(odd.lines.join(), /bidd/);
  const empty = await run("log(JSON.stringify(await profile.plan([])));", place);
  deepEqual(empty.lines, ['{"id":null,"changes":0,"missing":[],"warnings":[],"findings":[]}']);
});

Deno.test("figures of a script are those of its profile, and its SQL reads only", async () => {
  await using world = await emulated();
  await using folder = await temporaryFolder();
  const store = await Warehouse.open(`${folder.path}/ads.sqlite`);
  const { profileId } = world.us;
  const row = { date: "2026-09-20", campaignId: "9", clicks: 3, cost: 1.2, impressions: 40 };
  const day = { report: "sp_campaigns", start: "2026-09-20", end: "2026-09-20" } as const;
  await store.replace({ profileId, countryCode: "US", ...day }, [row]);
  await store.replace({ profileId: "77", countryCode: "US", ...day }, [{ ...row, clicks: 900 }]);
  const ran = await run(
    `log((await profile.figures({ by: ["campaign"], from: "2026-09-01", to: "2026-09-29" })).map(({ clicks }: any) => clicks));
     log((await store.query("SELECT sum(clicks) AS n FROM sp_campaigns WHERE profile_id = ?", [profile.profileId]))[0].n);
     try { await store.query("DELETE FROM sp_campaigns"); log("deleted"); } catch (error: any) { log("refused"); }`,
    { profile: world.us, folder: folder.path, store },
  );
  equal(ran.problem, undefined);
  deepEqual(ran.lines, ["[3]", "3", "refused"]);
  await store.close();
  await rejects(
    runScript("export default () => {};", {
      profile: world.us,
      plans: PlanStore.open(folder.path),
      signal: AbortSignal.abort(new Error("stopped")),
    }),
    /stopped/,
  );
});
