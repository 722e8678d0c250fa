import ts from "typescript";

/** A small change of a source that some test should notice. */
export interface Mutant {
  /** Path of the source, from the root of the repository. */
  readonly path: string;
  /** Line of the change, from 1. */
  readonly line: number;
  /** First character that is replaced. */
  readonly start: number;
  /** Character after the last one that is replaced. */
  readonly end: number;
  /** The line that it is on. */
  readonly context: string;
  /** Text that stands there now. */
  readonly before: string;
  /** Text that takes its place. */
  readonly after: string;
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

/** Every mutant of a source: operators exchanged, constants changed, conditions decided, statements removed. */
export function mutantsOf(path: string, text: string): Mutant[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lines = text.split("\n");
  const found: Mutant[] = [];
  const add = (node: ts.Node, after: string): void => {
    const start = node.getStart(source);
    const { line } = source.getLineAndCharacterOfPosition(start);
    const context = lines[line] ?? "";
    found.push({
      path,
      line: line + 1,
      start,
      end: node.end,
      context,
      before: text.slice(start, node.end),
      after,
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const operator = OPERATORS.get(node.operatorToken.kind);
      const joinsText = node.operatorToken.kind === ts.SyntaxKind.PlusToken &&
        [node.left, node.right].some((side) => ts.isStringLiteral(side) || ts.isTemplateExpression(side));
      if (operator !== undefined && !joinsText) add(node.operatorToken, operator);
      if (node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) {
        add(node, node.left.getText(source));
      }
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      add(node, `(${node.operand.getText(source)})`);
    } else if (ts.isNumericLiteral(node)) add(node, `(${node.text} + 1)`);
    else if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, "false");
    else if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, "true");
    else if (ts.isIfStatement(node)) {
      add(node.expression, "true");
      add(node.expression, "false");
    } else if (ts.isConditionalExpression(node)) add(node.condition, `!(${node.condition.getText(source)})`);
    else if (ts.isExpressionStatement(node) && !isSuperCall(node)) add(node, ";");
    else if (ts.isThrowStatement(node) || ts.isContinueStatement(node) || ts.isBreakStatement(node)) {
      add(node, ";");
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isSuperCall({ expression }: ts.ExpressionStatement): boolean {
  return ts.isCallExpression(expression) && expression.expression.kind === ts.SyntaxKind.SuperKeyword;
}
