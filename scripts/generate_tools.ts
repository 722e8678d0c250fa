/**
 * Makes `docs/tools.md` from the tools that the server registers.
 *
 *     deno run -A scripts/generate_tools.ts [--check]
 *
 * `--check` writes nothing and exits 1 on a difference.
 *
 * @module
 */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { LOCAL } from "../src/interfaces/mcp/access/identity.ts";
import type { McpContext } from "../src/interfaces/mcp/context/mcp_context.ts";
import { callTool, searchTools } from "../src/interfaces/mcp/tools/find_tools.ts";
import { toolsetNames } from "../src/interfaces/mcp/context/toolsets.ts";
import { toolList } from "../src/interfaces/mcp/server/tool_list.ts";
import { defaultOf, type Field } from "../src/operations/model/field.ts";
import { shareForms } from "../src/operations/model/share_text.ts";
import { OPERATIONS } from "../src/operations/table.ts";
import { bringUpToDate } from "./catalog/generated_file.ts";

const PAGE = fileURLToPath(new URL("../docs/tools.md", import.meta.url));

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
}

interface Registered {
  readonly name: string;
  readonly config: {
    readonly title: string;
    readonly description: string;
    readonly inputSchema: Standard;
    readonly outputSchema: Standard;
    readonly annotations: Readonly<Record<string, unknown>>;
  };
}

interface Standard {
  readonly "~standard": {
    readonly jsonSchema: {
      input(options: { target: string; libraryOptions: { types: boolean } }): Schema;
      output(options: { target: string; libraryOptions: { types: boolean } }): Schema;
    };
  };
}

/** What every tool of a server with a store and a folder to save into tells its clients. */
function registered(): Registered[] {
  const found: Registered[] = [];
  const server = {
    registerTool: (name: string, config: Registered["config"]) => found.push({ name, config }),
  };
  const context = {
    settings: { saveFolder: "results", readOnly: false, toolsets: toolsetNames() },
    store: { dialect: "SQLite, or PostgreSQL where the store is one" },
  } as unknown as McpContext;
  for (
    const tool of [
      ...toolList(context),
      searchTools([]),
      callTool({ listed: [], rest: [] }, context.settings),
    ]
  ) {
    tool.register(server as never, context, LOCAL);
  }
  return found;
}

function page(tools: readonly Registered[]): string {
  const lines = [
    "<!-- Made by scripts/generate_tools.ts from src/operations and src/interfaces/mcp/tools. Do not edit. -->",
    "",
    "# Tools for agents",
    "",
    "The tools of `platform-ads-mcp`. By default, the server lists the most common ones; `search_tools` finds the others " +
    "and `call_tool` calls them. `query_reports`, `sync_reports`, `report_coverage`, `list_alerts`, `get_alert`, `get_schedules`, `plan_schedule`, `pacing_show` and `plan_pacing` need a store, `save_result` " +
    "needs a folder to save into, and read-only mode has no tools that write. See [the guide](guides/agents.md).",
    "",
    ...tools.map(({ name, config }) => `- [\`${name}\`](#${name}): ${config.title}`),
  ];
  for (const { name, config } of tools) {
    const { inputSchema, outputSchema, annotations } = config;
    const target = { target: "draft-2020-12", libraryOptions: { types: true } };
    const operation = OPERATIONS.find((one) => one.name.replaceAll(" ", "_") === name);
    lines.push("", `<a id="${name}"></a>`, "", `## ${name}`, "", config.description, "", hints(annotations));
    lines.push(
      "",
      ...fields("Argument", inputSchema["~standard"].jsonSchema.input(target), operation?.input),
    );
    lines.push(
      "",
      ...fields(
        "Result",
        outputSchema["~standard"].jsonSchema.output(target),
      ),
    );
  }
  return lines.join("\n") + "\n";
}

function hints(annotations: Readonly<Record<string, unknown>>): string {
  const effect = annotations["readOnlyHint"]
    ? "Read-only"
    : annotations["destructiveHint"]
    ? "Changes the account"
    : "Writes files or the report store, and does not change the account";
  const reach = annotations["openWorldHint"] ?? true
    ? "Connects to the platform"
    : "Sends nothing to the platform";
  return `${effect}. ${reach}.`;
}

function fields(
  heading: string,
  schema: Schema,
  declared: Readonly<Record<string, Field>> = {},
): string[] {
  const entries = Object.entries(schema.properties ?? {});
  if (entries.length === 0) return [`${heading}: none.`];
  const required = heading === "Argument" ? "Required" : "Always present";
  const rows = entries.map(([name, field]) => {
    const must = schema.required?.includes(name) ? "yes" : "";
    const own = declared[name];
    const text = own === undefined ? field.description ?? "" : meaningOf(own);
    return `| \`${name}\` | ${typeOf(field)} | ${must} | ${text.replaceAll("|", "\\|")} |`;
  });
  return [`| ${heading} | Type | ${required} | Description |`, "| --- | --- | --- | --- |", ...rows];
}

/** Meaning of an operation's field, with its unit and its default. */
function meaningOf(field: Field): string {
  const otherwise = defaultOf(field) ?? field.otherwise;
  return field.help + (field.type === "share" ? `: ${shareForms(field.or)}` : "") +
    (otherwise === undefined ? "" : ` (default: ${otherwise})`) +
    (field.isRare ? "; not in the listed schema" : "");
}

function typeOf(field: Schema): string {
  if (field.anyOf !== undefined) return field.anyOf.map(typeOf).join(" or ");
  if (field.const !== undefined) return `\`${field.const}\``;
  if (field.enum !== undefined) return field.enum.map((value) => `\`${value}\``).join(", ");
  return Array.isArray(field.type) ? field.type.join(" or ") : String(field.type ?? "any");
}

const check = process.argv.includes("--check");
const different = await bringUpToDate([{ path: PAGE, text: page(registered()) }], {
  check,
  log: console.log,
});
if (check && different > 0) process.exitCode = 1;
