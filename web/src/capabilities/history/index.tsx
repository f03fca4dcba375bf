import type { Capability } from '../../kernel/capability.ts'
import { conversationOf } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { openSearch, showInConversation, exportShownConversation, shownConversation, exportRequest } from './actions.ts'

const ExportDialog = lazily(
  async () => (await import('./parts/whole.tsx')).ExportDialog,
  () => null,
)

const isConversationShown = (): boolean => shownConversation() !== undefined

export const history: Capability = {
  name: 'history',
  commands: [
    { id: 'go.search', title: () => t().keys.search, icon: 'search', keys: ['/'], run: openSearch },
    {
      id: 'history.print',
      title: () => t().whole.printCommand,
      icon: 'print',
      keys: ['Ctrl+p'],
      when: isConversationShown,
      run: () => exportShownConversation('print'),
    },
    {
      id: 'history.copy',
      title: () => t().whole.copyCommand,
      icon: 'copy',
      when: isConversationShown,
      run: () => exportShownConversation('copy'),
    },
    {
      id: 'history.saveMarkdown',
      title: () => t().whole.markdownCommand,
      icon: 'down',
      when: isConversationShown,
      run: () => exportShownConversation('markdown'),
    },
    {
      id: 'history.saveHtml',
      title: () => t().whole.htmlCommand,
      icon: 'down',
      when: isConversationShown,
      run: () => exportShownConversation('html'),
    },
  ],
  messageActions: [showInConversation],
  placeActions: [
    {
      id: 'history.whole',
      title: () => t().whole.open,
      icon: 'copy',
      when: (place) => conversationOf(place) !== undefined,
      run: (place) => {
        const conversation = conversationOf(place)
        if (conversation !== undefined) exportRequest.value = { conversation, form: undefined }
      },
    },
  ],
  overlays: [() => (exportRequest.value === undefined ? null : <ExportDialog />)],
}
