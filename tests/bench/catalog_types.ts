import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BenchLine, benchLine, median, milliseconds } from "./bench.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ROUNDS = 5;
const ONE_API = 'export type { Operations } from "./catalog/schemas/sponsored_display.ts";';
const WITHOUT =
  "export type OperationId = string;\nexport type OperationPathParams = Record<never, never>;\n";

/** Measures a cold `deno check mod.ts` with the operation types against one without them. */
export async function bench(): Promise<BenchLine[]> {
  const folder = await mkdtemp(join(tmpdir(), "catalog-types-"));
  try {
    const [typed, plain] = [join(folder, "typed"), join(folder, "plain")];
    for (const copy of [typed, plain]) {
      for (const part of ["src", "catalog", "deno.json", "mod.ts"]) {
        await cp(join(ROOT, part), join(copy, part), { recursive: true });
      }
    }
    await writeFile(join(plain, "catalog/operation_ids.ts"), WITHOUT);
    const withTypes: number[] = [];
    const withoutTypes: number[] = [];
    const ofOneApi: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      withTypes.push(await check(typed, round));
      withoutTypes.push(await check(plain, round));
      ofOneApi.push(await check(typed, ROUNDS + round, ONE_API));
    }
    return [
      benchLine("deno check mod.ts with the operation types", median(withTypes), {
        unit: "ms",
        baseline: median(withoutTypes),
      }),
      benchLine("deno check mod.ts and the types of one API", median(ofOneApi), {
        unit: "ms",
        baseline: median(withTypes),
      }),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function check(folder: string, round: number, more = ""): Promise<number> {
  // A changed entry is checked anew; an unchanged one is answered from Deno's cache.
  await writeFile(
    join(folder, "entry.ts"),
    `export * from "./mod.ts";\n${more}\nexport const round = ${round};\n`,
  );
  const command = new Deno.Command(Deno.execPath(), {
    args: ["check", "-q", "entry.ts"],
    cwd: folder,
    stdout: "null",
    stderr: "piped",
  });
  let failure: string | undefined;
  const took = await milliseconds(async () => {
    const { success, stderr } = await command.output();
    if (!success) failure = new TextDecoder().decode(stderr);
  });
  if (failure !== undefined) throw new Error(`Cannot measure: deno check fails in ${folder}\n${failure}`);
  return took;
}
