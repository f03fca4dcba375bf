import { signal } from '@preact/signals'
import type { MessageAction } from '../../kernel/capability.ts'
import { conversationOf, type Conversation } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import { go, shownRoute } from '../../platform/router.ts'

export function openSearch(): void {
  if (shownRoute().view !== 'search') go({ view: 'search', query: '' })
  focusSearch()
}

export const showInConversation: MessageAction = {
  id: 'messages.open',
  title: () => t().messages.open,
  icon: 'chevron',
  group: 'read',
  keys: ['Enter'],
  isQuick: true,
  when: () => {
    const route = shownRoute()
    return route.view !== 'not-found' && conversationOf(route) === undefined
  },
  run: (message) => void withPart(import('./opening.ts'), ({ openInConversation }) => openInConversation(message)),
}

export const focusRequests = signal(0)

let handledRequests = 0

export function focusSearch(): void {
  focusRequests.value += 1
}

export function takeFocusRequest(): boolean {
  const isAsked = focusRequests.value > handledRequests
  handledRequests = focusRequests.value
  return isAsked
}

export const EXPORT_FORMATS = ['copy', 'markdown', 'html', 'print'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

interface ExportRequest {
  readonly conversation: Conversation
  readonly form: ExportFormat | undefined
}

export const exportRequest = signal<ExportRequest | undefined>(undefined)

export function shownConversation(): Conversation | undefined {
  const route = shownRoute()
  return route.view === 'not-found' ? undefined : conversationOf(route)
}

export function exportShownConversation(form: ExportFormat): void {
  const conversation = shownConversation()
  if (conversation !== undefined) exportRequest.value = { conversation, form }
}

export function closeExport(): void {
  exportRequest.value = undefined
}
