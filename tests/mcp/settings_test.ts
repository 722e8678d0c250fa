import { deepEqual, equal, match, rejects } from "../support/assert.ts";
import { saveRows } from "../../src/interfaces/mcp/calls/save_rows.ts";
import { readSettings } from "../../src/interfaces/mcp/context/settings.ts";
import { inFolder } from "../support/in_folder.ts";
import { withDotenv } from "../support/with_dotenv.ts";

const home = { HOME: "/home/ann" };

Deno.test("the public half of the approval key is named by the person, never by a .env that lies about", async () => {
  const text = "PLATFORM_ADS_MCP_APPROVAL_KEY=/agents-own.json\nPLATFORM_ADS_MCP_APPROVAL=terminal\n";
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, text);
  await withDotenv(text, async () => {
    const lying = await readSettings([], home);
    equal(lying.approvalKey, "/home/ann/.config/platform-ads/approval-key.pub.json");
    equal(lying.approval, "terminal");
    for (
      const [args, env] of [[["--env-file", path], home], [[], {
        ...home,
        PLATFORM_ADS_ENV_FILE: path,
      }]] as const
    ) {
      equal((await readSettings(args, env)).approvalKey, "/agents-own.json");
    }
  });
  await Deno.remove(path);
});

Deno.test("a .env that nobody named sets no option of the server, and may make it stricter", async () => {
  const hostile = [
    "PLATFORM_ADS_MCP_STORE=postgres://attacker.example/x",
    "PLATFORM_ADS_MCP_SAVE_DIR=/home/ann/.config",
    "PLATFORM_ADS_MCP_PLAN_DIR=/tmp/plans-of-another",
    "PLATFORM_ADS_MCP_TOKEN=known-to-the-attacker",
    "PLATFORM_ADS_DEMO=1",
    "PLATFORM_ADS_MCP_READ_ONLY=1",
    "XDG_STATE_HOME=/tmp/state-of-another",
    "HOME=/tmp/home-of-another",
  ].join("\n");
  await withDotenv(hostile, async () => {
    const bare = await readSettings(["--http", ":0"], home);
    equal(bare.store, undefined);
    equal(bare.saveFolder, undefined);
    equal(bare.planFolder, "/home/ann/.local/state/platform-ads/plans");
    equal(bare.http?.token, undefined);
    equal(bare.demo, false);
    equal(bare.readOnly, true);
  });
  await withDotenv("PLATFORM_ADS_POLICY=/ads/policy.yaml", async () => {
    await rejects(readSettings([], home), /Cannot use the policy .*an agent may have written it/);
    equal((await readSettings(["--policy", "/own.yaml"], home)).policy, "/own.yaml");
    const own = { ...home, PLATFORM_ADS_POLICY: "/mine.yaml" };
    equal((await readSettings([], own)).policy, "/mine.yaml");
  });
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, hostile);
    const named = await readSettings(["--env-file", path], home);
    equal(named.saveFolder, "/home/ann/.config");
    equal(named.demo, true);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("agents may not save into the folder of the plans", async () => {
  const env = { ...home, PLATFORM_ADS_MCP_PLAN_DIR: "/plans", PLATFORM_ADS_MCP_SAVE_DIR: "/other/../plans/" };
  await rejects(readSettings([], env), /Cannot let agents save into .*: it is the folder of the plans/);
  await inFolder(async (folder) => {
    const plans = `${folder}/plans`;
    await Deno.mkdir(plans);
    await Deno.symlink(plans, `${folder}/link`, { type: "dir" });
    await Deno.mkdir(`${folder}/state/platform-ads`, { recursive: true });
    await Deno.symlink(`${folder}/state`, `${folder}/other`, { type: "dir" });
    const named = { HOME: folder, XDG_STATE_HOME: `${folder}/state`, PLATFORM_ADS_MCP_PLAN_DIR: plans };
    for (
      const [save, reason] of [
        ["link", "the folder of the plans"],
        ["link/new", "inside the folder of the plans"],
        ["other/platform-ads/policy-days", "the folder of the policy's days"],
      ]
    ) {
      await rejects(
        readSettings(["--save-dir", `${folder}/${save}`], named),
        new RegExp(`Cannot let agents save into .*: it is ${reason}`),
      );
    }
    const kept = { planFolder: plans, policyFolder: `${folder}/days` };
    const saving = saveRows([1], { folder: `${folder}/link`, file: "a.json", kept });
    await rejects(saving, /it is the folder of the plans/);
    await saveRows([1], { folder: `${folder}/saved`, file: "a.json", kept });
  });
});

Deno.test("readSettings() takes the command line before the environment before the default", async () => {
  const bare = await readSettings([], home);
  equal(bare.planFolder, "/home/ann/.local/state/platform-ads/plans");
  equal(bare.approvalKey, "/home/ann/.config/platform-ads/approval-key.pub.json");
  equal(bare.readOnly, false);
  equal(bare.demo, false);
  equal(bare.http, undefined);
  equal(bare.store, undefined);
  equal(bare.saveFolder, undefined);

  const env = {
    ...home,
    PLATFORM_ADS_MCP_READ_ONLY: "1",
    PLATFORM_ADS_MCP_PLAN_DIR: "/plans",
    PLATFORM_ADS_MCP_SAVE_DIR: "/saved",
    PLATFORM_ADS_MCP_STORE: "/ads.sqlite",
    PLATFORM_ADS_MCP_APPROVAL: "terminal",
    PLATFORM_ADS_MCP_APPROVAL_KEY: "/key.pub.json",
    PLATFORM_ADS_MCP_TOKEN: "a-token-of-24-characters",
    PLATFORM_ADS_DEMO: "true",
  };
  const set = await readSettings([], env);
  equal(set.readOnly, true);
  equal(set.demo, true);
  equal(set.planFolder, "/plans");
  equal(set.saveFolder, "/saved");
  equal(set.store, "/ads.sqlite");
  equal(set.approval, "terminal");
  equal(set.approvalKey, "/key.pub.json");

  const given = await readSettings(["--plan-dir", "/other", "--http", ":0", "--store=/b.sqlite"], env);
  equal(given.planFolder, "/other");
  equal(given.store, "/b.sqlite");
  equal(given.http?.token, "a-token-of-24-characters");
});

Deno.test("a demo has plans of its own", async () => {
  const { planFolder } = await readSettings(["--demo"], { ...home, XDG_STATE_HOME: "/state" });
  equal(planFolder, "/state/platform-ads/demo-plans");
});

Deno.test("readSettings() names what cannot be used", async () => {
  const cases: [string[], Record<string, string>, RegExp][] = [
    [["--nonsense"], {}, /--nonsense.*See --help/],
    [["stray"], {}, /stray.*See --help/],
    [["--http"], {}, /See --help/],
    [["--http", "0.0.0.0:1"], {}, /must bear a token/],
    [["--auth-issuer", "https://id.example"], {}, /Cannot use --auth-issuer without --http/],
    [["--http", ":1", "--auth-issuer", "https://id.example"], {}, /--auth-audience .*is not set/],
    [
      ["--http", ":1"],
      { PLATFORM_ADS_MCP_AUTH_AUDIENCE: "https://ads.example" },
      /--auth-issuer .*is not set/,
    ],
    [
      ["--http", ":1", "--auth-issuer", "http://id.example", "--auth-audience", "https://ads.example/mcp"],
      {},
      /Cannot use --auth-issuer "http:\/\/id.example": give a whole https address/,
    ],
    [
      ["--http", ":1", "--auth-issuer", "https://id.example", "--auth-audience", "ads"],
      {},
      /Cannot use --auth-audience "ads"/,
    ],
    [
      [
        "--http",
        ":1",
        "--auth-issuer",
        "https://ann:pw@id.example",
        "--auth-audience",
        "https://ads.example",
      ],
      {},
      /Cannot use --auth-issuer/,
    ],
    [
      ["--tools", "read,plan"],
      {},
      /Cannot offer the tools "plan": expected one or more of read, reports, store, plans/,
    ],
    [[], { PLATFORM_ADS_MCP_APPROVAL: "yes" }, /it can be "terminal"/],
    [[], { PLATFORM_ADS_MCP_READ_ONLY: "maybe" }, /PLATFORM_ADS_MCP_READ_ONLY "maybe": expected 1 or 0/],
    [["--env-file", "/no/such/file"], {}, /Cannot read the dotenv file/],
  ];
  for (const [args, env, why] of cases) {
    await rejects(readSettings(args, { ...home, ...env }), (error: Error) => {
      match(error.message, why);
      return true;
    });
  }
  await rejects(readSettings([], {}), /neither HOME nor XDG_STATE_HOME is set/);
  equal((await readSettings(["--help"], {})).help, true);
});

Deno.test("a server whose issuer is set listens off loopback, and is known by the name in its tokens", async () => {
  const options = ["--auth-issuer", "https://id.example", "--auth-audience", "https://ads.example/mcp"];
  const { http } = await readSettings(["--http", "0.0.0.0:1", ...options], home);
  deepEqual(http?.auth, { issuer: "https://id.example", audience: "https://ads.example/mcp" });
  equal(http?.hosts.includes("ads.example"), true);
  const env = {
    ...home,
    PLATFORM_ADS_MCP_AUTH_ISSUER: "http://127.0.0.1:8080/realm",
    PLATFORM_ADS_MCP_AUTH_AUDIENCE: "http://localhost:3911/mcp",
    PLATFORM_ADS_MCP_AUTH_JWKS: "http://[::1]:8080/keys",
  };
  deepEqual((await readSettings(["--http", ":1"], env)).http?.auth, {
    issuer: "http://127.0.0.1:8080/realm",
    audience: "http://localhost:3911/mcp",
    jwks: "http://[::1]:8080/keys",
  });
  await withDotenv("PLATFORM_ADS_MCP_AUTH_ISSUER=https://evil.example", async () => {
    equal(
      (await readSettings(["--http", ":1"], home)).http?.auth,
      undefined,
      "not by a .env that nobody named",
    );
  });
});

Deno.test("a server can be limited to some profiles, over stdio and on the demo account too", async () => {
  deepEqual((await readSettings(["--demo", "--profiles", "CA, us"], home)).profiles, ["CA", "us"]);
  deepEqual((await readSettings([], { ...home, PLATFORM_ADS_MCP_PROFILES: "123" })).profiles, ["123"]);
  equal((await readSettings([], home)).profiles, undefined);
  for (const text of ["Canada", "", "CA;US"]) {
    await rejects(readSettings([`--profiles=${text}`], home), /Cannot limit the server to the profiles/);
  }
  const both = ["--http", ":0", "--tenants", "t.yaml", "--profiles", "CA"];
  await rejects(readSettings(both, home), /Cannot use --profiles with --tenants/);
});
