import type { Administration } from '../../en/administration/index.ts'

export const grants: Administration['grants'] = {
  who: (what) => `Wer kann: ${what}`,
  may: (what, isNobody) => `${isNobody ? 'kann' : 'können'} ${what}`,
  chosen: 'Ausgewählte Personen und Gruppen',
  add: (title) => `${title}: Personen oder Gruppen hinzufügen`,
  addPlaceholder: 'Personen oder Gruppen hinzufügen',
}
