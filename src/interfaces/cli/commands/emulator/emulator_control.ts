import { Emulator } from "../../../../emulator/emulator.ts";
import { CliError, EXIT, UsageError } from "../../shell/io/cli_error.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { demoFiles } from "../../../demo/demo_files.ts";
import { servedDemo } from "../../../demo/served_demo.ts";
import { rehearsedAccount } from "../../../demo/rehearsal.ts";
import { DemoLock } from "../../../demo/demo_lock.ts";

interface ControlRequest {
  readonly method: "GET" | "POST";
  readonly name: string;
  readonly body?: string;
}

export const URL_OPTION = [
  "--url <address>",
  "address of a running emulator (default: the one that --demo uses)",
] as const;

/**
 * Uses the emulator at `url`, else the one that serves the demo account, else starts one for this request.
 *
 * @returns Text of the response.
 * @throws {UsageError} when the emulator rejects the request.
 * @throws {CliError} when the emulator cannot be reached.
 */
export async function controlEmulator(
  request: ControlRequest,
  url: string | undefined,
  context: CliContext,
): Promise<string> {
  const { io } = context;
  const running = url ?? (await servedDemo(demoFiles(io.env), io.fetch))?.url;
  if (running !== undefined) return await send(request, running.replace(/\/+$/, ""), context);
  const files = demoFiles(io.env);
  const lock = DemoLock.tryTake(files.lock);
  if (lock === undefined) {
    throw new CliError(
      `Cannot reach the demo account: ${DemoLock.holder(files.lock)} is working on it. Try again`,
      EXIT.failed,
    );
  }
  try {
    const emulator = await Emulator.start({ ...await rehearsedAccount(io.env), statePath: files.state });
    try {
      return await send(request, emulator.url, context);
    } finally {
      await emulator.stop();
    }
  } finally {
    lock.release();
  }
}

async function send(
  { method, name, body }: ControlRequest,
  url: string,
  { io }: CliContext,
): Promise<string> {
  const address = `${url}/_emulator/${name}`;
  if (!URL.canParse(address)) {
    throw new UsageError(`Cannot reach an emulator at "${url}": it is not a web address`);
  }
  let response: Response;
  let text: string;
  try {
    response = await (io.fetch ?? fetch)(address, { method, ...(body === undefined ? {} : { body }) });
    text = await response.text();
  } catch (cause) {
    throw new CliError(`Cannot reach an emulator at "${url}": ${(cause as Error).message}`, EXIT.failed, {
      cause,
    });
  }
  if (response.ok) return text;
  throw new UsageError(messageOf(text) ?? `The emulator at "${url}" responded with ${response.status}`);
}

function messageOf(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === "string" ? message : undefined;
  } catch {
    return undefined;
  }
}
