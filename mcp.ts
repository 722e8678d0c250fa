#!/usr/bin/env -S deno run -A
/**
 * `platform-ads-mcp`, the tool server for agents.
 *
 * @module
 */
import { run } from "./src/mcp/run.ts";

export { main, type McpIo, type ProgramCommand, type StdioStreams } from "./src/mcp/mod.ts";

if (import.meta.main) await run();
