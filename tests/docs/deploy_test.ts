import { fileURLToPath } from "node:url";
import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { emulated } from "../cli/support/emulated.ts";
import { httpSettings } from "../../src/interfaces/mcp/context/http_settings.ts";
import { ENVIRONMENT } from "../../src/interfaces/mcp/context/environment.ts";
import { readSettings } from "../../src/interfaces/mcp/context/settings.ts";
import { long } from "../support/long.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string): Promise<string> => Deno.readTextFile(new URL(path, ROOT));

/** What readSettings() needs that a command line of a recipe does not hold. */
const AROUND = { HOME: "/nowhere", PLATFORM_ADS_MCP_TOKEN: "a-token-of-24-characters" };

Deno.test("the container runs the server unprivileged, on every address, with options that there are", async () => {
  const text = await read("docs/deploy/Dockerfile");
  const [, user] = /^USER (\d+):\d+$/m.exec(text) ?? [];
  ok(Number(user) > 0, "a user by number, who is not root");
  const list = (name: string): string[] =>
    JSON.parse(new RegExp(`^${name} (\\[.*\\])$`, "m").exec(text)![1]!);
  const [program, script, ...options] = list("ENTRYPOINT");
  deepEqual([program, script?.split("/").at(-1)], ["node", "platform-ads-mcp.js"]);
  const { http } = await readSettings([...options, ...list("CMD")], AROUND);
  deepEqual([http?.hostname, http?.port], ["0.0.0.0", 3911]);
  match(text, /^EXPOSE 3911$/m);
  match(text, /HEALTHCHECK .*\\\n {2}CMD \["node", "-e", "fetch\('http:\/\/127\.0\.0\.1:3911\/health'\)/);
  known(text);
});

Deno.test("the container installs the versions that this project is tried with", async () => {
  const text = await read("docs/deploy/Dockerfile");
  const { imports } = JSON.parse(await read("deno.json")) as { imports: Record<string, string> };
  const pinned = [...text.matchAll(/ (pg|pg-copy-streams|jose)@([\d.]+)/g)].map(([, name, version]) =>
    `npm:${name}@${version}`
  );
  equal(pinned.length, 3);
  deepEqual(pinned, ["pg", "pg-copy-streams", "jose"].map((name) => imports[name]));
});

Deno.test("the container of the service runs a command that adsctl has, unprivileged, and is healthy by its own address", async () => {
  const text = await read("docs/deploy/service.Dockerfile");
  const [, user] = /^USER (\d+):\d+$/m.exec(text) ?? [];
  ok(Number(user) > 0, "a user by number, who is not root");
  const list = (name: string): string[] =>
    JSON.parse(new RegExp(`^${name} (\\[.*\\])$`, "m").exec(text)![1]!);
  const [program, script] = list("ENTRYPOINT");
  deepEqual([program, script?.split("/").at(-1)], ["node", "adsctl.js"]);
  const words = list("CMD");
  const [, port] = /^EXPOSE (\d+)$/m.exec(text) ?? [];
  equal(words[words.indexOf("--listen") + 1], `0.0.0.0:${port}`);
  ok(text.includes(`CMD ["node", "-e", "fetch('http://127.0.0.1:${port}/health')`));
  const help = await new Deno.Command("deno", {
    args: ["run", "-A", "-q", "cli.ts", ...words.slice(0, 2), "--help"],
  }).output();
  for (const option of words.filter((word) => word.startsWith("--") && word !== "--json")) {
    ok(new TextDecoder().decode(help.stdout).includes(option), option);
  }
  const { imports } = JSON.parse(await read("deno.json")) as { imports: Record<string, string> };
  const pinned = [...text.replaceAll(/^#.*$/gm, "").matchAll(/ ([a-z][\w-]*)@([\d.]+)/g)].map((
    [, name, version],
  ) => [name, `npm:${name}@${version}`]);
  deepEqual(pinned.map(([name]) => name).sort(), [
    "aws4fetch",
    "graphile-worker",
    "nodemailer",
    "pg",
    "pg-copy-streams",
  ]);
  for (const [name, address] of pinned) equal(address, imports[name!]);
  const [, built] = /docker build .* -f (\S+) dist/.exec(text) ?? [];
  equal(built, "docs/deploy/service.Dockerfile");
});

long();
Deno.test("what the container runs serves /health and ends on SIGTERM within ten seconds", async () => {
  const text = await read("docs/deploy/service.Dockerfile");
  const words = JSON.parse(/^CMD (\[.*\])$/m.exec(text)![1]!) as string[];
  await using world = await emulated();
  const { folder } = world;
  const file = `${folder}/service.yaml`;
  await Deno.writeTextFile(
    file,
    "version: 1\nprofiles: [US]\nstore: ads.sqlite\nreports: [sp_campaigns]\ntimers: { drift: hourly }\n",
  );
  const line = words.map((word) =>
    word.startsWith("/etc/") ? file : word.replace(/^0\.0\.0\.0:\d+$/, "127.0.0.1:0")
  );
  const child = new Deno.Command("deno", {
    args: ["run", "-A", "-q", fileURLToPath(new URL("cli.ts", ROOT)), ...line],
    cwd: folder,
    env: { ...world.env, HOME: folder, XDG_CONFIG_HOME: folder },
    stderr: "piped",
    stdout: "null",
  }).spawn();
  const lines = child.stderr.pipeThrough(new TextDecoderStream());
  let log = "";
  const reading = (async () => {
    for await (const part of lines) log += part;
  })();
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(log);
      if (found !== null) return found;
      await new Promise((resume) => setTimeout(resume, 50));
    }
  };
  const [, address] = await until(/(http:\/\/127\.0\.0\.1:\d+\/health)/);
  await until(/"timer":"drift".*"kind":"(?:done|failed)"/);
  equal((await fetch(address!)).status, 200);
  child.kill("SIGTERM");
  const { code } = await child.status;
  await reading;
  equal(code, 0, log);
});

Deno.test("the service listens on loopback and keeps its files in its state folder", async () => {
  const text = await read("docs/deploy/platform-ads-mcp.service");
  const [, command = ""] = /^ExecStart=(.*)$/m.exec(text) ?? [];
  const { http } = await readSettings(command.split(" ").slice(1), AROUND);
  const { hostname } = httpSettings("127.0.0.1:3911", { token: undefined, hosts: [], origins: [] });
  deepEqual([http?.hostname, http?.port], [hostname, 3911]);
  for (const [, path] of text.matchAll(/^Environment=\w+=(.*)$/gm)) {
    ok(path!.startsWith("/var/lib/platform-ads"), path);
  }
  for (
    const setting of ["DynamicUser=yes", "StateDirectory=platform-ads", "ProtectSystem=strict", "UMask=0077"]
  ) {
    ok(text.split("\n").includes(setting), setting);
  }
  known(text);
});

const verifier = await new Deno.Command("systemd-analyze", {
  args: ["--version"],
  stdout: "null",
  stderr: "null",
})
  .output().then(({ success }) => success, () => false);
if (!verifier) {
  console.log("Skipped: what systemd says of the service, as systemd-analyze is not on this machine");
}

for (const program of ["platform-ads-mcp", "platform-ads"]) {
  Deno.test({
    name: `systemd reads every line of ${program}.service and calls its exposure OK`,
    ignore: !verifier,
    fn: async () => {
      const path = await Deno.makeTempDir();
      try {
        const unit = `${path}/${program}.service`;
        // The program need not be installed on this machine.
        const text = await read(`docs/deploy/${program}.service`);
        await Deno.writeTextFile(unit, text.replace(/\/usr\/local\/bin\/\S+/, "/bin/true"));
        const verified = await new Deno.Command("systemd-analyze", { args: ["verify", unit] }).output();
        equal(new TextDecoder().decode(verified.stderr), "");
        const judged = await new Deno.Command("systemd-analyze", {
          args: ["security", "--offline=true", unit],
        })
          .output();
        const [, exposure] =
          /Overall exposure level for .*: ([\d.]+) /.exec(new TextDecoder().decode(judged.stdout)) ?? [];
        ok(Number(exposure) < 2, `exposure ${exposure}`);
      } finally {
        await Deno.remove(path, { recursive: true });
      }
    },
  });
}

Deno.test("the service of adsctl runs a command that adsctl has", async () => {
  const [, command = ""] = /^ExecStart=(.*)$/m.exec(await read("docs/deploy/platform-ads.service")) ?? [];
  const [program, ...words] = command.split(" ");
  equal(program, "/usr/local/bin/adsctl");
  const output = await new Deno.Command("deno", { args: ["run", "-A", "-q", "cli.ts", ...words, "--help"] })
    .output();
  equal(output.code, 0);
  const help = new TextDecoder().decode(output.stdout);
  for (const option of words.filter((word) => word.startsWith("--"))) ok(help.includes(option), option);
});

/** Every variable of the server that a recipe names is one that it reads. */
function known(text: string): void {
  const names = [...text.matchAll(/\bPLATFORM_ADS_MCP_[A-Z_]+\b/g)].map(([name]) => name);
  deepEqual(names.filter((name) => !ENVIRONMENT.some((one) => one.name === name)), []);
}
