import { createServer } from "node:net";
import { deepEqual, equal, match, ok, throws } from "../support/assert.ts";
import { PlanStore, type ProfileClient } from "../../mod.ts";
import { runScript, type RunScriptOptions, type ScriptResult } from "../../src/automation/scripts/mod.ts";
import { startSandbox } from "../../src/automation/scripts/sandbox.ts";
import { emulated } from "../support/emulated.ts";
import { long } from "../support/long.ts";
import { nodeProgram } from "../support/node_program.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const program = await nodeProgram("24") ?? "";
const ignore = program === "";

interface Ran extends ScriptResult {
  readonly lines: readonly string[];
}

async function run(
  source: string,
  options: { profile: ProfileClient; folder: string } & Partial<RunScriptOptions>,
): Promise<Ran> {
  const { folder, ...rest } = options;
  const lines: string[] = [];
  const onLog = (line: string): void => void lines.push(line);
  return {
    ...await runScript(source, { plans: PlanStore.open(folder), name: "try.ts", program, onLog, ...rest }),
    lines,
  };
}

long();
Deno.test({
  name: "a script on Node 24 reads, plans and alerts, as on Deno",
  ignore,
  fn: async () => {
    await using world = await emulated();
    await using folder = await temporaryFolder();
    const place = { profile: world.us, folder: folder.path };
    const ran = await run(
      `import type { ScriptContext } from "@platform/ads/scripts";
       export default async ({ profile, log, alert, today, data }: ScriptContext): Promise<void> => {
         const [keywords, campaigns] = await Promise.all([profile.list("sp.keywords"), profile.list("sp.campaigns")]);
         const [own] = keywords.filter(({ bid }) => typeof bid === "number");
         const { keywordId, bid } = own as { keywordId: string; bid: number };
         const { changes } = await profile.plan({ kind: "sp.keywords", update: [{ keywordId, bid: bid + 0.01 }] });
         log(keywords.length > 0, campaigns.length > 0, changes, today, data, "é".repeat(70_000).length);
         console.log("also", profile.countryCode);
         alert({ title: "Look here", severity: "urgent" });
         await profile.list("sp.keyword").catch((error: Error) => log(error.message.slice(0, 20)));
       };`,
      { ...place, data: [{ hour: "7" }] },
    );
    equal(ran.problem, undefined);
    deepEqual(ran.lines.slice(0, 2), [
      'true true 1 2026-09-30 [{"hour":"7"}] 70000',
      "also US",
    ]);
    equal(ran.lines.length, 3);
    deepEqual(ran.alerts, [{ title: "Look here", severity: "urgent" }]);
    equal((await PlanStore.open(folder.path).status(ran.plans[0]!.id!)).state, "open");
    const problems: readonly (readonly [string, RegExp, Partial<RunScriptOptions>?])[] = [
      [
        'export default () => {\n throw new Error("not today"); };',
        /^Error: not today\n *at default \(try\.ts:2:8\)$/,
      ],
      ["export default ( => {", /^try\.ts:1\n[^]*Expression expected/],
      ["enum A { B }\nexport default () => {};", /enum is not supported/],
      ["export const a = 1;", /no default export that is a function/],
      ["export default { then() {} };", /no default export that is a function/],
      ["export default () => { throw null; };", /^null$/],
      ["export default () => { throw { a: 1 }; };", /^\{"a":1\}$/],
      ["export default async () => { Promise.reject(7); for (let i = 0; i < 9; i++) await null; };", /^7$/],
      ["export default () => { for (;;) {} };", /longer than 1 s/, { seconds: 1 }],
      ["export default () => new Promise(() => {});", /longer than 1 s/, { seconds: 1 }],
      [
        "export default () => { const all = []; for (;;) all.push(new Array(1e6).fill(1)); };",
        /more than 64 MB of memory/,
        {
          megabytes: 64,
        },
      ],
      [
        "export default () => { const all = []; for (;;) all.push(new Uint8Array(5e7).fill(1)); };",
        /more than 64 MB of memory/,
        {
          megabytes: 64,
        },
      ],
      ["export default ({ log }: any) => { for (;;) log(1); };", /more than 10000 lines/],
      ["export default ({ alert }: any) => { for (;;) alert({ title: 1 }); };", /more than 10000 lines/],
    ];
    for (const [source, message, more] of problems) {
      match((await run(source, { ...place, ...more })).problem ?? "", message, source);
    }
  },
});

long();
Deno.test({
  name:
    "on Node 24 a script has nothing of Node and no object from outside of its realm, whichever way it asks",
  ignore,
  fn: async () => {
    await using world = await emulated();
    await using folder = await temporaryFolder();
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as { port: number };
    const place = { profile: world.us, folder: folder.path };
    const secret = folder.file("secret.json");
    await Deno.writeTextFile(secret, '{"secret":"do not tell"}');
    try {
      const url = `"http://127.0.0.1:${port}/"`;
      const inside: Readonly<Record<string, string>> = {
        process: "process.version",
        global_process: "globalThis.process.version",
        global: "global.process",
        require: 'require("node:net")',
        main_module: "process.mainModule.require",
        builtin: 'process.getBuiltinModule("node:net")',
        binding: 'process.binding("tcp_wrap")',
        env: "process.env.PATH.length",
        fetch: `(await fetch(${url})).status`,
        socket: `new WebSocket(${url})`,
        source: `new EventSource(${url})`,
        worker: 'new Worker("data:text/javascript,1")',
        buffer: "Buffer.alloc(1)",
        timer: 'setTimeout("process", 0)',
        channel: "new MessageChannel()",
        wasm: "new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))",
        realm: "new ShadowRealm()",
        eval: 'eval("globalThis")',
        indirect_eval: '(0, eval)("globalThis")',
        make_function: 'Function("return process")()',
        constructor_of_global: 'globalThis.constructor.constructor("return process")()',
        constructor_of_context: 'context.log.constructor("return process")()',
        constructor_of_data: 'context.data.constructor.constructor("return process")()',
        constructor_of_result:
          '(await context.profile.list("sp.campaigns")).constructor.constructor("return this")()',
        constructor_of_error:
          '(await context.profile.list("x").catch((error) => error)).constructor.constructor("return process")()',
        constructor_of_async:
          '(async () => {}).constructor("return import(\'node:net\')".replace("X", ""))()',
        constructor_of_generator: '(function* () {}).constructor("return process")().next()',
        console_stream: "console._stdout.constructor",
        caller: "(function () { return arguments.callee.caller; })()",
        then: "Promise.prototype.then = () => {}",
        define_then: 'Object.defineProperty(Promise.prototype, "then", { value: () => {} })',
        species: "Object.defineProperty(Promise, Symbol.species, { value: Array })",
        frames: `(() => {
          let found;
          Error.prepareStackTrace = (_, sites) => { found = sites; return ""; };
          new Error("x").stack;
          Error.prepareStackTrace = undefined;
          const out = found.flatMap((site) => [site, site.getThis(), site.getFunction()]).filter(isForeign);
          if (out.length === 0 && !isForeign(found)) throw 0;
        })()`,
        overflow: `(() => {
          let found, count = 0;
          const dig = () => { try { dig(); } catch (error) {
            if (count++ < 100) try { context.log("deep"); } catch (other) { if (isForeign(other)) found = other; }
            throw error;
          } };
          try { dig(); } catch (error) { if (isForeign(error)) found = error; }
          if (found === undefined) throw 0;
        })()`,
        inspect: `(() => {
          let found;
          context.log({ [Symbol.for("nodejs.util.inspect.custom")](...given) { found = given; } });
          if (found === undefined) throw 0;
        })()`,
        written: `(() => {
          let found;
          const { stringify } = JSON;
          JSON.stringify = () => ({ toString() { found = true; return "{}"; } });
          try { context.log("x"); } finally { JSON.stringify = stringify; }
          if (found === undefined) throw 0;
        })()`,
        setter: `(() => {
          let found;
          const names = ["oncomplete", "callback", "handle", "_handle", "domain", "signal", "then", "get", "value"];
          for (const name of names) Object.defineProperty(Object.prototype, name, {
            configurable: true, set(value) { if (isForeign(this) || isForeign(value)) found = name; },
          });
          context.log("set");
          for (const name of names) delete Object.prototype[name];
          if (found === undefined) throw 0;
        })()`,
      };
      const body = Object.entries(inside).map(([name, code]) =>
        `try { const got = await (${code}); context.log("${name}", "OPEN", typeof got); } catch { context.log("${name}", "closed"); }`
      ).join("\n");
      const realm =
        `const isForeign = (value) => (typeof value === "object" || typeof value === "function") &&
        value !== null && !(value instanceof Object) && Object.getPrototypeOf(value) !== null;`;
      const ran = await run(
        `${realm}\nexport default async (context) => {\n${
          body.replace("import('node:net')", "import" + "\\x28'node:net')")
        }\n};`,
        place,
      );
      equal(ran.problem, undefined);
      const lines = ran.lines.filter((line) => / (closed|OPEN)/.test(line));
      deepEqual(lines, Object.keys(inside).map((name) => `${name} closed`));

      const net = '"node:net"';
      const loading = [
        `import net from ${net}; export default () => net;`,
        `import * as all from "node:child_process"; export default () => all;`,
        `import data from "file://${secret}" with { type: "json" }; export default ({ log }) => log(data.secret);`,
        `export { default } from "node:sqlite";`,
        `export default async ({ log }) => log(typeof await import(${net}));`,
        `export default async ({ log }) => log(typeof await import /* a */ (${net}));`,
        `export default async ({ log }) => log(typeof await import // a\n (${net}));`,
        `export default async ({ log }) => log(typeof await import\u2028(${net}));`,
        `export default async ({ log }) => log(typeof await im\\u0070ort(${net}));`,
        `export default async ({ log }) => log(typeof await import("data:text/javascript,export default process"));`,
        `export default async ({ log }) => log(typeof await import("node:dgram") + typeof await import("node:http2"));`,
        `export default async ({ log }) => log(typeof await import("node:inspector") + typeof await import("node:wasi"));`,
        `export default ({ log }) => log(import.meta.url);`,
        `export default ({ log }) => log(import.meta.resolve("node:net"));`,
        `const then = Promise.prototype.then; Promise.prototype.then = function (...given) { globalThis.got = given; return then.apply(this, given); }; export default ({ log }) => log("changed");`,
      ];
      for (const source of loading) {
        const tried = await run(source, place);
        equal(tried.ok, false, source);
        deepEqual(tried.lines, [], source);
        ok(!JSON.stringify(tried).includes("do not tell"), source);
      }
      equal(connections, 0);
      const rejects = await run(
        `let got = "nothing"; const trap = { [Symbol.for("nodejs.util.inspect.custom")](...given) { got = typeof given[2]; }, get stack() { return "own"; } };
         export default async ({ log }) => { Promise.reject(trap); for (let i = 0; i < 20; i++) await null; log(got); throw trap; };`,
        place,
      );
      deepEqual(
        [rejects.ok, rejects.lines],
        [false, ["nothing"]],
        "Node does not print an error of a script",
      );
    } finally {
      server.close();
    }
  },
});

Deno.test("a Node before 24, or what is no runtime, is refused with a sentence", async () => {
  await using folder = await temporaryFolder();
  const old = folder.file("node");
  await Deno.writeTextFile(old, "#!/bin/sh\necho v22.9.0\n", { mode: 0o755 });
  for (const program of [old, "/bin/true"]) {
    throws(
      () => startSandbox({ megabytes: 64, seconds: 1, program }),
      /must not reach network, files or environment, which only Deno and Node 24 or newer can ensure\. Install Deno/,
    );
  }
});
