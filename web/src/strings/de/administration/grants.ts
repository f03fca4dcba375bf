import type { Administration } from '../../en/administration/index.ts'

export const grants: Administration['grants'] = {
  who: (what) => `Wer ${what} darf`,
  may: (what, isNobody) => `${isNobody ? 'darf' : 'dürfen'} ${what}`,
  chosen: 'Ausgewählte Personen und Gruppen',
  add: (title) => `${title}: Personen oder Gruppen hinzufügen`,
  addPlaceholder: 'Personen oder Gruppen hinzufügen',
}
