import { organizations } from '@parley/server/contract'
import { t } from '../../kernel/strings.ts'
import { zonedTime } from '../../kernel/time.ts'
import type { MenuItem } from '../../platform/overlay/menu.tsx'
import { askTime } from '../../platform/overlay/time-question.ts'
import { store } from '../../platform/client.ts'
import { send } from '../messages/outbox.ts'
import { newPoll } from '../polls/new.ts'
import { openSnippets } from '../snippets/open.ts'
import type { Writing } from './writing.ts'

/** What can be put into a message beside text. @param files the field by which files are chosen */
export function insertions(writing: Writing, files: HTMLInputElement | null): MenuItem[] {
  const calls = addressOfCalls()
  return [
    { id: 'file', title: t().composer.attach, icon: 'attach', run: () => files?.click() },
    { id: 'poll', title: t().poll.create, icon: 'poll', run: () => newPoll((text) => sendPoll(writing, text)) },
    { id: 'time', title: t().composer.time, icon: 'recent', run: () => insertTime(writing) },
    {
      id: 'snippet',
      title: t().snippets.title,
      icon: 'writing',
      run: () => openSnippets(writing.text.value, (text) => insert(writing, text)),
    },
    ...(calls === undefined
      ? []
      : [{ id: 'call', title: t().composer.call, icon: 'camera' as const, run: () => insertCall(writing, calls) }]),
  ]
}

/** Puts in what was chosen in a dialog, once that has closed and has given the focus back. */
function insert(writing: Writing, text: string): void {
  requestAnimationFrame(() => writing.insert(text))
}

/** Where the organization calls, if it does. */
function addressOfCalls(): string | undefined {
  if (store().read('realm_video_chat_provider') !== organizations.CALLS_BY.jitsi) return undefined
  return store().read('realm_jitsi_server_url') ?? store().read('server_jitsi_server_url') ?? undefined
}

/** Whoever has the link of a call is in it, so nobody can guess it. */
function insertCall(writing: Writing, address: string): void {
  const room = `${address.replace(/\/$/, '')}/${crypto.randomUUID()}`
  insert(writing, `[${t().composer.joinCall}](${room}) `)
}

/** A poll is a message of its own; what is written stays. */
function sendPoll(writing: Writing, text: string): void {
  const { conversation } = writing
  if (conversation === undefined) insert(writing, text)
  else send(conversation, text)
}

function insertTime(writing: Writing): void {
  askTime({
    title: t().composer.time,
    action: t().composer.insertTime,
    choose: (seconds) => insert(writing, `<time:${zonedTime(seconds)}> `),
    takesPast: true,
  })
}
