/** Characters of such JSON and text that are a token: 4.2 and 4.5 by the tokenizer o200k, rounded down. */
const CHARACTERS_A_TOKEN = 4.2;

/** About how many tokens a model reads a text as. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_A_TOKEN);
}
