import type { Command } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import type * as moving from './moving.ts'

type MoveCommands = typeof moving

/** Loads the commands on first use, to keep the first screen small. */
const withMoveCommands = (run: (loaded: MoveCommands) => void) => (): void => {
  void withPart(import('./moving.ts'), run)
}

export const MOVING_COMMANDS: readonly Command[] = [
  {
    id: 'go.nextDirect',
    title: () => t().keys.nextDirect,
    icon: 'person',
    keys: ['p'],
    run: withMoveCommands((loaded) => loaded.goToNextDirectConversation()),
  },
  {
    id: 'go.topicOrChannel',
    title: () => t().keys.topicOrChannel,
    icon: 'channels',
    keys: ['s'],
    run: withMoveCommands((loaded) => loaded.goToTopicOrChannel()),
  },
  {
    id: 'go.above',
    title: () => t().keys.conversationAbove,
    keys: ['Alt+ArrowUp'],
    run: withMoveCommands((loaded) => loaded.moveFocusByRow(-1)),
  },
  {
    id: 'go.below',
    title: () => t().keys.conversationBelow,
    keys: ['Alt+ArrowDown'],
    run: withMoveCommands((loaded) => loaded.moveFocusByRow(1)),
  },
  {
    id: 'go.unreadAbove',
    title: () => t().keys.unreadAbove,
    keys: ['Alt+Shift+ArrowUp'],
    run: withMoveCommands((loaded) => loaded.goToUnread(-1)),
  },
  {
    id: 'go.unreadBelow',
    title: () => t().keys.unreadBelow,
    keys: ['Alt+Shift+ArrowDown'],
    run: withMoveCommands((loaded) => loaded.goToUnread(1)),
  },
]
