import { type McpServer, ProtocolErrorCode, type Transport } from "@modelcontextprotocol/server";
import { isCreatedTask, TASK } from "./tasks/created_task.ts";

type Message = Parameters<Transport["send"]>[0];

/**
 * Corrects what the SDK cannot say. Parameters of a wrong shape are answered with the protocol's "invalid params" and one
 * line that says which is wrong: the SDK calls them an internal error of the server. A result that stands for a task
 * becomes that task: the SDK holds every result of a tool against the tool's own shape.
 */
export function correctOutgoing(server: McpServer): void {
  const connect = server.server.connect.bind(server.server);
  server.server.connect = async (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(corrected(message), options);
    await connect(transport);
  };
}

function corrected(message: Message): Message {
  if ("result" in message) {
    const { _meta: { [TASK]: task, ...meta } = {} } = message.result;
    return isCreatedTask(task) ? { ...message, result: { ...task, _meta: meta } } : message;
  }
  if (!("error" in message) || message.error.code !== Number(ProtocolErrorCode.InternalError)) return message;
  const wrong = firstIssue(message.error.message);
  if (wrong === undefined) return message;
  return { ...message, error: { ...message.error, code: ProtocolErrorCode.InvalidParams, message: wrong } };
}

/** First finding of a check against a schema; `undefined` for a text that is not one. */
function firstIssue(text: string): string | undefined {
  if (!text.startsWith("[")) return undefined;
  try {
    const [issue] = JSON.parse(text) as { readonly path: readonly string[]; readonly message: string }[];
    return issue === undefined ? undefined : `Invalid params: "${issue.path.join(".")}": ${issue.message}`;
  } catch {
    return undefined;
  }
}
