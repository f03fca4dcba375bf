import { call } from '@parley/client'
import { drafts as declared } from '@parley/server/contract'
import { conversationAt, destinationKey, type Destination } from '../../kernel/destination.ts'
import { store, sync } from '../../platform/client.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { ownId } from '../users/state.ts'

type Draft = ReturnType<typeof allDrafts>[number]

/** How long after the last key a draft is kept on the server. */
const PAUSE_MILLISECONDS = 1_500

/** What was typed in this tab and is not yet on the server, by conversation. */
const typed = new Map<string, { readonly place: Destination; readonly content: string }>()
const timers = new Map<string, ReturnType<typeof setTimeout>>()
const saving = new Map<string, Promise<void>>()

/** Copies, since folds change a draft in place and a component is drawn again only where it is given something else. */
export function allDrafts() {
  return store()
    .read('drafts')
    .map((draft) => ({ ...draft }))
}

/** Where a draft goes, as far as that was chosen. */
export function destinationOfDraft({ type, to, topic }: Draft): Destination {
  if (type !== 'private') return { view: 'topic', channelId: to[0], topic }
  const others = to.filter((id) => id !== ownId())
  return { view: 'direct', userIds: others.length === 0 ? to : others }
}

function draftFor(place: Destination): Draft | undefined {
  const key = destinationKey(place)
  return allDrafts().findLast((draft) => destinationKey(destinationOfDraft(draft)) === key)
}

/** What was begun in a conversation, here or in another client. */
export function draftText(place: Destination): string {
  return typed.get(destinationKey(place))?.content ?? draftFor(place)?.content ?? ''
}

/** Keeps what is typed: here at once, on the server after a pause. An empty text deletes the draft. */
export function keepDraft(place: Destination, content: string): void {
  const key = destinationKey(place)
  typed.set(key, { place, content })
  clearTimeout(timers.get(key))
  timers.set(
    key,
    setTimeout(() => save(key), content === '' ? 0 : PAUSE_MILLISECONDS),
  )
}

/** Takes a draft along to another destination. */
export function moveDraft(from: Destination, to: Destination, content: string): void {
  keepDraft(from, '')
  keepDraft(to, content)
}

/** Forgets what was typed here once the server has it, so that what another client makes of it later is shown. */
export function hearDrafts(): void {
  sync.hear(({ type }) => {
    if (type !== 'drafts') return
    for (const [key, { place, content }] of typed) {
      if (!timers.has(key) && (draftFor(place)?.content ?? '') === content) typed.delete(key)
    }
  })
}

/** Sends what is not on the server yet, since the tab may be closed. */
export function saveDrafts(): void {
  for (const key of timers.keys()) save(key)
}

function save(key: string): void {
  clearTimeout(timers.get(key))
  timers.delete(key)
  // One after the other: two savings at once would make two drafts.
  const before = saving.get(key) ?? Promise.resolve()
  saving.set(
    key,
    before.then(async () => write(key)),
  )
}

async function write(key: string): Promise<void> {
  const kept = typed.get(key)
  if (kept === undefined) return
  const known = draftFor(kept.place)
  const { place, content } = kept
  try {
    if (content.trim() === '') {
      if (known !== undefined) await call(SESSION, declared.deleteDraft, { draft_id: known.id })
    } else if (known?.content !== content) {
      const draft = { ...addressOf(place), content }
      await (known === undefined
        ? call(SESSION, declared.createDrafts, { drafts: [draft] })
        : call(SESSION, declared.updateDraft, { draft_id: known.id, draft }))
    }
  } catch {
    // It stays here, and goes along with the next pause.
  }
}

function addressOf(destination: Destination) {
  const place = conversationAt(destination)
  if (place === undefined) return { type: '' as const, to: [], topic: '' }
  return place.view === 'topic'
    ? { type: 'stream' as const, to: [place.channelId], topic: place.topic }
    : { type: 'private' as const, to: [...place.userIds], topic: '' }
}
