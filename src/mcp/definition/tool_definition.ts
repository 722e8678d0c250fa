import type {
  StandardSchemaWithJSON,
  Tool as ProtocolTool,
  ToolAnnotations,
} from "@modelcontextprotocol/server";

/** A tool as the list of tools has it. */
export type ToolDefinition = ProtocolTool;

/** Registration of a tool. */
export interface ToolConfig {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: StandardSchemaWithJSON;
  readonly outputSchema: StandardSchemaWithJSON;
  readonly annotations: ToolAnnotations;
}

/** A tool as the list of tools has it; who may not use it does not see it, so each server makes the list of its callers. */
export function toolDefinition(
  name: string,
  { title, description, inputSchema, outputSchema, annotations }: ToolConfig,
): ToolDefinition {
  return {
    name,
    title,
    description,
    inputSchema: { ...jsonSchemaOf(inputSchema, "input"), type: "object" },
    annotations,
    outputSchema: { ...jsonSchemaOf(outputSchema, "output"), type: "object" },
  };
}

/** A schema as clients see it. */
export function jsonSchemaOf(
  schema: StandardSchemaWithJSON,
  side: "input" | "output",
): Record<string, unknown> {
  return schema["~standard"].jsonSchema[side]({ target: "draft-2020-12" });
}
