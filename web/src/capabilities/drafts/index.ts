import type { Capability } from '../../kernel/capability.ts'
import { hearDrafts, saveDrafts } from './state.ts'

export const drafts: Capability = {
  name: 'drafts',
  begin: () => {
    hearDrafts()
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') saveDrafts()
    })
  },
}
