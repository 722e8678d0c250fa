/** True for the address of a PostgreSQL database; any other place is the path of a file. */
export function isPostgres(place: string): boolean {
  return /^postgres(ql)?:/i.test(place);
}
