const SEPARATORS = [",", ";", "\t", "|"];

/** The separator that the header row uses most: unlike the rows below, it holds neither amounts nor free text. */
export function separatorOf(text: string): string {
  const header = /^[^\r\n]*/.exec(text)![0].replace(/"[^"]*"/g, "");
  const count = (separator: string): number => header.split(separator).length;
  return SEPARATORS.reduce((best, next) => count(next) > count(best) ? next : best);
}
