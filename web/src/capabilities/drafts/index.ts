import type { Capability } from '../../kernel/capability.ts'
import { saveDrafts } from './state.ts'

export const drafts: Capability = {
  name: 'drafts',
  begin: () =>
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') saveDrafts()
    }),
}
