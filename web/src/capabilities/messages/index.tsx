import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { runWhenIdle } from '../../platform/dom/idle.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { moveFocus, movePage, moveToEdge, openedList } from './open-list.ts'
import { startOutbox } from './outbox.ts'
import { openActions } from './parts/toolbar.tsx'
import { openedWidgetForm } from './widget.ts'

const NewWidget = lazily(
  async () => (await import('./parts/new-widget.tsx')).NewWidget,
  () => null,
)

const isMessageListOpen = (): boolean => openedList.value !== undefined

export const messages: Capability = {
  name: 'messages',
  overlays: [() => (openedWidgetForm.value === undefined ? null : <NewWidget {...openedWidgetForm.value} />)],
  messageActions: [
    {
      id: 'messages.menu',
      title: () => t().messages.menu,
      icon: 'more',
      keys: ['Shift+F10', 'ContextMenu'],
      isKeyOnly: true,
      run: openActions,
    },
  ],
  commands: [
    { id: 'messages.down', title: () => t().keys.down, keys: ['j', 'ArrowDown'], run: () => moveFocus(1) },
    { id: 'messages.up', title: () => t().keys.up, keys: ['k', 'ArrowUp'], run: () => moveFocus(-1) },
    {
      id: 'messages.pageDown',
      title: () => t().keys.pageDown,
      keys: ['PageDown'],
      when: isMessageListOpen,
      run: () => movePage(1),
    },
    {
      id: 'messages.pageUp',
      title: () => t().keys.pageUp,
      keys: ['PageUp'],
      when: isMessageListOpen,
      run: () => movePage(-1),
    },
    {
      id: 'messages.first',
      title: () => t().keys.first,
      keys: ['Home'],
      when: isMessageListOpen,
      run: () => moveToEdge('first'),
    },
    {
      id: 'messages.last',
      title: () => t().keys.last,
      keys: ['End'],
      when: isMessageListOpen,
      run: () => moveToEdge('last'),
    },
    {
      id: 'messages.toEnd',
      title: () => t().keys.toEnd,
      icon: 'down',
      keys: ['Escape'],
      when: isMessageListOpen,
      run: () => openedList.value?.toEnd(),
    },
  ],
  begin: () => {
    startOutbox()
    runWhenIdle(() => {
      import('./copying.ts').then(({ listenForCopies }) => listenForCopies()).catch(() => undefined)
    })
  },
}
