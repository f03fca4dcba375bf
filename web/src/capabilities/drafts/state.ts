import { call, type CallOptions } from '@parley/client'
import { drafts as declared } from '@parley/server/contract'
import { effect, signal } from '@preact/signals'
import { conversationAt, destinationKey, type Destination } from '../../kernel/destination.ts'
import { storedDraftsOf, deleteStoredDraft, storeDraft } from '../../platform/cache.ts'
import { store, sync } from '../../platform/client.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import { openTabChannel, withLock } from '../../platform/sync/tabs.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { ownId } from '../users/state.ts'
import { uploadsIn, withoutPlaceholders } from '../uploads/state.ts'
import { storeOld, restoreOld } from './old.ts'

type Draft = ReturnType<typeof allDrafts>[number]

/** Delay after the last key press. */
const SERVER_MILLISECONDS = 2_000
const REQUEST_MILLISECONDS = 30_000

interface TypedText {
  readonly destination: Destination
  readonly content: string
  readonly editedAt: number
  /** The server's text when typing started. If it differs later, another client changed it. */
  readonly base: string
  /** Former destinations of a moved draft: the server's draft moves too, because clients would each create one. */
  readonly from?: readonly Destination[] | undefined
  /** Whether saving failed, so that only this browser has the text. */
  readonly isUnsaved: boolean
}

const typed = new Map<string, TypedText>()
/** Changes when code, rather than typing, replaces a text, so that the fields showing it update. */
const restored = signal(0)
const changes = signal(0)
const serverTimers = new Map<string, ReturnType<typeof setTimeout>>()
let saving = Promise.resolve()

/** The last edit wins; an empty text means that the draft was sent. */
const sendToTabs = openTabChannel<Pick<TypedText, 'destination' | 'content' | 'editedAt'>>(
  'parley-drafts',
  ({ destination, content, editedAt }) => {
    const key = destinationKey(destination)
    const base = draftFor(destination)?.content ?? ''
    const mine = typed.get(key) ?? { destination, content: '', base, editedAt: 0, isUnsaved: false }
    if (mine.editedAt > editedAt) return
    const text = [content, ...uploadsIn(mine.content).map(({ placeholder }) => placeholder)].join('\n')
    if (text === base) forgetTyped(key)
    else typed.set(key, { ...mine, content: text, editedAt })
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
  const { base = draftFor(destination)?.content ?? '', from } = typed.get(destinationKey(destination)) ?? {}
  keep({ destination, content, editedAt: Date.now(), base, from, isUnsaved: false })
}

function keep(text: TypedText): void {
  const { destination, editedAt, from } = text
  const content = withoutPlaceholders(text.content)
  const key = destinationKey(destination)
  typed.set(key, text)
  changes.value += 1
  clearTimeout(serverTimers.get(key))
  serverTimers.set(
    key,
    setTimeout(() => void save(key), content === '' || from !== undefined ? 0 : SERVER_MILLISECONDS),
  )
  sendToTabs({ destination, content, editedAt })
  // An empty text is stored too, so that the server's copy of a sent text does not return.
  void storeDraft({ key, userId: ownId(), destination, content, editedAt, from, isOld: false }).then((isStored) => {
    if (!isStored) void save(key)
  })
}

/** Moves a draft to another destination and stores the text it replaces. */
export function moveDraft(from: Destination, to: Destination, content: string): void {
  const there = draftText(to)
  if (there !== content) storeOld(to, there, (draftFor(to)?.timestamp ?? 0) * 1000)
  if (destinationKey(from) !== destinationKey(to)) saveDraft(from, '')
  replaceDraft(to, content)
}

/**
 * After a conversation moved. Every tab does this, because the draft may be open in any of them, or in none.
 * @param isShown whether a composer shows the draft of the new place
 */
export function followConversation(from: Destination, to: Destination, isShown: boolean): void {
  const content = draftText(from)
  if (content === '') return
  const key = destinationKey(from)
  const editedAt = (draftFor(from)?.timestamp ?? 0) * 1000
  const unchanged: TypedText = { destination: from, content, base: content, editedAt, isUnsaved: false }
  const moved = typed.get(key) ?? unchanged
  forgetTyped(key)
  void deleteStoredDraft(key)
  const there = draftText(to)
  const whole = joinTexts(isShown ? there : (typed.get(destinationKey(to))?.content ?? ''), content)
  if (!whole.includes(there)) storeOld(to, there, (draftFor(to)?.timestamp ?? 0) * 1000)
  const at = whole === content ? moved.editedAt : Date.now()
  keep({ ...moved, destination: to, content: whole, editedAt: at, from: [...(moved.from ?? []), from] })
  restored.value += 1
}

/** Joins texts of two topics that became one, unless one is a version of the other, or a tab joined them. */
function joinTexts(there: string, content: string): string {
  if (content.startsWith(there.trimEnd())) return content
  return there.startsWith(content.trimEnd()) || there.endsWith(content) ? there : `${there}\n\n${content}`
}

export function replaceDraft(destination: Destination, content: string): void {
  saveDraft(destination, content)
  restored.value += 1
}

export async function restoreDrafts(): Promise<void> {
  const stored = await storedDraftsOf(ownId())
  const files = stored.filter((text) => 'uploadTo' in text)
  if (files.length > 0) void withPart(import('../uploads/transfer.ts'), (part) => void part.noteInterrupted(files))
  const kept = stored.filter((text) => 'destination' in text)
  restoreOld(kept.filter(({ isOld }) => isOld))
  for (const { key, destination, content, editedAt, from, isOld } of kept) {
    if (isOld) continue
    const since = typed.get(key)
    if (since !== undefined) {
      if (!serverTimers.has(key)) continue
      // The user typed before this text was read.
      if (since.content.startsWith(since.base)) saveDraft(destination, content + since.content.slice(since.base.length))
      else if (since.content !== content) storeOld(destination, content, editedAt)
      continue
    }
    const known = draftFor(destination)
    const isNewer = known === undefined || editedAt >= known.timestamp * 1000
    if (isNewer) {
      typed.set(key, { destination, content, editedAt, base: known?.content ?? '', from, isUnsaved: false })
      if (known !== undefined && content !== '' && known.content !== content)
        storeOld(destination, known.content, known.timestamp * 1000)
      void save(key)
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
    for (const [key, { isUnsaved }] of typed) if (isUnsaved) void save(key)
  }
  window.addEventListener('online', saveUnsaved)
  effect(() => {
    if (sync.isConnected.value) saveUnsaved()
  })
  sync.listen(({ type }) => {
    if (type !== 'drafts') return
    for (const [key, { destination, content, base, editedAt, from }] of typed) {
      // The server may still have the draft at a former place.
      if (from !== undefined) continue
      const known = draftFor(destination)
      const isSaved = base === content
      const isOutdated = isSaved && (known?.timestamp ?? 0) * 1000 > editedAt
      // Another client saved an older text, for example while it moved the draft.
      if (isSaved && known !== undefined && known.timestamp < Math.floor(editedAt / 1000)) void save(key)
      if (serverTimers.has(key) || ((known?.content ?? '') !== content && !isOutdated)) continue
      forgetTyped(key)
      void deleteStoredDraft(key)
      restored.value += 1
    }
  })
}

function forgetTyped(key: string): void {
  typed.delete(key)
  clearTimeout(serverTimers.get(key))
  serverTimers.delete(key)
  changes.value += 1
}

export async function saveDrafts(): Promise<void> {
  for (const key of serverTimers.keys()) void save(key)
  await saving
}

async function save(key: string): Promise<void> {
  clearTimeout(serverTimers.get(key))
  serverTimers.delete(key)
  // Concurrent saves, even in two tabs, would create two drafts.
  saving = saving.then(async () => withLock('parley-drafts', async () => write(key)))
  return saving
}

async function write(key: string): Promise<void> {
  const kept = typed.get(key)
  if (kept === undefined) return
  const { destination, editedAt, base, from } = kept
  const content = withoutPlaceholders(kept.content)
  try {
    const [known, ...others] = await savedFor(kept)
    for (const other of others) await call(SESSION, declared.deleteDraft, { draft_id: other.id }, limit())
    const isAt = known !== undefined && destinationKey(destinationOfDraft(known)) === key
    // Another client may have changed a text that only moved here.
    const text = from !== undefined && known !== undefined && content === base ? known.content : content
    if (known !== undefined && known.content !== base && !text.includes(known.content))
      storeOld(destination, known.content, known.timestamp * 1000)
    let isSent = true
    if (text.trim() === '') {
      isSent = known !== undefined
      if (known !== undefined) await call(SESSION, declared.deleteDraft, { draft_id: known.id }, limit())
    } else if (isAt && known.content === text && base === content) isSent = false
    else {
      const draft = { ...addressOf(destination), content: text, timestamp: Math.floor(editedAt / 1000) }
      await (known === undefined
        ? call(SESSION, declared.createDrafts, { drafts: [draft] }, limit())
        : call(SESSION, declared.updateDraft, { draft_id: known.id, draft }, limit()))
    }
    const since = typed.get(key)
    const isThere = !isSent && since?.content === content && (draftFor(destination)?.content ?? '') === text
    if (isThere) {
      forgetTyped(key)
      void deleteStoredDraft(key)
    } else if (since !== undefined) {
      const now = since.content === content ? text : since.content
      typed.set(key, { ...since, content: now, base: text, from: undefined, isUnsaved: false })
    }
    if (text !== content) restored.value += 1
  } catch {
    // Retried after the next pause or reconnect.
    const since = typed.get(key)
    if (since !== undefined) typed.set(key, { ...since, isUnsaved: true })
  }
  changes.value += 1
}

/** Asks the server for drafts that no event has reported: saved before a reload, by another tab, or moved. */
async function savedFor({ destination, from }: TypedText): Promise<readonly Draft[]> {
  const known = from === undefined ? draftFor(destination) : undefined
  if (known !== undefined) return [known]
  const { drafts } = await call(SESSION, declared.getDrafts, {}, limit())
  // A draft can return to a former destination.
  const found = new Set([destination, ...(from ?? [])].map((at) => newestAt(at, drafts)))
  return [...found].filter((draft) => draft !== undefined)
}

/** A request whose packets are lost would keep all tabs from saving. */
function limit(): CallOptions {
  return { signal: AbortSignal.timeout(REQUEST_MILLISECONDS) }
}

export function addressOf(destination: Destination) {
  if (destination.view === 'topic' && destination.channelId !== undefined)
    return { type: 'stream' as const, to: [destination.channelId], topic: destination.topic ?? '' }
  const place = conversationAt(destination)
  if (place?.view !== 'direct') return { type: '' as const, to: [], topic: '' }
  return { type: 'private' as const, to: [...place.userIds], topic: '' }
}
