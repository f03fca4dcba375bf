import type { Capability } from '../../kernel/capability.ts'
import { isInPageCache } from '../../platform/cache.ts'
import { followDrafts, restoreDrafts, saveDrafts } from './state.ts'

export const drafts: Capability = {
  name: 'drafts',
  begin: () => {
    followDrafts()
    void restoreDrafts()
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden' && !isInPageCache()) void saveDrafts()
    })
  },
}
