import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { isFresh, trackDependencies, type TrackedDependencies } from '../../../platform/answers/composed.ts'
import { editsOf, type StoredEdit } from '../../message-edits/queries/index.ts'
import type { Reaction, Submessage } from '../../messages/contract/index.ts'
import {
  messageInvalidation,
  storedMessagesSql,
  type MessageChange,
  type StoredMessage,
} from '../../messages/queries/index.ts'
import { submessagesOf } from '../../messages/queries/submessages.ts'
import { reactionsOf } from '../../reactions/queries.ts'

/* The cache is valid up to a log position; later changes evict entries. It mainly serves clients that reconnect. */

const MAX_CACHED_CHARACTERS = 8_000_000

export interface CachedMessage {
  readonly stored: StoredMessage
  readonly reactions: readonly Reaction[]
  readonly submessages: readonly Submessage[]
  readonly edits: readonly StoredEdit[]
}

interface CacheEntry {
  readonly message: CachedMessage
  readonly texts: Map<string, string>
  shown: TrackedDependencies | undefined
  characters: number
}

const cachesByOrganization = new WeakMap<OrganizationState, MessageCache>()

export function messageCacheOf(organization: OrganizationState): MessageCache {
  const known = cachesByOrganization.get(organization) ?? new MessageCache(organization)
  cachesByOrganization.set(organization, known)
  return known
}

class MessageCache {
  readonly #organization: OrganizationState
  readonly #entries = new BoundedCache<number, CacheEntry>(MAX_CACHED_CHARACTERS, ({ characters }) => characters)
  #position: number
  #shown: TrackedDependencies
  #checkedAt: number | undefined
  readonly #reading = new Map<number, Promise<void>>()

  constructor(organization: OrganizationState) {
    this.#organization = organization
    this.#position = organization.position
    this.#shown = trackDependencies(organization)
  }

  /** Waits for pending reads of these messages, so that clients that reconnect at the same time share the reads. */
  async take(ids: readonly number[]): Promise<{ known: Map<number, CachedMessage>; position: number }> {
    const isMissing = (id: number): boolean => this.#entries.get(id) === undefined
    await Promise.all(ids.filter(isMissing).flatMap((id) => this.#reading.get(id) ?? []))
    return this.#takeNow(ids)
  }

  /** Reads messages, and caches them unless one changed during the read. `isCurrent`: whether none changed. */
  async read(reader: Reader, ids: readonly number[]): Promise<{ messages: CachedMessage[]; isCurrent: boolean }> {
    if (ids.length === 0) return { messages: [], isCurrent: true }
    const reading = this.#read(reader, ids)
    const ended = reading.then(ignoreError, ignoreError)
    for (const id of ids) this.#reading.set(id, ended)
    try {
      return await reading
    } finally {
      for (const id of ids) if (this.#reading.get(id) === ended) this.#reading.delete(id)
    }
  }

  async #read(reader: Reader, ids: readonly number[]): Promise<{ messages: CachedMessage[]; isCurrent: boolean }> {
    const { messages, position } = await loadMessages(reader, ids)
    await reader.reach(position)
    const isCurrent = !haveMessagesChanged(this.#organization, messages, position)
    if (isCurrent) this.#put(messages)
    return { messages, isCurrent }
  }

  #takeNow(ids: readonly number[]): { known: Map<number, CachedMessage>; position: number } {
    this.#follow()
    const known = new Map<number, CachedMessage>()
    for (const id of ids) {
      const entry = this.#entries.get(id)
      if (entry !== undefined) known.set(id, entry.message)
    }
    return { known, position: this.#position }
  }

  #put(messages: readonly CachedMessage[]): void {
    this.#follow()
    for (const message of messages) {
      const characters = countCharacters(message)
      this.#entries.set(message.stored.id, { message, texts: new Map(), shown: undefined, characters })
    }
  }

  /** Reuses the text until any projection used by `make` changes. `form` identifies all other dependencies. */
  text(message: CachedMessage, form: string, make: (organization: OrganizationState) => string): string {
    const entry = this.#entries.get(message.stored.id)
    if (entry?.message !== message) return make(this.#organization)
    const shown = this.#currentlyShown()
    if (entry.shown !== shown) {
      for (const text of entry.texts.values()) entry.characters -= text.length
      entry.texts.clear()
      entry.shown = shown
    }
    const known = entry.texts.get(form)
    if (known !== undefined) return known
    const text = make(shown.organization)
    entry.texts.set(form, text)
    entry.characters += text.length
    this.#entries.set(message.stored.id, entry)
    return text
  }

  #currentlyShown(): TrackedDependencies {
    const now = this.#organization.position
    if (this.#checkedAt === now) return this.#shown
    if (!isFresh(this.#organization, this.#shown)) this.#shown = trackDependencies(this.#organization)
    this.#checkedAt = now
    return this.#shown
  }

  #follow(): void {
    const changes = changesSince(this.#organization, this.#position)
    this.#position = this.#organization.position
    if (changes.length === 0) return
    for (const [id, { message }] of this.#entries.entries()) {
      if (isAffectedByChanges(changes, message.stored)) this.#entries.delete(id)
    }
  }
}

const CHARACTERS_PER_REACTION = 250

function countCharacters({ stored, reactions, submessages, edits }: CachedMessage): number {
  let characters = stored.content.length + stored.renderedContent.length + reactions.length * CHARACTERS_PER_REACTION
  for (const { content } of submessages) characters += content.length
  for (const { prev_content, prev_rendered_content } of edits) {
    characters += (prev_content?.length ?? 0) + (prev_rendered_content?.length ?? 0)
  }
  return characters
}

function changesSince(organization: OrganizationState, position: number): readonly (MessageChange | 'any')[] {
  return organization.invalidatedSince(messageInvalidation, position) ?? ['any']
}

function isAffectedByChanges(changes: readonly (MessageChange | 'any')[], { id, topicId }: StoredMessage): boolean {
  return changes.some(
    (change) => change === 'any' || ('message' in change ? change.message === id : change.topic === topicId),
  )
}

export function haveMessagesChanged(
  organization: OrganizationState,
  messages: Iterable<CachedMessage>,
  position: number,
): boolean {
  const changes = changesSince(organization, position)
  return changes.length > 0 && [...messages].some(({ stored }) => isAffectedByChanges(changes, stored))
}

function ignoreError(): void {}

const STORED_MESSAGES = `
  ${storedMessagesSql({ message: 'm' }, ['(select position from organizations where id = $1) as position'])}
  where m.organization_id = $1 and m.id = any($2::bigint[])`

async function loadMessages(
  { db, organizationId }: Reader,
  ids: readonly number[],
): Promise<{ messages: CachedMessage[]; position: number }> {
  const [rows, reactions, submessages, edits] = await Promise.all([
    db.rows<StoredMessage & { position: number }>('stored_messages', STORED_MESSAGES, [organizationId, ids]),
    reactionsOf(db, organizationId, ids),
    submessagesOf(db, organizationId, ids),
    editsOf(db, organizationId, ids),
  ])
  return {
    position: rows[0]?.position ?? 0,
    // Keeps the position in each row, because copying the rows to remove it would cost more.
    messages: rows.map((stored) => ({
      stored,
      reactions: reactions.get(stored.id) ?? [],
      submessages: submessages.get(stored.id) ?? [],
      edits: edits.get(stored.id) ?? [],
    })),
  }
}
