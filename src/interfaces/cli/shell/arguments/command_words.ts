/** Functions that messages of the library name, and the commands that call them. */
const COMMANDS: readonly (readonly [library: RegExp, command: string])[] = [
  [/\breportTypes\(\)/g, '"adsctl report types"'],
  [/\breportFields\(\)/g, '"adsctl report fields"'],
  [/\bcompareWires\(\)/g, '"adsctl wire compare"'],
  [/\bprofiles\(\)/g, '"adsctl profiles"'],
  [/\breports\.download\("([\w.-]+)"\)/g, '"adsctl report download $1 --wait"'],
];

/** A message of the library with commands in place of its functions. */
export function commandWords(text: string): string {
  return COMMANDS.reduce((words, [library, command]) => words.replace(library, command), text);
}
