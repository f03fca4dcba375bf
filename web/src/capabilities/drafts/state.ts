import { call } from '@parley/client'
import { drafts as declared } from '@parley/server/contract'
import { effect, signal } from '@preact/signals'
import { conversationAt, destinationKey, type Destination } from '../../kernel/destination.ts'
import { storedDraftsOf, deleteStoredDraft, storeDraft } from '../../platform/cache.ts'
import { store, sync } from '../../platform/client.ts'
import { openTabChannel, withLock } from '../../platform/sync/tabs.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { ownId } from '../users/state.ts'
import { storeOld, restoreOld } from './old.ts'

type Draft = ReturnType<typeof allDrafts>[number]

/** Delay after the last key press. */
const SERVER_MILLISECONDS = 2_000

interface TypedText {
  readonly destination: Destination
  readonly content: string
  readonly editedAt: number
  /** The server's text when typing started. If it differs later, another client changed it. */
  readonly base: string
  /** Whether saving failed, so that only this browser has the text. */
  readonly isUnsaved: boolean
}

const typed = new Map<string, TypedText>()
/** Changes when code, rather than typing, replaces a text, so that the fields showing it update. */
const restored = signal(0)
const changes = signal(0)
const serverTimers = new Map<string, ReturnType<typeof setTimeout>>()
const saving = new Map<string, Promise<void>>()

/** The last edit wins; an empty text means that the draft was sent. */
const sendToTabs = openTabChannel<Pick<TypedText, 'destination' | 'content' | 'editedAt'>>(
  'parley-drafts',
  ({ destination, content, editedAt }) => {
    const key = destinationKey(destination)
    const base = draftFor(destination)?.content ?? ''
    const mine = typed.get(key) ?? { destination, base, editedAt: 0, isUnsaved: false }
    if (mine.editedAt > editedAt) return
    if (content === base) forgetTyped(key)
    else typed.set(key, { ...mine, content, editedAt })
    restored.value += 1
  },
)

/** Copies, because events change drafts in place, and components rerender only for new objects. */
export function allDrafts() {
  return store()
    .read('drafts')
    .map((draft) => ({ ...draft }))
}

export function destinationOfDraft({ type, to, topic }: Draft): Destination {
  if (type !== 'private') return { view: 'topic', channelId: to[0], topic }
  const others = to.filter((id) => id !== ownId())
  return { view: 'direct', userIds: others.length === 0 ? to : others }
}

export function draftFor(destination: Destination): Draft | undefined {
  return newestAt(destination, allDrafts())
}

function newestAt(destination: Destination, among: readonly Draft[]): Draft | undefined {
  const key = destinationKey(destination)
  return among.findLast((draft) => destinationKey(destinationOfDraft(draft)) === key)
}

export function typedDrafts(): ReadonlyMap<string, TypedText> {
  void changes.value
  void restored.value
  return typed
}

export function draftText(destination: Destination): string {
  void restored.value
  const onServer = draftFor(destination)?.content ?? ''
  return typed.get(destinationKey(destination))?.content ?? onServer
}

/** Stores the text in the browser, and on the server after a pause. Empty text deletes the draft. */
export function saveDraft(destination: Destination, content: string): void {
  const key = destinationKey(destination)
  const base = typed.get(key)?.base ?? draftFor(destination)?.content ?? ''
  const editedAt = Date.now()
  typed.set(key, { destination, content, editedAt, base, isUnsaved: false })
  changes.value += 1
  clearTimeout(serverTimers.get(key))
  serverTimers.set(
    key,
    setTimeout(() => save(key), content === '' ? 0 : SERVER_MILLISECONDS),
  )
  sendToTabs({ destination, content, editedAt })
  // An empty text is stored too, so that the server's copy of a sent text does not return.
  void storeDraft({ key, userId: ownId(), destination, content, editedAt, isOld: false }).then((isStored) => {
    if (!isStored) save(key)
  })
}

/** Moves a draft to another destination and stores the text it replaces. */
export function moveDraft(from: Destination, to: Destination, content: string): void {
  const there = draftText(to)
  if (there !== content) storeOld(to, there, (draftFor(to)?.timestamp ?? 0) * 1000)
  if (destinationKey(from) !== destinationKey(to)) saveDraft(from, '')
  replaceDraft(to, content)
}

export function replaceDraft(destination: Destination, content: string): void {
  saveDraft(destination, content)
  restored.value += 1
}

export async function restoreDrafts(): Promise<void> {
  const kept = (await storedDraftsOf(ownId())).filter((text) => 'destination' in text)
  restoreOld(kept.filter(({ isOld }) => isOld))
  for (const { key, destination, content, editedAt, isOld } of kept) {
    if (isOld) continue
    const since = typed.get(key)
    if (since !== undefined) {
      // The user typed before this text was read.
      const isAddition = since.content.startsWith(since.base)
      if (isAddition) saveDraft(destination, content + since.content.slice(since.base.length))
      else if (since.content !== content) storeOld(destination, content, editedAt)
      continue
    }
    const known = draftFor(destination)
    const isNewer = known === undefined || editedAt >= known.timestamp * 1000
    if (isNewer) {
      typed.set(key, { destination, content, editedAt, base: known?.content ?? '', isUnsaved: false })
      if (known !== undefined && content !== '' && known.content !== content)
        storeOld(destination, known.content, known.timestamp * 1000)
      save(key)
    } else {
      if (known.content !== content) storeOld(destination, content, editedAt)
      void deleteStoredDraft(key)
    }
  }
  restored.value += 1
}

/** Drops typed texts that the server has, so that later changes from other clients appear. */
export function followDrafts(): void {
  // Retries failed saves when the connection is back.
  const saveUnsaved = (): void => {
    for (const [key, { isUnsaved }] of typed) if (isUnsaved) save(key)
  }
  window.addEventListener('online', saveUnsaved)
  effect(() => {
    if (sync.isConnected.value) saveUnsaved()
  })
  sync.listen(({ type }) => {
    if (type !== 'drafts') return
    for (const [key, { destination, content }] of typed) {
      if (serverTimers.has(key) || (draftFor(destination)?.content ?? '') !== content) continue
      forgetTyped(key)
      void deleteStoredDraft(key)
    }
  })
}

function forgetTyped(key: string): void {
  typed.delete(key)
  clearTimeout(serverTimers.get(key))
  serverTimers.delete(key)
  changes.value += 1
}

export function saveDrafts(): void {
  for (const key of serverTimers.keys()) save(key)
}

function save(key: string): void {
  clearTimeout(serverTimers.get(key))
  serverTimers.delete(key)
  // Concurrent saves, even in two tabs, would create two drafts.
  const before = saving.get(key) ?? Promise.resolve()
  saving.set(
    key,
    before.then(async () => withLock(`parley-draft-${key}`, async () => write(key))),
  )
}

async function write(key: string): Promise<void> {
  const kept = typed.get(key)
  if (kept === undefined) return
  const { destination, content, editedAt, base } = kept
  try {
    const known = draftFor(destination) ?? (await savedFor(destination))
    if (known !== undefined && known.content !== base && known.content !== content)
      storeOld(destination, known.content, known.timestamp * 1000)
    let isSent = true
    if (content.trim() === '') {
      isSent = known !== undefined
      if (known !== undefined) await call(SESSION, declared.deleteDraft, { draft_id: known.id })
    } else if (known?.content === content && base === content) isSent = false
    else {
      const draft = { ...addressOf(destination), content, timestamp: Math.floor(editedAt / 1000) }
      await (known === undefined
        ? call(SESSION, declared.createDrafts, { drafts: [draft] })
        : call(SESSION, declared.updateDraft, { draft_id: known.id, draft }))
    }
    const since = typed.get(key)
    const isThere = !isSent && since?.content === content && (draftFor(destination)?.content ?? '') === content
    if (isThere) {
      forgetTyped(key)
      void deleteStoredDraft(key)
    } else if (since !== undefined) typed.set(key, { ...since, base: content, isUnsaved: false })
  } catch {
    // Retried after the next pause or reconnect.
    const since = typed.get(key)
    if (since !== undefined) typed.set(key, { ...since, isUnsaved: true })
  }
  changes.value += 1
}

/** Finds a draft that this tab saved before a reload, or that another tab saved. */
async function savedFor(destination: Destination): Promise<Draft | undefined> {
  const { drafts } = await call(SESSION, declared.getDrafts, {})
  return newestAt(destination, drafts)
}

export function addressOf(destination: Destination) {
  const place = conversationAt(destination)
  if (place === undefined) return { type: '' as const, to: [], topic: '' }
  return place.view === 'topic'
    ? { type: 'stream' as const, to: [place.channelId], topic: place.topic }
    : { type: 'private' as const, to: [...place.userIds], topic: '' }
}
