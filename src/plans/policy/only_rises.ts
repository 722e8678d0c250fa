import type { ASTNode } from "@marcbachmann/cel-js";
import { pathsIn } from "./cel_language.ts";

/** Facts that are not final: sums that may still grow, and facts that are unknown. */
export interface OpenFacts {
  /** Incomplete sums, whose missing parts are each 0 or more. */
  readonly growing: ReadonlySet<string>;
  /** Facts that may take any value, such as a ratio of incomplete sums. */
  readonly unknown: ReadonlySet<string>;
}

/**
 * True for a condition that stays true as sums grow, such as `cost7d > 100`, but not `cost7d < 100` or `acos7d > 30%`.
 */
export function onlyRises(node: ASTNode, open: OpenFacts): boolean {
  if (isFinal(node, open)) return true;
  switch (node.op) {
    case "&&":
    case "||":
      return node.args.every((child) => onlyRises(child, open));
    case ">":
    case ">=":
      return grows(node.args[0], open) && isFinal(node.args[1], open);
    case "<":
    case "<=":
      return isFinal(node.args[0], open) && grows(node.args[1], open);
    default:
      return false;
  }
}

function grows(node: ASTNode, open: OpenFacts): boolean {
  if (node.op === "id") return !open.unknown.has(node.args);
  if (node.op === "+") return node.args.every((child) => grows(child, open));
  if (node.op === "*") {
    const [left, right] = node.args;
    return (grows(left, open) && isShare(right)) || (isShare(left) && grows(right, open));
  }
  return isFinal(node, open);
}

function isShare(node: ASTNode): boolean {
  return node.op === "value" && Number(node.args) > 0;
}

function isFinal(node: ASTNode, { growing, unknown }: OpenFacts): boolean {
  return pathsIn(node).every(([root = ""]) => !growing.has(root) && !unknown.has(root));
}
