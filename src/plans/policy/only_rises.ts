import type { ASTNode } from "@marcbachmann/cel-js";
import { pathsIn } from "./cel_language.ts";

/** Facts that are not final: sums that may still grow, and facts about which nothing can be said. */
export interface OpenFacts {
  /** Sums without some of their parts, each 0 or more. */
  readonly growing: ReadonlySet<string>;
  /** Facts that may become anything, such as a rate of such sums. */
  readonly unknown: ReadonlySet<string>;
}

/** True for a condition that stays true as sums grow: `cost7d > 100` does, `cost7d < 100` and `acos7d > 30%` do not. */
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

/** True for a number that only grows with its sums. */
function grows(node: ASTNode, open: OpenFacts): boolean {
  if (node.op === "id") return !open.unknown.has(node.args);
  if (node.op === "+") return node.args.every((child) => grows(child, open));
  if (node.op === "*") {
    const [left, right] = node.args;
    return (grows(left, open) && isShare(right)) || (isShare(left) && grows(right, open));
  }
  return isFinal(node, open);
}

/** A literal number above 0. */
function isShare(node: ASTNode): boolean {
  return node.op === "value" && Number(node.args) > 0;
}

function isFinal(node: ASTNode, { growing, unknown }: OpenFacts): boolean {
  return pathsIn(node).every(([root = ""]) => !growing.has(root) && !unknown.has(root));
}
