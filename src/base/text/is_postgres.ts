export function isPostgres(place: string): boolean {
  return /^postgres(ql)?:/i.test(place);
}
