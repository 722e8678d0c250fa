/** The words of a command line; those in double quotation marks stay together. */
export function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
}
