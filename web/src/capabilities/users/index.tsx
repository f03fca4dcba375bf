import type { Capability } from '../../kernel/capability.ts'
import { writeCondition } from '../../kernel/query.ts'
import { t } from '../../kernel/strings.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { go, shownRoute } from '../../platform/router.ts'
import { copyDirectMessageLink } from './actions.ts'
import { openedCard, openCardsOnHover } from './card.ts'
import { mayWriteTo } from '../composer/rights.ts'
import { directPartnerIn, ownId, uniqueNameOrEmail } from './state.ts'
import { clearStatusOnExpiry, isStatusDialogOpen } from './status.ts'
import './parts/card.css'

const StatusDialog = lazily(
  async () => (await import('./parts/status-dialog.tsx')).StatusDialog,
  () => null,
)
const PersonCard = lazily(
  async () => (await import('./parts/card.tsx')).PersonCard,
  () => null,
)

export const users: Capability = {
  name: 'users',
  personActions: [
    {
      id: 'users.write',
      title: (userId) => (userId === ownId() ? t().place.notes : t().people.write),
      icon: 'send',
      when: (userId) => mayWriteTo([userId]) && directPartnerIn(shownRoute()) !== userId,
      run: (userId) => go({ view: 'direct', userIds: [userId] }),
    },
    {
      id: 'users.search',
      title: () => t().people.messagesOf,
      icon: 'search',
      when: (userId) => userId !== ownId(),
      run: (userId) => {
        const operand = uniqueNameOrEmail(userId)
        go({ view: 'search', query: writeCondition({ operator: 'sender', operand, isNegated: false }) })
      },
    },
    {
      id: 'users.link',
      title: () => t().messages.copyLink,
      icon: 'link',
      run: (userId) => void copyDirectMessageLink(userId),
    },
  ],
  commands: [
    {
      id: 'users.status',
      title: () => t().people.setStatus,
      icon: 'smile',
      run: () => {
        isStatusDialogOpen.value = true
      },
    },
  ],
  overlays: [
    () => (openedCard.value === undefined ? null : <PersonCard />),
    () => (isStatusDialogOpen.value ? <StatusDialog /> : null),
  ],
  begin: () => {
    openCardsOnHover()
    clearStatusOnExpiry()
  },
}
