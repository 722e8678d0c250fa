/** What an executable was asked, and whether it answered right. */
export interface Smoke {
  /** What was tried. */
  readonly what: string;
  /** What is wrong; `undefined` when nothing is. */
  readonly problem: string | undefined;
}

/**
 * Runs a program in an empty folder and asks what shows that all of it is there.
 *
 * @param command The executable; or a runtime and what makes it run the program.
 */
export async function smoke(program: string, command: readonly string[]): Promise<Smoke[]> {
  const folder = await Deno.makeTempDir({ prefix: "smoke-" });
  try {
    const world = { cwd: folder, env: { XDG_STATE_HOME: folder } };
    const version = await run([...command, "--version"], world);
    const results: Smoke[] = [{ what: `${program} --version`, problem: problem(version, /\d+\.\d+\.\d+/) }];
    if (program === "adsctl") {
      const told = await run([...command, "demo"], world);
      results.push({ what: "adsctl demo", problem: problem(told, /Every step did what it says/) });
    } else {
      const hello = {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "smoke", version: "1" },
        },
      };
      const answer = await run([...command, "--demo"], { ...world, stdin: `${JSON.stringify(hello)}\n` });
      results.push({ what: `${program} initialize`, problem: problem(answer, /"serverInfo"/) });
    }
    return results;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

interface Run {
  code: number;
  text: string;
}

async function run(
  [program, ...args]: readonly string[],
  world: { cwd: string; env: Record<string, string>; stdin?: string },
): Promise<Run> {
  const { stdin = "", ...rest } = world;
  const child = new Deno.Command(program!, {
    args,
    ...rest,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin)).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  return { code, text: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

function problem({ code, text }: Run, expected: RegExp): string | undefined {
  if (code === 0 && expected.test(text)) return undefined;
  return `ended with ${code}: ${text.trim().slice(0, 500)}`;
}
