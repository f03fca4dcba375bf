import type { MarkdownContext } from '../job.ts'
import { renderMessage } from '../render.ts'

const users = [
  { id: 7, full_name: 'Ann Lee' },
  { id: 8, full_name: 'Bo | B' },
]
const channels = [
  { id: 5, name: 'general' },
  { id: 6, name: 'dev & ops' },
  { id: 9, name: 'a > b' },
]

/** An author who sees two people, a group and three channels; a hidden channel and a hidden person exist for others. */
export function authorContext(changes: Partial<MarkdownContext> = {}): MarkdownContext {
  return {
    userByName: (name) => users.find((user) => user.full_name === name),
    userById: (id) => users.find((user) => user.id === id),
    groupByName: (name) => (name === 'backend' ? { id: 3, name: 'backend' } : undefined),
    channelByName: (name) => channels.find((channel) => channel.name === name),
    channelById: (id) => channels.find((channel) => channel.id === id),
    realmEmoji: (name) => (name === 'parrot' ? { id: '1', url: '/user_avatars/2/emoji/images/1.gif' } : undefined),
    linkifiers: [],
    baseUrl: 'https://chat.example.org',
    ...changes,
  }
}

export async function html(source: string, changes: Partial<MarkdownContext> = {}): Promise<string> {
  return (await renderMessage(source, authorContext(changes))).html
}
