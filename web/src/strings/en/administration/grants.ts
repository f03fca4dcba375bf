export const grants = {
  who: (what: string) => `Who can ${what}`,
  /** Stands behind whom it is given to. */
  may: (what: string, _isNobody: boolean) => `can ${what}`,
  chosen: 'Selected people and groups',
  add: (title: string) => `${title}: add people or groups`,
  addPlaceholder: 'Add people or groups',
}
