export const undo = {
  undone: (what: string) => `Undone: ${what}`,
  refused: (what: string, reason: string) => `Could not be undone: ${what}. ${reason}`,
  nothing: 'There is nothing to undo.',
}
