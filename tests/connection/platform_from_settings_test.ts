import assert from "node:assert/strict";
import { ConfigurationError, platformFromSettings } from "../../mod.ts";

const FILE = {
  regions: { NA: { baseUrl: "https://na.example" }, EU: { baseUrl: "https://eu.example/ads/" } },
  tokenUrl: "https://id.example/token",
};

function refused(pattern: RegExp, settings: unknown, variables: Record<string, string> = {}): void {
  assert.throws(() => platformFromSettings(settings, variables), (error: Error) => {
    assert.ok(error instanceof ConfigurationError, String(error));
    assert.match(error.message, pattern);
    return true;
  });
}

Deno.test("Settings fill with defaults, and lose slashes at the end of an address", () => {
  assert.deepEqual(platformFromSettings(FILE), {
    regions: { NA: { baseUrl: "https://na.example" }, EU: { baseUrl: "https://eu.example/ads" } },
    tokenUrl: "https://id.example/token",
    headers: {
      clientId: "Platform-Advertising-API-ClientId",
      scope: "Platform-Advertising-API-Scope",
      requestId: "x-platform-request-id",
    },
    wireWord: "platform",
  });
});

Deno.test("Every setting has a variable that wins over the file", () => {
  const file = {
    ...FILE,
    authorizeUrl: "https://file.example/a",
    sandboxUrl: "https://file.example/s",
    mcpUrl: "https://file.example/m",
    headers: { clientId: "File-Client", scope: "File-Scope", requestId: "file-request" },
    wireWord: "file",
  };
  const variables = {
    PLATFORM_ADS_BASE_URL_NA: "https://v.example/na",
    PLATFORM_ADS_BASE_URL_EU: "https://v.example/eu",
    PLATFORM_ADS_BASE_URL_FE: "https://v.example/fe",
    PLATFORM_ADS_TOKEN_URL: "https://v.example/t",
    PLATFORM_ADS_AUTHORIZE_URL: "https://v.example/a",
    PLATFORM_ADS_SANDBOX_URL: "https://v.example/s",
    PLATFORM_ADS_MCP_URL: "https://v.example/m",
    PLATFORM_ADS_CLIENT_ID_HEADER: "V-Client",
    PLATFORM_ADS_SCOPE_HEADER: "V-Scope",
    PLATFORM_ADS_REQUEST_ID_HEADER: "v-request",
    PLATFORM_ADS_WIRE_WORD: "acme",
  };
  assert.deepEqual(platformFromSettings(file, variables), {
    regions: {
      NA: { baseUrl: "https://v.example/na" },
      EU: { baseUrl: "https://v.example/eu" },
      FE: { baseUrl: "https://v.example/fe" },
    },
    tokenUrl: "https://v.example/t",
    authorizeUrl: "https://v.example/a",
    sandboxUrl: "https://v.example/s",
    mcpUrl: "https://v.example/m",
    headers: { clientId: "V-Client", scope: "V-Scope", requestId: "v-request" },
    wireWord: "acme",
  });
  for (const [name, value] of Object.entries(variables)) {
    const holds = (platform: unknown): boolean => JSON.stringify(platform).includes(JSON.stringify(value));
    assert.deepEqual(
      [holds(platformFromSettings(file)), holds(platformFromSettings(file, { [name]: value }))],
      [false, true],
      name,
    );
  }
});

Deno.test("An empty or padded variable does not hide what the file says", () => {
  const platform = platformFromSettings(FILE, {
    PLATFORM_ADS_TOKEN_URL: "",
    PLATFORM_ADS_WIRE_WORD: "  ",
    PLATFORM_ADS_BASE_URL_NA: " https://padded.example/ \r",
  });
  assert.equal(platform.tokenUrl, FILE.tokenUrl);
  assert.equal(platform.wireWord, "platform");
  assert.equal(platform.regions.NA?.baseUrl, "https://padded.example");
});

Deno.test("The emulator's settings document is read as it is", () => {
  assert.equal(platformFromSettings({ platform: FILE, credentials: {} }).tokenUrl, FILE.tokenUrl);
});

Deno.test("A missing host names its variable and the settings file, and no option of adsctl", () => {
  refused(/PLATFORM_ADS_BASE_URL_NA.*PLATFORM_ADS_PLATFORM_FILE$/, {});
  refused(/PLATFORM_ADS_TOKEN_URL.*PLATFORM_ADS_PLATFORM_FILE$/, { regions: FILE.regions });
});

Deno.test("A misspelt key is refused with the nearest one, all of them at once", () => {
  refused(/"tokenurl" is not a setting. Did you mean "tokenUrl"\?/, {
    regions: FILE.regions,
    tokenurl: "https://x",
  });
  refused(/"na" is not a setting. Did you mean "NA"\?\n"baseurl" is not.*"baseUrl"/, {
    ...FILE,
    regions: { na: {}, EU: { baseurl: "https://x" } },
  });
  refused(/"clientID" is not a setting. Did you mean "clientId"/, {
    platform: FILE,
    credentials: { clientID: "1" },
  });
  assert.ok(platformFromSettings({ ...FILE, $schema: "https://x", _note: "ours" }), "notes are allowed");
});

Deno.test("Plain http is for loopback only", () => {
  for (const host of ["127.0.0.1:8080", "localhost", "[::1]:99", "127.8.9.1"]) {
    assert.ok(platformFromSettings({ ...FILE, tokenUrl: `http://${host}/t` }));
  }
  for (const address of ["http://id.example/t", "http://127.0.0.1.evil.example/t", "ftp://127.0.0.1/t"]) {
    refused(/"tokenUrl" of the platform settings.*in the clear.*https/, { ...FILE, tokenUrl: address });
  }
});

Deno.test("An address that would carry something else along is refused, and its password not shown", () => {
  for (const tail of ["?x=1", "#part"]) {
    refused(/"tokenUrl" of/, { ...FILE, tokenUrl: `https://id.example/t${tail}` });
    refused(/PLATFORM_ADS_TOKEN_URL/, FILE, { PLATFORM_ADS_TOKEN_URL: `https://id.example/t${tail}` });
  }
  for (const scheme of ["http", "https"]) {
    assert.throws(
      () => platformFromSettings({ ...FILE, tokenUrl: `${scheme}://user:hunter22@id.example/t` }),
      (error: Error) => !error.message.includes("hunter22"),
    );
  }
});

Deno.test("Malformed settings are refused by name", () => {
  refused(/not an object/, []);
  refused(/not an object/, null);
  refused(/"regions.NA"/, { ...FILE, regions: { NA: "https://na.example" } });
  refused(/"tokenUrl".*not a string/, { ...FILE, tokenUrl: 5 });
  refused(/"tokenUrl" of.*not an address/, { ...FILE, tokenUrl: "id.example" });
  refused(/"wireWord" of/, { ...FILE, wireWord: "Two Words" });
  refused(/name of a header/, { ...FILE, headers: { scope: "bad header:\n" } });
});
