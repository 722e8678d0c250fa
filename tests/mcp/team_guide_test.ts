import { deepEqual, equal, ok } from "../support/assert.ts";
import { readSettings } from "../../src/interfaces/mcp/context/settings.ts";
import { SCOPES } from "../../src/interfaces/mcp/access/identity.ts";
import { everyTool } from "../../src/interfaces/mcp/server/tool_list.ts";
import { loadTenants } from "../../src/interfaces/mcp/http/load_tenants.ts";

const guide = await Deno.readTextFile("docs/agents_reference.md");
const section = guide.slice(guide.indexOf("## Shared by a team"), guide.indexOf("## Long work"));

Deno.test("the command and the tenants file of the guide for teams can be used as they stand there", async () => {
  const [, command] = /^platform-ads-mcp ([\s\S]*?)^```/m.exec(section) ?? [];
  const [, file] = /^```yaml\n([\s\S]*?)^```/m.exec(section) ?? [];
  ok(command !== undefined && file !== undefined);
  const folder = await Deno.makeTempDir({ prefix: "team-guide-" });
  try {
    await Deno.writeTextFile(`${folder}/tenants.yaml`, file);
    await Deno.writeTextFile(`${folder}/shoes-policy.yaml`, "version: 1\nmax_bid: 2\n");
    const login = ["CLIENT_ID=a", "CLIENT_SECRET=b", "REFRESH_TOKEN=c"].map((line) =>
      `PLATFORM_ADS_${line}\n`
    );
    await Deno.writeTextFile(`${folder}/shoes.env`, login.join(""));
    const args = command.replaceAll("\\\n", " ").trim().split(/\s+/);
    const settings = await readSettings([...args, "--tenants", `${folder}/tenants.yaml`], {
      HOME: folder,
      PLATFORM_ADS_BASE_URL_NA: "https://api.example",
      PLATFORM_ADS_TOKEN_URL: "https://id.example/token",
      HATS_ID: "d",
      HATS_SECRET: "e",
      HATS_TOKEN: "f",
      SHOES_ROBOT_TOKEN: "a-token-of-24-characters",
    });
    equal(settings.http?.auth?.audience, "https://ads.example/mcp");
    const tenants = await loadTenants(settings.tenantsFile!, settings);
    deepEqual(tenants.list.map(({ name, members }) => [name, members.length]), [["shoes", 2], ["hats", 1]]);
    deepEqual(tenants.tokens.map(({ identity: { subject, scopes } }) => [subject, scopes]), [
      ["robot", ["read", "plan"]],
    ]);
    deepEqual(tenants.list.map(({ settings: { approval, readOnly } }) => [approval, readOnly]), [
      [undefined, false],
      ["terminal", true],
    ]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the guide for teams has every scope", () => {
  for (const scope of SCOPES) ok(section.includes(`| \`${scope}\``), scope);
});

Deno.test("the page that agents begin with says it in 600 words, and the reference has every tool", async () => {
  const page = await Deno.readTextFile("docs/guides/agents.md");
  const words = page.split(/\s+/).length;
  ok(words <= 600, `${words} words`);
  for (const heading of ["## Start", "## What an agent may do", "## Approve"]) ok(page.includes(heading));
  const store = { dialect: "SQLite" };
  const settings = { saveFolder: "saved", readOnly: false };
  for (const { name } of everyTool({ settings, store } as never)) ok(guide.includes(`\`${name}\``), name);
});
