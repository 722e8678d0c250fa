import { linesIn } from "../../src/base/text/lines.ts";
import { heldUp } from "./held_up.ts";
import { ANSWER_MARK, type TestAnswer, type TestOrder } from "./test_protocol.ts";

/** A test of which nothing is heard for so long is stopped with its process. */
const MAX_SILENCE = 90_000;

interface RunningTests {
  readonly child: Deno.ChildProcess;
  readonly input: WritableStreamDefaultWriter<Uint8Array>;
  readonly lines: AsyncGenerator<string>;
}

/** One process at a time that runs tests of a changed copy: a new one is started where the last one died. */
export class TestProcesses {
  readonly #copy: string;
  readonly #env: Readonly<Record<string, string>>;
  #running: RunningTests | undefined;

  constructor(copy: string, env: Readonly<Record<string, string>>) {
    this.#copy = copy;
    this.#env = env;
  }

  /** Gives what the process answers; where it ends or falls silent instead, the test that it was at. */
  async ask(order: TestOrder): Promise<TestAnswer | { readonly kind: "died"; readonly at: string }> {
    const { child, input, lines } = this.#running ??= this.#start();
    let at = "";
    await input.write(new TextEncoder().encode(`${JSON.stringify(order)}\n`)).catch(() => {});
    while (true) {
      const { value: line, done } = await within(child, () => lines.next());
      if (done === true) {
        await this.stop();
        return { kind: "died", at };
      }
      if (!line.startsWith(ANSWER_MARK)) continue;
      const answer: TestAnswer = JSON.parse(line.slice(ANSWER_MARK.length));
      if (answer.kind !== "begins") return answer;
      at = answer.test;
    }
  }

  /** Ends the process, so that the next order goes to a new one. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (running === undefined) return;
    await running.input.close().catch(() => {});
    const timer = setTimeout(() => kill(running.child), 2000);
    await running.lines.return(undefined);
    await running.child.status;
    clearTimeout(timer);
  }

  #start(): RunningTests {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "-q", "--no-check", "scripts/mutate/test_process.ts"],
      cwd: this.#copy,
      env: { NO_COLOR: "1", ...this.#env },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    return { child, input: child.stdin.getWriter(), lines: linesIn(child.stdout) };
  }
}

/** Waits for a line of a process, which is stopped when nothing comes. */
async function within<T>(child: Deno.ChildProcess, next: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const wait = (milliseconds: number, before: number): void => {
    timer = setTimeout(() => {
      const later = heldUp(child.pid);
      if (later - before < 1000) kill(child);
      else wait(later - before, later);
    }, milliseconds);
  };
  wait(MAX_SILENCE, heldUp(child.pid));
  try {
    return await next();
  } finally {
    clearTimeout(timer!);
  }
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}
