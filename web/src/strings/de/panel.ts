import type { Strings } from '../en/index.ts'

export const panel: Strings['panel'] = {
  label: 'Einzelheiten',
  people: 'Personen',
  findPerson: 'Person finden',
  toggle: 'Einzelheiten zeigen oder ausblenden',
}
