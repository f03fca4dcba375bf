import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { whenIdle } from '../../platform/dom/idle.ts'
import { moveFocus, movePage, moveToEdge, openList } from './open-list.ts'
import { beginOutbox } from './outbox.ts'

const hasList = (): boolean => openList.value !== undefined

export const messages: Capability = {
  name: 'messages',
  commands: [
    { id: 'messages.down', title: () => t().keys.down, keys: ['j', 'ArrowDown'], run: () => moveFocus(1) },
    { id: 'messages.up', title: () => t().keys.up, keys: ['k', 'ArrowUp'], run: () => moveFocus(-1) },
    {
      id: 'messages.pageDown',
      title: () => t().keys.pageDown,
      keys: ['PageDown'],
      when: hasList,
      run: () => movePage(1),
    },
    { id: 'messages.pageUp', title: () => t().keys.pageUp, keys: ['PageUp'], when: hasList, run: () => movePage(-1) },
    {
      id: 'messages.first',
      title: () => t().keys.first,
      keys: ['Home'],
      when: hasList,
      run: () => moveToEdge('first'),
    },
    { id: 'messages.last', title: () => t().keys.last, keys: ['End'], when: hasList, run: () => moveToEdge('last') },
    {
      id: 'messages.toEnd',
      title: () => t().keys.toEnd,
      icon: 'down',
      keys: ['Escape'],
      when: hasList,
      run: () => openList.value?.toEnd(),
    },
  ],
  begin: () => {
    beginOutbox()
    whenIdle(() => {
      import('./copying.ts').then(({ listenForCopies }) => listenForCopies()).catch(() => undefined)
    })
  },
}
