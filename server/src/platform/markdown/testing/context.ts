import type { MarkdownContext } from '../job.ts'
import { renderMessage } from '../render.ts'

export const USERS = [
  { id: 7, full_name: 'Ann Lee', isDeactivated: false },
  { id: 8, full_name: 'Bo | B', isDeactivated: false },
  { id: 9, full_name: 'Gone Green', isDeactivated: true },
]
export const CHANNELS = [
  { id: 5, name: 'general' },
  { id: 6, name: 'dev & ops' },
  { id: 9, name: 'a > b' },
  { id: 10, name: 'a*b' },
  { id: 11, name: 'c*' },
]
export const GROUPS = [
  { id: 3, name: 'backend', isDeactivated: false },
  { id: 4, name: 'a|b', isDeactivated: false },
  { id: 5, name: 'old crew', isDeactivated: true },
]
export const OWN_EMOJI = [{ name: 'parrot', id: '1', url: '/user_avatars/2/emoji/images/1.gif' }]

/** Creates an author who sees two people, a group, and five channels, but not a hidden channel and person. */
export function authorContext(changes: Partial<MarkdownContext> = {}): MarkdownContext {
  return {
    userByName: (name) => USERS.find((user) => user.full_name === name),
    userById: (id) => USERS.find((user) => user.id === id),
    groupByName: (name) => GROUPS.find((group) => group.name === name),
    channelByName: (name) => CHANNELS.find((channel) => channel.name === name),
    channelById: (id) => CHANNELS.find((channel) => channel.id === id),
    realmEmoji: (name) => OWN_EMOJI.find((one) => one.name === name),
    linkifiers: [],
    baseUrl: 'https://chat.example.org',
    ...changes,
  }
}

export async function html(source: string, changes: Partial<MarkdownContext> = {}): Promise<string> {
  return (await renderMessage(source, authorContext(changes))).html
}
