import { call } from '@parley/client'
import { drafts as declared } from '@parley/server/contract'
import { placeKey } from '../../kernel/route.ts'
import { store, sync } from '../../platform/client.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import type { Conversation } from '../messages/outbox.ts'
import { ownId } from '../users/state.ts'

type Draft = ReturnType<typeof allDrafts>[number]

/** How long after the last key a draft is kept on the server. */
const PAUSE_MILLISECONDS = 1_500

/** What was typed in this tab and is not yet on the server, by conversation. */
const typed = new Map<string, { readonly place: Conversation; readonly content: string }>()
const timers = new Map<string, ReturnType<typeof setTimeout>>()
const saving = new Map<string, Promise<void>>()

/** Copies, since folds change a draft in place and a component is drawn again only where it is given something else. */
export function allDrafts() {
  return store()
    .read('drafts')
    .map((draft) => ({ ...draft }))
}

/** The conversation for which a draft is; undefined where none was chosen. */
export function placeOfDraft(draft: Draft): Conversation | undefined {
  const [first] = draft.to
  if (draft.type === 'private' && first !== undefined) {
    const others = draft.to.filter((id) => id !== ownId())
    return { view: 'direct', userIds: others.length === 0 ? [first] : others }
  }
  return draft.type === 'stream' && first !== undefined
    ? { view: 'topic', channelId: first, topic: draft.topic }
    : undefined
}

function draftFor(place: Conversation): Draft | undefined {
  const key = placeKey(place)
  return allDrafts().findLast((draft) => {
    const other = placeOfDraft(draft)
    return other !== undefined && placeKey(other) === key
  })
}

/** What was begun in a conversation, here or in another client. */
export function draftText(place: Conversation): string {
  return typed.get(placeKey(place))?.content ?? draftFor(place)?.content ?? ''
}

/** Keeps what is typed: here at once, on the server after a pause. An empty text deletes the draft. */
export function keepDraft(place: Conversation, content: string): void {
  const key = placeKey(place)
  typed.set(key, { place, content })
  clearTimeout(timers.get(key))
  timers.set(
    key,
    setTimeout(() => save(key), content === '' ? 0 : PAUSE_MILLISECONDS),
  )
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

function addressOf(place: Conversation) {
  return place.view === 'topic'
    ? { type: 'stream' as const, to: [place.channelId], topic: place.topic }
    : { type: 'private' as const, to: [...place.userIds], topic: '' }
}
