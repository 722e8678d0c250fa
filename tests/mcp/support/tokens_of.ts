import { encode } from "gpt-tokenizer/encoding/o200k_base";

/** Tokens of a text by the tokenizer o200k. */
export function tokensOf(text: string): number {
  return encode(text).length;
}
