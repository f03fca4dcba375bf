import { signal } from '@preact/signals'
import { conversationOf, type Conversation } from '../../../kernel/route.ts'
import { shownRoute } from '../../../platform/router.ts'

export const FORMS = ['copy', 'markdown', 'html', 'print'] as const
export type Form = (typeof FORMS)[number]

interface Request {
  readonly conversation: Conversation
  readonly form: Form | undefined
}

export const exportRequest = signal<Request | undefined>(undefined)

export function shownConversation(): Conversation | undefined {
  const route = shownRoute()
  return route.view === 'not-found' ? undefined : conversationOf(route)
}

export function exportShown(form: Form): void {
  const conversation = shownConversation()
  if (conversation !== undefined) exportRequest.value = { conversation, form }
}

export function closeExport(): void {
  exportRequest.value = undefined
}
