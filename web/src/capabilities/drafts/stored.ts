import { computed, signal } from '@preact/signals'
import { conversationAt, destinationKey, type Destination } from '../../kernel/destination.ts'
import { newId } from '../../kernel/ids.ts'
import { placeKey, type Place } from '../../kernel/route.ts'
import { deleteStoredDraft, storeDraft, type StoredDraft } from '../../platform/cache.ts'
import { store } from '../../platform/client.ts'
import { ownId } from '../users/state.ts'

export type SavedDraft = ReturnType<typeof allDrafts>[number]

/** Returns copies, because events change drafts in place, and components rerender only for new objects. */
export function allDrafts() {
  return store()
    .read('drafts')
    .map((draft) => ({ ...draft }))
}

export function destinationOfDraft({ type, to, topic }: SavedDraft): Destination {
  if (type !== 'private') return { view: 'topic', channelId: to[0], topic }
  const others = to.filter((id) => id !== ownId())
  return { view: 'direct', userIds: others.length === 0 ? to : others }
}

export function draftFor(destination: Destination): SavedDraft | undefined {
  return draftsAt(destination, allDrafts())[0]
}

const draftedPlaces = computed(() => {
  const places = allDrafts().flatMap((draft) => conversationAt(destinationOfDraft(draft)) ?? [])
  return new Set(
    places.flatMap((place) =>
      place.view === 'direct' ? placeKey(place) : [placeKey(place), placeKey({ ...place, view: 'channel-feed' })],
    ),
  )
})

/** Whether there is a draft for a conversation, or for a topic of a channel. */
export function hasDraft(place: Place): boolean {
  return draftedPlaces.value.has(placeKey(place))
}

/** Returns a destination's drafts, newest first. */
export function draftsAt(destination: Destination, among: readonly SavedDraft[]): readonly SavedDraft[] {
  const key = destinationKey(destination)
  return among.filter((draft) => destinationKey(destinationOfDraft(draft)) === key).toReversed()
}

export function savedText(destination: Destination): string {
  return draftFor(destination)?.content ?? ''
}

const MAX_OLD_DRAFTS = 50

export const oldDrafts = signal<readonly StoredDraft[]>([])

/** Keeps a replaced draft, which the user can still restore. */
export function storeOldDraft(destination: Destination, content: string, editedAt: number): void {
  const isKnown = oldDrafts.value.some(
    (old) => old.content === content && destinationKey(old.destination) === destinationKey(destination),
  )
  if (content.trim() === '' || isKnown) return
  const draft = { key: `old:${newId()}`, userId: ownId(), destination, content, editedAt, isOld: true }
  void storeDraft(draft)
  const all = [draft, ...oldDrafts.value]
  oldDrafts.value = all.slice(0, MAX_OLD_DRAFTS)
  for (const { key } of all.slice(MAX_OLD_DRAFTS)) void deleteStoredDraft(key)
}

/** Joins the drafts of two merged topics, unless one already contains the other. */
export function mergeTexts(there: string, content: string): string {
  if (content.startsWith(there.trimEnd()) || containsParagraphs(content, there)) return content
  return there.startsWith(content.trimEnd()) || containsParagraphs(there, content) ? there : `${there}\n\n${content}`
}

function containsParagraphs(text: string, paragraphs: string): boolean {
  return `\n\n${text}\n\n`.includes(`\n\n${paragraphs}\n\n`)
}
