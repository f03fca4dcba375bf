export const grants = {
  who: (what: string) => `Who may ${what}`,
  /** Stands behind whom it is given to. */
  may: (what: string, _isNobody: boolean) => `may ${what}`,
  chosen: 'Chosen people and groups',
  add: (title: string) => `${title}: add people or groups`,
  addPlaceholder: 'Add people or groups',
}
