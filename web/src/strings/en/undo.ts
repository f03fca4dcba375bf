export const undo = {
  undone: (what: string) => `Undone: ${what}`,
  refused: (what: string, reason: string) => `Couldn’t undo: ${what}. ${reason}`,
  nothing: 'Nothing to undo',
}
