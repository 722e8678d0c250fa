/** Note of a plan that undoes another. */
export function undoNote(id: string | null): string {
  return `Undo of plan ${id}`;
}
