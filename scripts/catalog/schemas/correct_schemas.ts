import type { SchemaCorrection } from "../../../catalog/schema_corrections.ts";
import { expandNode, type ShortNode } from "../../../src/platform/schema/api_shapes.ts";
import type { SchemaNode } from "../../../src/platform/schema/schema_node.ts";
import type { SchemaFacts } from "./schema_listing.ts";
import { shortenNode } from "./shorten_node.ts";

/** Shapes with their corrections. */
export interface CorrectedSchemas {
  /** The shapes. */
  readonly facts: SchemaFacts;
  /** Corrections that lead to no shape or change nothing any more, a line each. */
  readonly obsolete: readonly string[];
}

/** Number of steps from an API to a shape: `models/NAME`, `operations/NAME/b/TYPE`. */
const STEPS: Readonly<Record<string, number>> = { p: 4, b: 4, r: 5 };

/** Applies the corrections to the shapes. */
export function correctSchemas(
  facts: SchemaFacts,
  corrections: readonly SchemaCorrection[],
): CorrectedSchemas {
  const obsolete: string[] = [];
  let corrected = facts;
  for (const correction of corrections) {
    try {
      corrected = apply(corrected, correction);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      obsolete.push(
        `The correction of ${correction.api} at ${correction.at.join("/")} is obsolete: ${error.message}`,
      );
    }
  }
  return { facts: corrected, obsolete };
}

function apply(facts: SchemaFacts, { api: slug, at, set }: SchemaCorrection): SchemaFacts {
  const steps = at[0] === "models" ? 2 : STEPS[String(at[2])] ?? 0;
  const correct = (short: ShortNode): ShortNode => {
    const changed = withKeywords(expandNode(short), at.slice(steps), set);
    if (changed === undefined) throw new RangeError("there is no such shape");
    const corrected = shortenNode(changed);
    if (JSON.stringify(corrected) === JSON.stringify(short)) throw new RangeError("it changes nothing");
    return corrected;
  };
  if (!facts.some(({ api }) => api === slug)) throw new RangeError("there is no such API");
  return facts.map((api) => api.api === slug ? changedAt(api, at.slice(0, steps), correct) : api);
}

function changedAt<T>(
  parent: T,
  [step = "", ...rest]: readonly (string | number)[],
  correct: (short: ShortNode) => ShortNode,
): T {
  const child: unknown = Object(parent)[step];
  if (child === undefined) throw new RangeError(`there is no "${step}"`);
  return {
    ...parent,
    [step]: rest.length === 0 ? correct(child as ShortNode) : changedAt(child, rest, correct),
  };
}

function withKeywords(
  node: unknown,
  way: readonly (string | number)[],
  set: Readonly<Record<string, unknown>>,
): SchemaNode | undefined {
  if (typeof node !== "object" || node === null) return undefined;
  const [step, ...rest] = way;
  if (step === undefined) {
    const kept = Object.entries({ ...node, ...set }).filter(([, value]) => value !== null);
    return Object.fromEntries(kept);
  }
  const child = withKeywords(Reflect.get(node, step), rest, set);
  if (child === undefined) return undefined;
  if (Array.isArray(node)) return node.with(Number(step), child) as SchemaNode;
  return { ...node, [step]: child };
}
