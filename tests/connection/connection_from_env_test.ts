import assert from "node:assert/strict";
import { ConfigurationError, type Connection, connectionFromEnv } from "../../mod.ts";
import { readSources, readVariables } from "../../src/platform/connection/connection_from_env.ts";
import { withDotenv } from "../support/with_dotenv.ts";
import { inFolder } from "../support/in_folder.ts";

const SECRETS = {
  PLATFORM_ADS_CLIENT_ID: "env-id",
  PLATFORM_ADS_CLIENT_SECRET: "env-secret",
  PLATFORM_ADS_REFRESH_TOKEN: "env-token",
};
const HOSTS = {
  PLATFORM_ADS_BASE_URL_NA: "https://na.example",
  PLATFORM_ADS_TOKEN_URL: "https://id.example/token",
};

Deno.test("A connection comes from variables alone", async () => {
  const { credentials, platform } = await connectionFromEnv({
    env: { ...SECRETS, ...HOSTS, PLATFORM_ADS_CONSENT_DATE: "2026-01-02" },
  });
  assert.deepEqual(credentials, {
    clientId: "env-id",
    clientSecret: "env-secret",
    refreshToken: "env-token",
    consentDate: "2026-01-02",
  });
  assert.equal(platform.regions.NA?.baseUrl, "https://na.example");
});

Deno.test("The environment wins over the dotenv file, variables over the settings file", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(
      `${folder}/ads.env`,
      '\uFEFFexport PLATFORM_ADS_CLIENT_ID="file-id"\r\nPLATFORM_ADS_CLIENT_SECRET=file-secret\r\n' +
        `PLATFORM_ADS_REFRESH_TOKEN='file-token'\r\nPLATFORM_ADS_PLATFORM_FILE=${folder}/settings.json\r\n` +
        "PLATFORM_ADS_TOKEN_URL=https://dotenv.example/token\r\n",
    );
    await Deno.writeTextFile(
      `${folder}/settings.json`,
      '\uFEFF{"regions":{"EU":{"baseUrl":"https://eu.example"}},"tokenUrl":"https://file.example/token"}',
    );
    const sources: Record<string, Promise<Connection>> = {
      "by option": connectionFromEnv({
        env: { PLATFORM_ADS_CLIENT_ID: "env-id", PLATFORM_ADS_CLIENT_SECRET: "" },
        envFile: `${folder}/ads.env`,
      }),
      "by variable": connectionFromEnv({
        env: { PLATFORM_ADS_CLIENT_ID: "env-id", PLATFORM_ADS_ENV_FILE: `${folder}/ads.env` },
      }),
    };
    for (const [how, connection] of Object.entries(sources)) {
      const { credentials, platform } = await connection;
      const expected = { clientId: "env-id", clientSecret: "file-secret", refreshToken: "file-token" };
      assert.deepEqual(credentials, expected, how);
      assert.equal(platform.tokenUrl, "https://dotenv.example/token", how);
      assert.deepEqual(platform.regions, { EU: { baseUrl: "https://eu.example" } }, how);
    }
  }));

Deno.test("A .env that nobody named cannot send the secrets elsewhere than a named settings file says", () =>
  inFolder(async (folder) => {
    const platformFile = `${folder}/platform.json`;
    const regions = { NA: { baseUrl: "https://na.example" } };
    await Deno.writeTextFile(platformFile, JSON.stringify({ regions, tokenUrl: "https://id.example/token" }));
    const evil = ["BASE_URL_NA", "BASE_URL_EU", "TOKEN_URL", "AUTHORIZE_URL", "SANDBOX_URL", "MCP_URL"]
      .map((name) => `PLATFORM_ADS_${name}=https://evil.example\n`).join("") +
      "PLATFORM_ADS_CONSENT_DATE=2026-01-02\n";
    await Deno.writeTextFile(`${folder}/named.env`, evil);
    await withDotenv(evil, async () => {
      const named = [
        { env: SECRETS, platformFile },
        { env: { ...SECRETS, PLATFORM_ADS_PLATFORM_FILE: platformFile } },
      ];
      for (const sources of named) {
        const { platform, credentials } = await connectionFromEnv(sources);
        assert.ok(!JSON.stringify(platform).includes("evil"), JSON.stringify(platform));
        assert.equal(credentials.consentDate, "2026-01-02");
      }
      await assert.rejects(connectionFromEnv({ env: SECRETS }), /sets PLATFORM_ADS_BASE_URL_NA, .*MCP_URL/);
      // Who names the file means it.
      const meant = { env: SECRETS, platformFile, envFile: `${folder}/named.env` };
      assert.equal((await connectionFromEnv(meant)).platform.tokenUrl, "https://evil.example");
    });
  }));

const STEERING = [
  "PLATFORM_FILE",
  "DEMO",
  "STORE",
  "MCP_STORE",
  "QUEUE",
  "POLICY",
  "TOKEN_URL",
  "BASE_URL_EU",
];

for (const name of STEERING) {
  Deno.test(`A .env that nobody named cannot set ${name} for secrets of the environment`, async () => {
    const variable = `PLATFORM_ADS_${name}`;
    await withDotenv(`${variable}=/somewhere/else`, async () => {
      for (const secret of ["PLATFORM_ADS_CLIENT_SECRET", "PLATFORM_ADS_REFRESH_TOKEN"]) {
        await assert.rejects(
          readVariables({ env: { ...HOSTS, [secret]: "mine", [variable]: "" } }),
          (error: Error) =>
            error instanceof ConfigurationError && error.message.includes(`it sets ${variable},`),
        );
      }
      // The environment's own value counts, and without its secrets there is nothing to send elsewhere.
      const own = await readVariables({ env: { ...SECRETS, ...HOSTS, [variable]: "/mine" } });
      assert.equal(own[variable], "/mine");
      assert.equal((await readVariables({ env: {} }))[variable], "/somewhere/else");
    });
  });
}

Deno.test("A .env with a login of its own may say where it is for, and is named as its source", async () => {
  const text = Object.entries({ ...SECRETS, ...HOSTS }).map(([name, value]) => `${name}=${value}\n`).join("");
  await withDotenv(text, async () => {
    const { variables, loginFile } = await readSources({ env: {} });
    assert.equal(variables["PLATFORM_ADS_TOKEN_URL"], HOSTS.PLATFORM_ADS_TOKEN_URL);
    assert.equal(loginFile, "./.env");
    const { PLATFORM_ADS_CLIENT_ID: _, ...half } = SECRETS;
    await assert.rejects(
      readSources({ env: { PLATFORM_ADS_REFRESH_TOKEN: half.PLATFORM_ADS_REFRESH_TOKEN } }),
    );
  });
  assert.equal((await readSources({ env: { ...SECRETS, ...HOSTS } })).loginFile, undefined);
});

Deno.test("A settings file may hold the credentials too, and variables win over them", () =>
  inFolder(async (folder) => {
    const path = `${folder}/emulator.json`;
    const platform = {
      regions: { NA: { baseUrl: "http://127.0.0.1:1/na" } },
      tokenUrl: "http://127.0.0.1:1/t",
    };
    const credentials = { clientId: "file-id", clientSecret: "file-secret", refreshToken: "file-token" };
    await Deno.writeTextFile(path, JSON.stringify({ platform, credentials }));
    const alone = await connectionFromEnv({ env: {}, platformFile: path });
    assert.deepEqual(alone.credentials, credentials);
    assert.equal(alone.platform.tokenUrl, "http://127.0.0.1:1/t");
    const mixed = await connectionFromEnv({ env: { PLATFORM_ADS_CLIENT_ID: "env-id" }, platformFile: path });
    assert.equal(mixed.credentials.clientId, "env-id");
  }));

Deno.test("A named file that is not there is refused by its name; ./.env may be absent", async () => {
  for (
    const [sources, pattern] of [
      [
        { env: {}, envFile: "/nowhere/ads.env" },
        /the dotenv file "\/nowhere\/ads.env": there is no such file/,
      ],
      [{ env: { PLATFORM_ADS_ENV_FILE: "/nowhere/b.env" } }, /the dotenv file "\/nowhere\/b.env"/],
      [{ env: SECRETS, platformFile: "/nowhere/s.json" }, /the platform settings file "\/nowhere\/s.json"/],
      [{ env: SECRETS, platformFile: "/" }, /the platform settings file "\/": it is a folder/],
    ] as const
  ) {
    await assert.rejects(
      () => connectionFromEnv(sources),
      (error: Error) => error instanceof ConfigurationError && pattern.test(error.message),
    );
  }
  assert.deepEqual(await readVariables({ env: { A: "1", B: "", C: undefined } }), { A: "1" });
});

Deno.test("A settings file that is not JSON is refused without a word of its content", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/s.json`, "topsecret-without-quotes");
    await assert.rejects(
      () => connectionFromEnv({ env: SECRETS, platformFile: `${folder}/s.json` }),
      (error: Error) => {
        assert.match(error.message, /s\.json": it is not JSON$/);
        return !`${error.message}${error.stack}${error.cause}`.includes("topsecret");
      },
    );
  }));

Deno.test("A misspelt key is refused with its file, its line and the nearest key, before what it leaves missing", () =>
  inFolder(async (folder) => {
    const platformFile = `${folder}/s.json`;
    const text = (keys: string): string =>
      `{\n  "regions": { "NA": { "baseUrl": "https://na.example" } },\n${keys}\n}`;
    await Deno.writeTextFile(
      platformFile,
      text('  "tokenURI": "https://id.example/t",\n  "wireWrd": "acme"'),
    );
    await assert.rejects(
      () => connectionFromEnv({ env: {}, platformFile }),
      (error: Error) => {
        const [first = "", second = "", ...rest] = error.message.split("\n");
        assert.ok(
          first.startsWith(
            `Cannot use the platform settings file "${platformFile}": line 3: "tokenURI" is not`,
          ),
        );
        assert.match(first, /Did you mean "tokenUrl"\?$/);
        assert.match(second, /^line 4: "wireWrd" is not a setting. Did you mean "wireWord"\?$/);
        return rest.length === 0;
      },
    );
    await Deno.writeTextFile(platformFile, text('  "authorizeUrl": "https://id.example/a"'));
    await assert.rejects(
      () => connectionFromEnv({ env: SECRETS, platformFile }),
      /"tokenUrl" is not in ".*s\.json"\. Add it, or set PLATFORM_ADS_TOKEN_URL$/,
    );
    await Deno.writeTextFile(platformFile, text('  "tokenUrl": "id.example"'));
    await assert.rejects(
      () => connectionFromEnv({ env: SECRETS, platformFile }),
      /Cannot use "tokenUrl" of ".*s\.json": it is not an address/,
    );
  }));

Deno.test("Missing hosts and missing credentials name their variables, also as data", async () => {
  for (
    const [env, name] of [[SECRETS, "PLATFORM_ADS_BASE_URL_NA"], [HOSTS, "PLATFORM_ADS_CLIENT_ID"]] as const
  ) {
    await assert.rejects(
      () => connectionFromEnv({ env }),
      (error: ConfigurationError) => error.message.includes(name) && error.missing.includes(name),
    );
  }
});

Deno.test("Only the variables of this package are looked up in the process environment", async () => {
  const module = new URL("../../src/platform/connection/connection_from_env.ts", import.meta.url).href;
  const script = `
    const { connectionFromEnv } = await import(${JSON.stringify(module)});
    const { credentials } = await connectionFromEnv();
    console.log(credentials.clientId);`;
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, script);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "--no-prompt", "--allow-env=PLATFORM_ADS_*", "--allow-read", file],
      env: { ...SECRETS, ...HOSTS },
      cwd: file.slice(0, file.lastIndexOf("/")),
    }).output();
    assert.equal(new TextDecoder().decode(stderr), "");
    assert.equal(code, 0);
    assert.equal(new TextDecoder().decode(stdout).trim(), "env-id");
  } finally {
    await Deno.remove(file);
  }
});
