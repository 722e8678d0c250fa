/** `A` is 0, `Z` 25, `AA` 26. */
export function columnIndex(place: string): number {
  let index = 0;
  for (const char of place) {
    const letter = char.charCodeAt(0) - 64;
    if (letter < 1 || letter > 26) break;
    index = index * 26 + letter;
  }
  return index - 1;
}

/** The letters of a column: 0 is `A`, 26 `AA`. */
export function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + index % 26);
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}
