import type { Capability } from './kernel/capability.ts'
import { appearance } from './capabilities/appearance/index.ts'
import { channels } from './capabilities/channels/index.tsx'
import { clips } from './capabilities/clips/index.ts'
import { composer } from './capabilities/composer/index.ts'
import { drafts } from './capabilities/drafts/index.ts'
import { flags } from './capabilities/flags/index.ts'
import { history } from './capabilities/history/index.tsx'
import { keys } from './capabilities/keys/index.tsx'
import { messageEdits } from './capabilities/message-edits/index.tsx'
import { messages } from './capabilities/messages/index.tsx'
import { mutedUsers } from './capabilities/muted-users/index.tsx'
import { navigationViews } from './capabilities/navigation-views/index.tsx'
import { polls } from './capabilities/polls/index.tsx'
import { onboarding } from './capabilities/onboarding/index.tsx'
import { palette } from './capabilities/palette/index.tsx'
import { presence } from './capabilities/presence/index.ts'
import { reactions } from './capabilities/reactions/index.tsx'
import { reminders } from './capabilities/reminders/index.ts'
import { snippets } from './capabilities/snippets/index.tsx'
import { todoLists } from './capabilities/todo-lists/index.tsx'
import { typing } from './capabilities/typing/index.ts'
import { unread } from './capabilities/unread/index.ts'
import { uploads } from './capabilities/uploads/index.tsx'
import { users } from './capabilities/users/index.tsx'
import { userTopics } from './capabilities/user-topics/index.ts'

/** In the order in which their commands, and their actions on messages and conversations, appear. */
export const capabilities: readonly Capability[] = [
  unread,
  appearance,
  keys,
  reactions,
  userTopics,
  flags,
  messages,
  messageEdits,
  history,
  users,
  mutedUsers,
  channels,
  navigationViews,
  presence,
  composer,
  clips,
  reminders,
  drafts,
  typing,
  polls,
  todoLists,
  uploads,
  snippets,
  palette,
  onboarding,
]
