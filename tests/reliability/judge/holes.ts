import { join, resolve } from "node:path";
import { copyProject } from "../../../scripts/mutate/project_copy.ts";
import { DOORS_BY_USE } from "./doors.ts";

/** A text of a file that is there once, and its replacement. */
type Edit = readonly [path: string, from: string, to: string];

/** A fault of the sources that moves must find: planted in a copy of the project. */
export interface SourceHole {
  /** Words for reports. */
  readonly name: string;
  /** One for each defence that stands in its way. */
  readonly edits: readonly Edit[];
}

const GUARD = "src/client/write_guard.ts";
const FILE_POLICY = "src/plans/policy/file_policy.ts";

/** Faults that once were in the code. */
export const SOURCE_HOLES: readonly SourceHole[] = [
  {
    name: "objects are judged merged where the platform replaces them",
    edits: [[
      GUARD,
      'return [name, effect === "replaced" ? replacingFields(entity[name], value) : value];',
      "return [name, value];",
    ]],
  },
  {
    name: "a resumed plan judges by a method without its object",
    edits: [[
      "src/plans/model/prior_state.ts",
      "    below: (kind, id, leftOut) => account.below(kind, id, leftOut),\n    entity: (kind, id) => {\n      const [read, was]",
      "    below: account.below,\n    entity: (kind, id) => {\n      const [read, was]",
    ]],
  },
  {
    name: "a foreign .env decides where secrets go",
    edits: [[
      "src/platform/connection/connection_from_env.ts",
      "  if (named === undefined) refuseSteering(variables, env);\n",
      "",
    ]],
  },
  {
    name: "each profile counts the copies of a global campaign by itself",
    edits: [[
      FILE_POLICY,
      "    return [this.#place(plan, context), ...elsewhere];",
      "    return elsewhere.length > 99 ? elsewhere : [this.#place(plan, context)];",
    ]],
  },
  {
    // The check of each request, and that of the account before the first.
    name: "a tenant reaches other profiles by global kinds",
    edits: [
      ["src/client/platform_ads.ts", "          await limit?.check(request);\n", ""],
      [
        "src/platform/transport/advertiser_accounts.ts",
        "  return limit === undefined ||\n",
        "  return limit !== undefined || limit === undefined ||\n",
      ],
    ],
  },
  {
    // What a write drops was refused only later.
    name: "an exception holds for the place that a plan claims",
    edits: [
      [
        "src/plans/policy/judged_change.ts",
        "      const fields = [known(before), ...places.map((place) => place.before)];",
        "      const fields = [known(before), change.after, ...places.map((place) => place.before)];",
      ],
      [
        "src/client/entities/resource/encode_items.ts",
        "  const dropped = droppedFields(said, sent, parts)\n",
        '  const dropped = droppedFields(said, sent, parts).filter((field) => field === "")\n',
      ],
    ],
  },
  {
    name: "portfolio caps raise no default warning",
    edits: [[
      "src/plans/review/default_findings.ts",
      "  const cap = capRaise(step);\n",
      '  const cap = capRaise({ ...step, op: "archive" });\n',
    ]],
  },
  {
    name: "limits know one spelling of a market, and take any two letters",
    edits: [
      [
        "src/plans/policy/policy_document.ts",
        '      const market = key === "default" ? key : normalizeCountry(key);\n',
        "      const market = key;\n",
      ],
      [
        "src/plans/policy/policy_document.ts",
        '      const problem = key !== "default" && !MARKETPLACES.includes(market)\n',
        '      const problem = key === ""\n',
      ],
    ],
  },
  {
    name: "a resumed plan is judged by the values of its file",
    edits: [[
      FILE_POLICY,
      "      findings = this.check(plan, { ...context, ...days.context(), totals, open: isOpen });",
      "      findings = this.check(plan, { ...context, account: atFirst, ...days.context(), totals, open: isOpen });",
    ]],
  },
  {
    name: "a rule of a watch applies its plan where no policy names it",
    edits: [[FILE_POLICY, "    return this.#document.allow_auto.includes(rule);", '    return rule !== "";']],
  },
  {
    // A smaller bid is within every limit, so that only its difference from what was shown gives it away. Each body is
    // compared with what was admitted.
    name: "a plan sends another bid than it shows",
    edits: [
      [
        "src/client/admitted_writes.ts",
        "    return items.every((item) => {\n",
        "    return items.length > 0 || items.every((item) => {\n",
      ],
      [
        "src/client/entities/resource/resource.ts",
        '    const result = await this.#write(whole, "update", { ...options, unsendable });\n',
        `    const other = whole.map((item) =>
      typeof item["bid"] === "number" ? { ...item, bid: Math.max(0.02, Math.round(item["bid"] * 70) / 100) } : item
    );
    const result = await this.#write(other, "update", { ...options, unsendable });\n`,
      ],
    ],
  },
];

/** Plants a fault in a copy of the project and plays; the number of moves until it is found. */
export async function foundIn(
  { edits }: SourceHole,
  { seed, moves, queue }: {
    readonly seed: number;
    readonly moves: number;
    /** Address of an empty store for workers; they are left out without one. */
    readonly queue: string | undefined;
  },
): Promise<{ readonly moves: number; readonly by: string } | undefined> {
  const copy = await Deno.makeTempDir({ prefix: "holes-" });
  try {
    await copyProject(resolve(import.meta.dirname!, "../../.."), copy);
    for (const [path, from, to] of edits) {
      const file = join(copy, path);
      const source = await Deno.readTextFile(file);
      if (source.split(from).length !== 2) {
        throw new Error(`Cannot plant it: its text is not once in ${path}`);
      }
      await Deno.writeTextFile(file, source.replace(from, () => to));
    }
    const doors = DOORS_BY_USE.filter((name) => name !== "workers").join(",");
    const way = queue === undefined ? ["--doors", doors] : ["--queue", queue];
    const { stdout, code } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "-q", "--no-check", "tests/reliability/judge/main.ts"],
        ...["--seed", String(seed), "--moves", String(moves), ...way],
      ],
      cwd: copy,
      stderr: "inherit",
    }).output();
    const lines = new TextDecoder().decode(stdout).trim().split("\n");
    if (code === 0) return undefined;
    return { moves: JSON.parse(lines.at(-1) ?? "").moves, by: lines[0] ?? "" };
  } finally {
    await Deno.remove(copy, { recursive: true });
  }
}
