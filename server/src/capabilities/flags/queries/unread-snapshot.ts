import type { Db } from '../../../kernel/transaction.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import { unreadConversations } from './unread-conversations.ts'
import { unreadMessages } from './unread-messages.ts'

export async function unreadSnapshot(db: Db, viewer: Viewer): Promise<Record<string, unknown>> {
  return viewer.form.capabilities.unread_ranges
    ? { unread_conversations: await unreadConversations(db, viewer) }
    : { unread_msgs: await unreadMessages(db, viewer) }
}
