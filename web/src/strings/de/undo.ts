import type { Strings } from '../en/index.ts'

export const undo: Strings['undo'] = {
  undone: (what) => `Rückgängig gemacht: ${what}`,
  refused: (what, reason) => `Ließ sich nicht rückgängig machen: ${what}. ${reason}`,
  nothing: 'Es gibt nichts rückgängig zu machen.',
}
