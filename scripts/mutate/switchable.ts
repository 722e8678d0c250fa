import ts from "typescript";
import type { Mutant } from "./mutant.ts";

/** A source with all of its mutants in it, each asleep until its number is the active one. */
export interface SwitchableSource {
  /** In the order of the source. */
  readonly mutants: readonly Mutant[];
  /** The source as it runs, with calls of `$mutant` (`mutant_switch.ts`), which is not imported yet. */
  readonly text: string;
}

const OPERATORS: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, "==="],
  [ts.SyntaxKind.LessThanToken, "<="],
  [ts.SyntaxKind.LessThanEqualsToken, "<"],
  [ts.SyntaxKind.GreaterThanToken, ">="],
  [ts.SyntaxKind.GreaterThanEqualsToken, ">"],
  [ts.SyntaxKind.AmpersandAmpersandToken, "||"],
  [ts.SyntaxKind.BarBarToken, "&&"],
  [ts.SyntaxKind.PlusToken, "-"],
  [ts.SyntaxKind.MinusToken, "+"],
  [ts.SyntaxKind.AsteriskToken, "/"],
  [ts.SyntaxKind.SlashToken, "*"],
]);

/**
 * Plants every mutant of a source: operators exchanged, constants changed, conditions decided, statements removed.
 *
 * @param firstId The number of its first mutant.
 */
export function switchable(path: string, text: string, firstId = 1): SwitchableSource {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lines = text.split("\n");
  const mutants: Mutant[] = [];
  /** Notes a mutant and gives its number. */
  const add = (node: ts.Node, after: string): number => {
    const start = node.getStart(source);
    const { line, character } = source.getLineAndCharacterOfPosition(start);
    const id = firstId + mutants.length;
    const before = text.slice(start, node.end);
    mutants.push({
      ...{ id, path, line: line + 1, column: character + 1 },
      ...{ context: lines[line] ?? "", before, after },
    });
    return id;
  };
  /** The text of a node whose children are written by `visit`, or by `written` where that knows better. */
  const around = (node: ts.Node, written: ReadonlyMap<ts.Node, () => string> = new Map()): string => {
    let result = "";
    let at = node.getStart(source);
    ts.forEachChild(node, (child) => {
      const start = child.getStart(source);
      result += text.slice(at, start) + (written.get(child) ?? (() => visit(child)))();
      at = child.end;
    });
    return result + text.slice(at, node.end);
  };
  const visit = (node: ts.Node): string => {
    if (isLeftAlone(node)) return node.getText(source);
    if (ts.isBinaryExpression(node)) return binary(node);
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      const id = add(node, `(${node.operand.getText(source)})`);
      return `$mutant.not(${id}, ${visit(node.operand)})`;
    }
    if (ts.isNumericLiteral(node)) return constant(node, `(${node.text} + 1)`);
    if (node.kind === ts.SyntaxKind.TrueKeyword) return constant(node, "false");
    if (node.kind === ts.SyntaxKind.FalseKeyword) return constant(node, "true");
    if (ts.isIfStatement(node)) {
      const [always, never] = [add(node.expression, "true"), add(node.expression, "false")];
      const decided = (): string =>
        `$mutant.is(${always}) ? true : $mutant.is(${never}) ? false : ${visit(node.expression)}`;
      return around(node, new Map([[node.expression, decided]]));
    }
    if (ts.isConditionalExpression(node)) {
      const id = add(node.condition, `!(${node.condition.getText(source)})`);
      return around(
        node,
        new Map([[node.condition, () => `$mutant.condition(${id}, ${visit(node.condition)})`]]),
      );
    }
    if (isRemovable(node)) {
      const id = add(node, ";");
      return `{ if (!$mutant.is(${id})) { ${around(node)} } }`;
    }
    return around(node);
  };
  const constant = (node: ts.Node, after: string): string =>
    `($mutant.is(${add(node, after)}) ? ${after} : ${node.getText(source)})`;
  const binary = (node: ts.BinaryExpression): string => {
    const { left, operatorToken, right } = node;
    const joinsText = operatorToken.kind === ts.SyntaxKind.PlusToken &&
      [left, right].some((side) => ts.isStringLiteral(side) || ts.isTemplateExpression(side));
    const exchanged = joinsText ? undefined : OPERATORS.get(operatorToken.kind);
    const operator = operatorToken.getText(source);
    if (operator === "??") {
      const id = add(node, left.getText(source));
      return `($mutant.given(${id}, ${visit(left)}) ? $mutant.value : ${visit(right)})`;
    }
    if (exchanged === undefined) return around(node);
    const id = add(operatorToken, exchanged);
    if (operator !== "&&" && operator !== "||") {
      return `$mutant.binary(${id}, ${visit(left)}, "${operator}", "${exchanged}", ${visit(right)})`;
    }
    const goesOn = operator === "&&" ? "and" : "or";
    return `($mutant.${goesOn}(${id}, ${visit(left)}) ? ${visit(right)} : $mutant.value)`;
  };
  const planted = around(source);
  const { diagnostics = [] } = ts.transpileModule(planted, { fileName: path, reportDiagnostics: true });
  for (const { start = 0, messageText } of diagnostics) {
    const line = planted.slice(0, start).split("\n").length;
    throw new Error(
      `Cannot plant changes in ${path}, line ${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    );
  }
  return { mutants, text: planted };
}

/** Types, modules and names, which are no code. */
function isLeftAlone(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (!ts.isNumericLiteral(node)) return false;
  const { parent } = node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  return (ts.isPropertyAssignment(parent) || ts.isClassElement(parent)) && parent.name === node;
}

function isRemovable(node: ts.Node): boolean {
  if (ts.isThrowStatement(node) || ts.isContinueStatement(node) || ts.isBreakStatement(node)) return true;
  if (!ts.isExpressionStatement(node)) return false;
  const { expression } = node;
  return !(ts.isCallExpression(expression) && expression.expression.kind === ts.SyntaxKind.SuperKeyword);
}
