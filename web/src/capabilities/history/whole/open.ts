import { signal } from '@preact/signals'
import { conversationOf, type Conversation } from '../../../kernel/route.ts'
import { shownRoute } from '../../../platform/router.ts'

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
