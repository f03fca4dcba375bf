import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { openSearch, showInConversation } from './actions.ts'

export const history: Capability = {
  name: 'history',
  commands: [{ id: 'go.search', title: () => t().keys.search, icon: 'search', keys: ['/'], run: openSearch }],
  messageActions: [showInConversation],
}
