import type { Strings } from '../en/index.ts'

export const undo: Strings['undo'] = {
  undone: (what) => `Rückgängig gemacht: ${what}`,
  refused: (what, reason) => `Nicht rückgängig gemacht: ${what}. ${reason}`,
  nothing: 'Nichts rückgängig zu machen',
}
