/** True for the address of a database or a server, rather than a path. */
export function isAddress(place: string): boolean {
  return /^[a-z][a-z+]+:\/\//i.test(place);
}
