import { join, resolve } from "node:path";
import { copyProject } from "../../../scripts/mutate/project_copy.ts";

/** A fault of the sources that moves must find: planted in a copy of the project. */
export interface SourceHole {
  /** Words for reports. */
  readonly name: string;
  readonly path: string;
  /** Text that is there once, and its replacement. */
  readonly from: string;
  readonly to: string;
  /** Doors that are tried alone, with commas. @default all */
  readonly doors?: string;
}

/** Faults that once were in the code. */
export const SOURCE_HOLES: readonly SourceHole[] = [
  {
    name: "objects are judged merged where the platform replaces them",
    path: "src/client/write_guard.ts",
    from: 'return [name, effect === "replaced" ? replacingFields(entity[name], value) : value];',
    to: "return [name, value];",
  },
  {
    name: "a resumed plan judges by a method without its object",
    path: "src/plans/model/prior_state.ts",
    from:
      "    below: (kind, id, leftOut) => account.below(kind, id, leftOut),\n    entity: (kind, id) => {\n      const [read, was]",
    to: "    below: account.below,\n    entity: (kind, id) => {\n      const [read, was]",
  },
  {
    name: "a foreign .env decides where secrets go",
    path: "src/platform/connection/connection_from_env.ts",
    from: "  if (named === undefined) refuseSteering(variables, env);\n",
    to: "",
  },
  {
    name: "each profile counts the copies of a global campaign by itself",
    path: "src/plans/policy/file_policy.ts",
    from: "    return [this.#place(plan, context), ...elsewhere];",
    to: "    return elsewhere.length > 99 ? elsewhere : [this.#place(plan, context)];",
  },
  {
    name: "a tenant reaches other profiles by requests",
    path: "src/client/platform_ads.ts",
    from: "          await limit?.check(request);\n",
    to: "",
  },
  {
    name: "an exception holds for the place that a plan claims",
    path: "src/plans/policy/judged_change.ts",
    from: "      const fields = [known(before), ...places.map((place) => place.before)];",
    to: "      const fields = [known(before), change.after, ...places.map((place) => place.before)];",
  },
  {
    name: "a rule of a watch applies its plan where no policy names it",
    path: "src/plans/policy/file_policy.ts",
    from: "    return this.#document.allow_auto.includes(rule);",
    to: '    return rule !== "";',
  },
  {
    name: "a resumed plan is judged by the values of its file",
    path: "src/plans/policy/file_policy.ts",
    from: "      const open = this.#judged(plan, account).filter(",
    to:
      "      const open = this.#judged(plan, resumes ? beforeChanges(plan.changes, account) : account).filter(",
  },
];

/** Plants a fault in a copy of the project and plays; the number of moves until it is found. */
export async function foundIn(
  { path, from, to, doors }: SourceHole,
  { seed, moves }: { readonly seed: number; readonly moves: number },
): Promise<number | undefined> {
  const copy = await Deno.makeTempDir({ prefix: "holes-" });
  try {
    await copyProject(resolve(import.meta.dirname!, "../../.."), copy);
    const file = join(copy, path);
    const source = await Deno.readTextFile(file);
    if (source.split(from).length !== 2) throw new Error(`Cannot plant it: its text is not once in ${path}`);
    await Deno.writeTextFile(file, source.replace(from, () => to));
    const args = ["run", "-A", "-q", "--no-check", "tests/reliability/judge/main.ts"];
    const asked = ["--seed", String(seed), "--moves", String(moves)];
    const { stdout, code } = await new Deno.Command(Deno.execPath(), {
      args: [...args, ...asked, ...(doors === undefined ? [] : ["--doors", doors])],
      cwd: copy,
      stderr: "inherit",
    }).output();
    const last = new TextDecoder().decode(stdout).trim().split("\n").at(-1) ?? "";
    return code === 0 ? undefined : JSON.parse(last).moves;
  } finally {
    await Deno.remove(copy, { recursive: true });
  }
}
