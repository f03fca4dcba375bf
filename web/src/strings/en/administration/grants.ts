export const grants = {
  who: (what: string) => `Who can ${what}`,
  /** Completes a sentence that begins with the holders of a permission. */
  may: (what: string, _isNobody: boolean) => `can ${what}`,
  chosen: 'Selected people and groups',
  add: (title: string) => `${title}: add people or groups`,
  addPlaceholder: 'Add people or groups',
}
