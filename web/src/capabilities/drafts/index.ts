import type { Capability } from '../../kernel/capability.ts'
import { isInPageCache } from '../../platform/cache.ts'
import { hearDrafts, restoreDrafts, saveDrafts } from './state.ts'

export const drafts: Capability = {
  name: 'drafts',
  begin: () => {
    hearDrafts()
    void restoreDrafts()
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden' && !isInPageCache()) saveDrafts()
    })
  },
}
