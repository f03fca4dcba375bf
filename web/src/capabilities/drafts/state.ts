import { ApiError, call, type CallOptions } from '@parley/client'
import { drafts as declared } from '@parley/server/contract'
import { effect, signal } from '@preact/signals'
import { destinationKey, draftRequest, type Destination } from '../../kernel/destination.ts'
import { storedDraftsOf, deleteStoredDraft, storeDraft } from '../../platform/cache.ts'
import { sync } from '../../platform/client.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import { SESSION } from '../../platform/sync/sync.ts'
import { openTabChannel, withLock, type Cursor } from '../../platform/sync/tabs.ts'
import { uploadsIn, removePlaceholders } from '../uploads/state.ts'
import { ownId } from '../users/state.ts'
import {
  oldDrafts,
  storeOldDraft,
  allDrafts,
  destinationOfDraft,
  draftFor,
  draftsAt,
  mergeTexts,
  savedText,
  type SavedDraft,
} from './stored.ts'

/** Pause in typing after which the text is saved on the server. */
const SAVE_DELAY_MILLISECONDS = 2_000
const REQUEST_TIMEOUT_MILLISECONDS = 30_000

interface TypedText {
  readonly destination: Destination
  readonly content: string
  readonly editedAt: number
  /** The server's text when this edit began. If the server has another text now, another client changed the draft. */
  readonly base: string
  /** Former destinations of a moved draft. The server may still have the draft there. */
  readonly from?: readonly Destination[] | undefined
  /** Other drafts at destinations to which this draft moved. Joined with this draft if the server still has them. */
  readonly displacedTexts?: readonly string[] | undefined
  /** Whether saving failed, so that only this browser has the text. */
  readonly isUnsaved: boolean
}

const typedTexts = new Map<string, TypedText>()
/** Incremented when code, rather than typing, replaces a draft's text, so that the fields showing it are updated. */
const draftReplacementCount = signal(0)
const draftChangeCount = signal(0)
const saveTimers = new Map<string, ReturnType<typeof setTimeout>>()
/** Time of each draft's last edit, by destination key, even if the server has the draft. */
const editTimes = new Map<string, number>()
/** Position of the event that last moved the conversation away from a destination, by destination key. */
const lastMovesFrom = new Map<string, Cursor | undefined>()
/** Moves of conversations that arrive before the stored drafts have been read; undefined afterward. */
let pendingMoves: Parameters<typeof moveDraftWithConversation>[] | undefined = []
let lastSave = Promise.resolve()
/** Incremented on each reconnect. A save that began before the reconnect and fails afterward is repeated at once. */
let reconnectCount = 0
/** Drafts of topics that were merged into a topic with its own draft, which gets their text if the server has it. */
const unconfirmedMerges: { readonly content: string; readonly places: readonly Destination[]; to: Destination }[] = []

interface TabDraft extends Pick<TypedText, 'destination' | 'content' | 'editedAt' | 'displacedTexts'> {
  /** Last event that the sending tab has applied. */
  readonly at: Cursor | undefined
  readonly isSaved?: boolean
  readonly isMoved?: boolean
}

/** The last edit wins. An empty text means that the draft was sent or deleted. */
const sendDraftToTabs = openTabChannel<TabDraft>('parley-drafts', (draft) => {
  const { destination, content, editedAt, displacedTexts, at, isSaved, isMoved } = draft
  // Ignores the draft while this tab starts, because the tab will then read all stored drafts.
  if (sync.status.peek() === 'starting') return
  const key = destinationKey(destination)
  // The other tab has not followed a move yet, and will then send the text for the new destination.
  if (isEarlierCursor(at, lastMovesFrom.get(key))) return
  const mine = typedTextAt(destination)
  // Sends this tab's newer text: the other tab was asleep, or read the stored drafts too early.
  if ((editTimes.get(key) ?? 0) > editedAt) return recordText(mine)
  // This tab follows moves itself, and may have moved the text further.
  if (isMoved === true && !typedTexts.has(key)) return
  const text =
    removePlaceholders(mine.content) === content
      ? mine.content
      : [content, ...uploadsIn(mine.content).map(({ placeholder }) => placeholder)].join('\n')
  editTimes.set(key, editedAt)
  // Keeps a saved text until its event arrives: this tab's state still has the former text, which would reappear.
  if (isSaved === true && text === savedText(destination)) discardTypedText(key)
  else typedTexts.set(key, { ...mine, content: text, editedAt, displacedTexts })
  draftReplacementCount.value += 1
})

function sendToTabs(draft: Omit<TabDraft, 'at'>): void {
  sendDraftToTabs({ ...draft, at: sync.cursor })
}

function isEarlierCursor(at: Cursor | undefined, other: Cursor | undefined): boolean {
  return at !== undefined && at.queueId === other?.queueId && at.eventId < other.eventId
}

function typedTextAt(destination: Destination): TypedText {
  const key = destinationKey(destination)
  const { content = '', timestamp = 0 } = draftFor(destination) ?? {}
  const editedAt = Math.max(editTimes.get(key) ?? 0, timestamp * 1000)
  return typedTexts.get(key) ?? { destination, content, base: content, editedAt, isUnsaved: false }
}

export function typedDrafts(): ReadonlyMap<string, TypedText> {
  void draftChangeCount.value
  void draftReplacementCount.value
  return typedTexts
}

export function draftText(destination: Destination): string {
  void draftReplacementCount.value
  return typedTextAt(destination).content
}

/** Stores the text in the browser, and on the server after a pause. Empty text deletes the draft. */
export function saveDraft(destination: Destination, content: string): void {
  const editedAt = Math.max(Date.now(), (editTimes.get(destinationKey(destination)) ?? 0) + 1)
  recordText({ ...typedTextAt(destination), destination, content, editedAt, isUnsaved: false })
}

/** @param isMoved whether only the destination has changed */
function recordText(text: TypedText, isMoved = false): void {
  const { destination, editedAt, from } = text
  const content = removePlaceholders(text.content)
  const key = destinationKey(destination)
  typedTexts.set(key, text)
  editTimes.set(key, editedAt)
  draftChangeCount.value += 1
  clearTimeout(saveTimers.get(key))
  // A browser that only moved the text saves after a browser that also changed it. Otherwise, old text would return.
  const isUrgent = content === '' || (from !== undefined && text.content !== text.base)
  saveTimers.set(
    key,
    setTimeout(() => void enqueueSave(key), isUrgent ? 0 : SAVE_DELAY_MILLISECONDS),
  )
  sendToTabs({ ...text, content, isMoved })
  // Stores empty text too, so that the server's draft of a message that was just sent does not reappear.
  void storeTypedText(text).then((isStored) => {
    if (!isStored) void enqueueSave(key)
  })
}

async function storeTypedText(text: TypedText, isSaved = false): Promise<boolean> {
  const key = destinationKey(text.destination)
  const content = removePlaceholders(text.content)
  return storeDraft({ ...text, key, userId: ownId(), content, isOld: false, isSaved })
}

/** Moves a draft to another destination and stores the text it replaces. */
export function moveDraft(from: Destination, to: Destination, content: string): void {
  storeReplacedText(typedTextAt(to), content)
  if (destinationKey(from) !== destinationKey(to)) saveDraft(from, '')
  replaceDraft(to, content)
}

function storeReplacedText({ destination, content, editedAt }: TypedText, by: string): void {
  if (!by.includes(content)) storeOldDraft(destination, content, editedAt)
}

/** Moves a draft along with its conversation, in every tab. @param shown key of the destination in the composer */
export function moveDraftWithConversation(from: Destination, to: Destination, shown: string | undefined): void {
  lastMovesFrom.set(destinationKey(from), sync.cursor)
  if (pendingMoves !== undefined) return void pendingMoves.push([from, to, shown])
  for (const join of unconfirmedMerges) if (destinationKey(join.to) === destinationKey(from)) join.to = to
  const moved = typedTextAt(from)
  const { content } = moved
  const toKey = destinationKey(to)
  // The server may still have a sent text at the place to which the conversation returns.
  const isReturning = (moved.from ?? []).map(destinationKey).includes(toKey)
  if (content === '' && !isReturning) return
  const key = destinationKey(from)
  discardTypedText(key)
  void deleteStoredDraft(key)
  const there = typedTextAt(to)
  const places = [...(moved.from ?? []), from]
  const isMerge = content === moved.base && ![content, there.content].includes(mergeTexts(there.content, content))
  if (isMerge && shown !== key) {
    // This tab's state may lag: the text may have been sent or moved further.
    if (sync.leads.peek()) unconfirmedMerges.push({ content, places, to })
    return void mergeDraftsOnServer()
  }
  const whole = mergeTexts(isMerge || shown === toKey || typedTexts.has(toKey) ? there.content : '', content)
  if (!isReturning) storeReplacedText(there, whole)
  // Every tab computes the same time, which is earlier than the person's next edit.
  const editedAt = Math.max(moved.editedAt, editTimes.get(toKey) ?? 0) + Number(whole !== content)
  const isVersion = there.content === moved.base || mergeTexts(there.content, whole) === whole
  const isOther = !isReturning && !isVersion
  const displacedTexts = isOther ? [...(moved.displacedTexts ?? []), there.content] : moved.displacedTexts
  recordText({ ...moved, destination: to, content: whole, editedAt, from: places, displacedTexts }, whole === content)
  draftReplacementCount.value += 1
}

/** Joins the drafts that the server still has at their former places. Other tabs receive the joined text. */
async function mergeDraftsOnServer(): Promise<void> {
  if (unconfirmedMerges.length === 0) return
  lastSave = lastSave.then(async () =>
    withLock('parley-drafts', async () => {
      const joins = [...unconfirmedMerges]
      const saved = await call(SESSION, declared.getDrafts, {}, withTimeout()).catch(() => undefined)
      if (saved === undefined) return
      unconfirmedMerges.splice(0, joins.length)
      for (const { content, places, to } of joins) {
        if (!places.some((at) => draftsAt(at, saved.drafts).some((draft) => draft.content === content))) continue
        const there = typedTextAt(to)
        // Another tab, which showed the draft, has already joined it.
        if (there.content.includes(`\n\n${content}`)) continue
        const from = [...(there.from ?? []), ...places]
        recordText({ ...there, content: mergeTexts(there.content, content), editedAt: there.editedAt + 1, from })
        draftReplacementCount.value += 1
      }
    }),
  )
  return lastSave
}

export function replaceDraft(destination: Destination, content: string): void {
  saveDraft(destination, content)
  draftReplacementCount.value += 1
}

export async function restoreDrafts(): Promise<void> {
  const stored = await storedDraftsOf(ownId())
  const files = stored.filter((text) => 'uploadTo' in text)
  if (files.length > 0) void withPart(import('../uploads/transfer.ts'), (part) => void part.listInterrupted(files))
  const kept = stored.filter((text) => 'destination' in text)
  oldDrafts.value = kept.filter(({ isOld }) => isOld)
  for (const { key, destination, content, editedAt, from, displacedTexts, isOld, isSaved } of kept) {
    if (isOld) continue
    const isNewer = editedAt >= (draftFor(destination)?.timestamp ?? 0) * 1000
    const there = typedTextAt(destination)
    const text = { ...there, content, editedAt }
    if (typedTexts.has(key)) {
      if (!saveTimers.has(key) || (isSaved && !isNewer)) continue
      // The user typed before the stored text was read.
      if (there.content.startsWith(there.base)) saveDraft(destination, content + there.content.slice(there.base.length))
      else storeReplacedText(text, there.content)
    } else if (isNewer && !(isSaved && content === there.content)) {
      if (!isSaved && content !== '') storeReplacedText(there, content)
      // Asks the server, because this tab's state predates the saved text, which another client may have changed.
      recordText(isSaved ? { ...text, base: content, from: [] } : { ...text, from, displacedTexts })
      void enqueueSave(key)
    } else {
      if (!isSaved) storeReplacedText(text, there.content)
      void deleteStoredDraft(key)
    }
  }
  const moves = pendingMoves ?? []
  pendingMoves = undefined
  for (const move of moves) moveDraftWithConversation(...move)
  draftReplacementCount.value += 1
}

/** Drops typed text that the server has, so that later changes from other clients appear. */
export function followDrafts(): void {
  const saveUnsaved = (): void => {
    reconnectCount += 1
    for (const [key, { isUnsaved }] of typedTexts) if (isUnsaved) void enqueueSave(key)
    void mergeDraftsOnServer()
  }
  window.addEventListener('online', saveUnsaved)
  effect(() => {
    if (sync.isConnected.value) saveUnsaved()
  })
  sync.listen(({ type }) => {
    if (type !== 'drafts') return
    for (const [key, { destination, content, base, editedAt, from }] of typedTexts) {
      // The server may still have the draft at a former place.
      if (from !== undefined) continue
      const known = draftFor(destination)
      const isSaved = base === content
      const savedAt = (known?.timestamp ?? 0) * 1000
      const isOutdated = isSaved && savedAt > editedAt
      // Another client saved an older text, for example while it moved the draft.
      if (isSaved && known !== undefined && savedAt + 1000 <= editedAt) void enqueueSave(key)
      if (saveTimers.has(key) || (savedText(destination) !== content && !isOutdated)) continue
      discardSavedText(key)
      draftReplacementCount.value += 1
    }
  })
}

/** Forgets a typed text that the server has. Keeps the stored copy, because the next start can read an older state. */
function discardSavedText(key: string): void {
  const text = typedTexts.get(key)
  discardTypedText(key)
  if (text !== undefined) void storeTypedText(text, true)
}

function discardTypedText(key: string): void {
  typedTexts.delete(key)
  clearTimeout(saveTimers.get(key))
  saveTimers.delete(key)
  draftChangeCount.value += 1
}

export async function saveDrafts(): Promise<void> {
  for (const key of saveTimers.keys()) void enqueueSave(key)
  await lastSave
}

async function enqueueSave(key: string): Promise<void> {
  clearTimeout(saveTimers.get(key))
  saveTimers.delete(key)
  // Concurrent saves, even in two tabs, would create two drafts.
  lastSave = lastSave.then(async () => withLock('parley-drafts', async () => writeDraftToServer(key)))
  return lastSave
}

async function writeDraftToServer(key: string): Promise<void> {
  const kept = typedTexts.get(key)
  if (kept === undefined) return
  const { destination, editedAt, base, from, displacedTexts = [] } = kept
  const content = removePlaceholders(kept.content)
  const startCount = reconnectCount
  try {
    const found = await findSavedDrafts(kept)
    const [known, ...others] = found
    const latest = typedTexts.get(key)
    // While the server responded, the text moved away, or another draft moved here.
    if (latest === undefined || latest.from !== from) return await writeDraftToServer(key)
    const isAt = known !== undefined && destinationKey(destinationOfDraft(known)) === key
    // If the draft only moved here, the server's text wins, because another client may have changed it.
    const isUnchanged = from !== undefined && content === base && (content !== '' || from.length === 0)
    if (isUnchanged && known === undefined && content !== '') {
      // Another client has sent the text, or moved it further.
      if (typedTexts.get(key) === kept) discardTypedText(key)
      draftReplacementCount.value += 1
      return void deleteStoredDraft(key)
    }
    const displaced = displacedTexts.filter((other) => found.some((draft) => draft.content.startsWith(other)))
    const isJoined = displaced.length > 0
    const joinOthers = (own: string): string => displaced.reduce((all, other) => mergeTexts(other, all), own)
    const text = isJoined || !isUnchanged ? joinOthers(content) : (known?.content ?? '')
    if (known !== undefined && known.content !== base)
      storeReplacedText({ ...kept, content: known.content, editedAt: known.timestamp * 1000 }, text)
    let isSent = known !== undefined || text.trim() !== ''
    if (text.trim() === '') {
      if (known !== undefined) await call(SESSION, declared.deleteDraft, { draft_id: known.id }, withTimeout())
    } else if (isAt && known.content === text && base === content) isSent = false
    else {
      const draft = draftRequest(destination, text, editedAt)
      await (known === undefined
        ? call(SESSION, declared.createDrafts, { drafts: [draft] }, withTimeout())
        : call(SESSION, declared.updateDraft, { draft_id: known.id, draft }, withTimeout()))
    }
    for (const other of others) await call(SESSION, declared.deleteDraft, { draft_id: other.id }, withTimeout())
    const since = typedTexts.get(key)
    const isThere = !isSent && since?.content === content && savedText(destination) === text
    if (isThere) {
      discardSavedText(key)
      sendToTabs({ ...kept, content, isSaved: true })
    } else if (since !== undefined) {
      const now = since.content === content ? text : joinOthers(since.content)
      const saved = { ...since, content: now, base: text, from: undefined, displacedTexts: undefined, isUnsaved: false }
      if (isJoined) recordText({ ...saved, editedAt: since.editedAt + 1 })
      else typedTexts.set(key, saved)
    }
    if (text !== content) draftReplacementCount.value += 1
  } catch (error) {
    // The text is saved again after the next pause in typing or the next reconnect.
    const since = typedTexts.get(key)
    // This tab's state may have a draft that another client deleted. The next attempt asks the server.
    const isOutdated = error instanceof ApiError && from === undefined
    if (since !== undefined) typedTexts.set(key, { ...since, isUnsaved: true, ...(isOutdated ? { from: [] } : {}) })
    if (isOutdated || reconnectCount !== startCount) void enqueueSave(key)
  }
  draftChangeCount.value += 1
}

/** Asks the server for drafts that events may not have reported: saved before a reload or by another tab, or moved. */
async function findSavedDrafts(text: TypedText): Promise<readonly SavedDraft[]> {
  const { destination, content, from, base, displacedTexts = [] } = text
  // Also asks about text that this tab has saved, because another tab can have overwritten it.
  const isKnown = from === undefined && content !== base && draftFor(destination) !== undefined
  const drafts = isKnown ? allDrafts() : (await call(SESSION, declared.getDrafts, {}, withTimeout())).drafts
  // A draft can return to a former destination. A page that was closed can have saved the same text twice.
  const found = [destination, ...(from ?? [])].flatMap((at) =>
    draftsAt(at, drafts).filter(
      ({ content: saved }, index) =>
        index === 0 || saved === base || displacedTexts.some((other) => saved.startsWith(other)),
    ),
  )
  return [...new Set(found)]
}

/** Limits the duration of a request: if its packets were lost, it would keep all tabs from saving. */
function withTimeout(): CallOptions {
  return { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MILLISECONDS) }
}
