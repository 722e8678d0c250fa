/** A doc comment and what it stands before. */
export interface DocComment {
  /** Line of the file, from 1. */
  readonly line: number;
  /** Its text, without the marks of the comment. */
  readonly text: string;
  /** Name that is declared after it. */
  readonly name: string;
}

const COMMENT =
  /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*((?:export |default |declare |abstract |async |static |public |protected |readonly |override |get |set |const |let |function\*? |class |interface |type |\*)*)(?:\[?["']?([#\w$]+)["']?\]?)/g;

/** The doc comments of a source that stand before a name. */
export function docComments(source: string): DocComment[] {
  return [...source.matchAll(COMMENT)].map(({ 1: text = "", 3: name = "", index }) => ({
    line: source.slice(0, index).split("\n").length,
    text: text.replace(/^\s*\*? ?/gm, "").trim(),
    name,
  }));
}

/** Words that say nothing by themselves. */
const FILLERS = new Set(
  ("a an and are as at be been by does each for from given has have here in into is it its itself no of off on one or " +
    "out s same that the their them there these they this those to under was were what when where which who whose " +
    "with within").split(" "),
);

/** True for a comment that has no word which its name, or the name around it, does not have. */
export function repeatsName({ text, name }: Pick<DocComment, "text" | "name">, around = ""): boolean {
  if (/@(?:param|returns|throws|default|example|internal|deprecated|see)\b/.test(text) || text === "") {
    return false;
  }
  const known = new Set(wordsOf(`${name} ${around}`));
  const words = wordsOf(text.replace(/\{@\w+ ([^}]*)\}/g, "$1")).filter((word) => !FILLERS.has(word));
  return words.every((word) => known.has(word));
}

function wordsOf(text: string): string[] {
  return text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z0-9]+/)
    .filter((word) => word !== "").map(stem);
}

function stem(word: string): string {
  return word.length > 3 ? word.replace(/(?:ies|y)$/, "i").replace(/(?:ing|ed|es|s|e|d)$/, "") : word;
}

const DIALECT =
  /^(?:What|Whether|Who|Whoever|Whose|Where|That|Those|So many|How (?:far|many|much|long|often|close))\b/;
const HOUSE_WORDS = /\b(?:nobody|whoever|so many|of which|as good as)\b/i;

/** True for a comment that begins with a question word or uses words of a private dialect. */
export function isDialect({ text }: Pick<DocComment, "text">): boolean {
  return DIALECT.test(text) || HOUSE_WORDS.test(text.replaceAll("\n", " "));
}
