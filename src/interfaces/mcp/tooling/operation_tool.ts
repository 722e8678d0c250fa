import * as z from "zod";
import type { PlatformAds } from "../../../client/platform_ads.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { checkInput } from "../../../operations/model/check_input.ts";
import { type Fields, inputFrom, type InputOf } from "../../../operations/model/field.ts";
import { JSON_SPELLING, type Operation, toolName } from "../../../operations/model/operation.ts";
import { MAX_TEXT } from "../calls/call_limits.ts";
import type { StoreAccess } from "../context/store_access.ts";
import type { Toolset } from "../context/toolsets.ts";
import { fieldShape, rareFields } from "../../../operations/model/field_schema.ts";
import { MARKET, type Tool, tool, type ToolAnswer, type ToolCall } from "./tool.ts";

type ToolOperation<Of extends Fields> = Pick<
  Operation<Of, never, unknown>,
  "name" | "tool" | "effect" | "title" | "brief" | "input" | "check"
>;

/** Defines how a tool renders an operation on a part of the account. */
interface Rendering<Subject, Of extends Fields, Output extends z.ZodObject, More extends z.ZodRawShape> {
  readonly output: Output;
  readonly sets: readonly Toolset[];
  readonly isListed?: true;
  /** Ends the description. */
  readonly note?: string;
  /** Arguments that control the answer, such as the number of rows. */
  readonly more?: More;
  /** Longest call, in seconds, by its arguments. */
  readonly maxSeconds?: (more: z.output<z.ZodObject<More>>) => number;
  /** Refuses what an agent may not do, before anything else is looked at. */
  readonly refuse?: (input: InputOf<Of>, call: ToolCall) => Promise<void>;
  answer(
    subject: Subject,
    input: InputOf<Of>,
    call: ToolCall,
    more: z.output<z.ZodObject<More>>,
  ): Promise<ToolAnswer<z.input<Output>>>;
}

export function operationTool<
  Of extends Fields,
  Output extends z.ZodObject,
  More extends z.ZodRawShape = Record<never, never>,
>(operation: ToolOperation<Of>, rendering: Rendering<ProfileClient, Of, Output, More>): Tool {
  return toolOf(operation, rendering, {
    arguments: { market: MARKET },
    subject: (call, market) => call.context.profile(String(market), call.signal),
  });
}

/** Makes a tool for an operation on everything that the login can reach. */
export function loginTool<
  Of extends Fields,
  Output extends z.ZodObject,
  More extends z.ZodRawShape = Record<never, never>,
>(operation: ToolOperation<Of>, rendering: Rendering<PlatformAds, Of, Output, More>): Tool {
  return toolOf(operation, rendering, { arguments: {}, subject: (call) => call.context.ads() });
}

/** Makes a tool for an operation on the report store. */
export function storeTool<
  Of extends Fields,
  Output extends z.ZodObject,
  More extends z.ZodRawShape = Record<never, never>,
>(operation: ToolOperation<Of>, rendering: Rendering<StoreAccess, Of, Output, More>): Tool {
  return toolOf(operation, rendering, {
    arguments: {},
    isLocal: true,
    subject: ({ context }) => Promise.resolve(context.store!),
  });
}

/** Makes a tool for an operation that asks nothing of the platform. */
export function localTool<
  Of extends Fields,
  Output extends z.ZodObject,
  More extends z.ZodRawShape = Record<never, never>,
>(operation: ToolOperation<Of>, rendering: Rendering<undefined, Of, Output, More>): Tool {
  return toolOf(operation, rendering, {
    arguments: {},
    isLocal: true,
    subject: () => Promise.resolve(undefined),
  });
}

function toolOf<Subject, Of extends Fields, Output extends z.ZodObject, More extends z.ZodRawShape>(
  operation: ToolOperation<Of>,
  rendering: Rendering<Subject, Of, Output, More>,
  of: {
    readonly arguments: z.ZodRawShape;
    readonly isLocal?: true;
    readonly subject: (call: ToolCall, market: unknown) => Promise<Subject>;
  },
): Tool {
  const { effect, title, brief, input: fields } = operation;
  const { answer, more, maxSeconds, refuse, note, ...about } = rendering;
  const rest = z.object(more ?? {} as More);
  const shape: z.ZodRawShape = { ...of.arguments, ...argumentShape(fields), ...rest.shape };
  return tool({
    ...about,
    name: toolName(operation),
    title,
    description: note === undefined ? brief : `${brief} ${note}`,
    input: z.strictObject(shape),
    rare: rareFields(fields),
    effect,
    ...(of.isLocal && { isLocal: true }),
    ...(maxSeconds === undefined ? {} : { maxSeconds: (args) => maxSeconds(rest.parse(args)) }),
    async run({ market, ...args }, call) {
      const input = inputFrom(fields, args);
      await refuse?.(input, call);
      await checkInput(operation, input, JSON_SPELLING);
      return await answer(await of.subject(call, market), input, call, rest.parse(args));
    },
  });
}

/** Says how long files may be, because a campaign may well be longer. */
function argumentShape(fields: Fields): z.ZodRawShape {
  const shape = Object.entries(fieldShape(fields)).map(([name, schema]): [string, z.ZodType] => [
    name,
    fields[name]?.type === "files"
      ? schema.describe(`${schema.description}; each to ${MAX_TEXT.toLocaleString("en-US")} characters`)
      : schema,
  ]);
  return Object.fromEntries(shape);
}
