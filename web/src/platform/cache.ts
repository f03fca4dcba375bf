import { openDB, unwrap, wrap, type DBSchema, type IDBPDatabase, type IDBPObjectStore } from 'idb'
import type { Destination } from '../kernel/destination.ts'
import type { Place } from '../kernel/route.ts'
import { recordBuildWithState } from './sync/build-with-state.ts'

export interface UnsentMessage {
  readonly key: string
  readonly userId: number
  readonly place:
    | { readonly view: 'topic'; readonly channelId: number; readonly topic: string }
    | { readonly view: 'direct'; readonly userIds: readonly number[] }
  readonly content: string
  /** In milliseconds. Messages are sent in the order of these times. */
  readonly writtenAt: number
}

/** The topmost message in view, and its distance in pixels from the list's upper edge. */
export interface Position {
  readonly id: number
  readonly offset: number
}

export interface StoredDraft {
  /** Key of the destination, or a unique key for a replaced draft. */
  readonly key: string
  readonly userId: number
  readonly destination: Destination
  readonly content: string
  readonly editedAt: number
  /** Destinations from which the draft was moved. The server may still have the draft there. */
  readonly from?: readonly Destination[] | undefined
  /** Other drafts at destinations to which this draft moved. */
  readonly displacedTexts?: readonly string[] | undefined
  /** Whether this is a replaced text that the user can still restore. */
  readonly isOld: boolean
  /** Whether the server has the text. */
  readonly isSaved?: boolean
}

export interface StoredEdit extends Pick<StoredDraft, 'key' | 'userId' | 'content' | 'editedAt'> {
  readonly messageId: number
  readonly before: string
}

/** A file that is being uploaded; `content` is its name. If no tab uploads it, the upload was interrupted. */
export interface StoredUpload extends Pick<StoredDraft, 'key' | 'userId' | 'content' | 'editedAt'> {
  /** Key of the destination to which the file is uploaded. */
  readonly uploadTo: string
}

export interface StoredWindow {
  readonly key: string
  readonly place: Place
  readonly atOldest: boolean
  readonly atNewest: boolean
  readonly position: Position | undefined
  /** JSON, oldest first: IndexedDB reads a string several times faster than objects. */
  readonly messages: string
}

export interface StoredState {
  readonly parts: ReadonlyMap<string, string>
  readonly windows: readonly StoredWindow[]
}

export interface WindowsChange extends Pick<StoredState, 'windows'> {
  readonly gone: readonly string[]
  /** Whether to delete all other stored windows, which lack recent events but would count as current. */
  readonly deletesOthers: boolean
}

/** Changes that are written in one transaction, so that stored data always belongs to the same state. */
export interface StateChange extends StoredState, WindowsChange {}

/** Key under which the build that stored the state is recorded. Another build can need a different format. */
const BUILD_KEY = 'build'

interface CacheSchema extends DBSchema {
  drafts: { key: string; value: StoredDraft | StoredEdit | StoredUpload }
  outbox: { key: string; value: UnsentMessage }
  state: { key: string; value: string }
  windows: { key: string; value: StoredWindow }
}

const SCHEMA_VERSION = 3
const KEY_PATH_BY_STORE = { drafts: 'key', outbox: 'key', state: undefined, windows: 'key' } as const

let openingDatabase: Promise<IDBPDatabase<CacheSchema>> | undefined

const openTransactions = new Set<IDBTransaction>()
/** Transactions aborted when the page entered the back/forward cache. */
const abortedTransactions = new WeakSet<IDBTransaction>()
let isPageCached = false

/** Whether the page is in the back/forward cache, where open transactions would block the database in Safari. */
export function isInPageCache(): boolean {
  return isPageCached
}

window.addEventListener('pagehide', ({ persisted }) => {
  isPageCached = persisted
  if (!persisted) return
  for (const transaction of openTransactions) {
    abortedTransactions.add(transaction)
    wrap(transaction).done.catch(() => undefined)
    try {
      transaction.abort()
    } catch {
      // Ignores transactions that are already finishing.
    }
  }
  openTransactions.clear()
})
window.addEventListener('pageshow', () => {
  isPageCached = false
})

function trackTransactions(opened: IDBPDatabase<CacheSchema>): void {
  const watched = unwrap(opened)
  const begin = watched.transaction.bind(watched)
  watched.transaction = (...given) => {
    const transaction = begin(...given)
    openTransactions.add(transaction)
    for (const end of ['complete', 'abort'])
      transaction.addEventListener(end, () => openTransactions.delete(transaction))
    return transaction
  }
}

async function openDatabase(): Promise<IDBPDatabase<CacheSchema>> {
  if (isPageCached) throw new Error('the page has been set aside')
  openingDatabase ??= openDB<CacheSchema>('parley', SCHEMA_VERSION, {
    upgrade(opened) {
      for (const name of ['drafts', 'outbox', 'state', 'windows'] as const) {
        const keyPath = KEY_PATH_BY_STORE[name]
        if (opened.objectStoreNames.contains(name)) continue
        opened.createObjectStore(name, keyPath === undefined ? {} : { keyPath })
      }
    },
    // Another tab is opening a newer version of the database, so this tab continues without storage.
    blocking: (_version, _newer, event) => (event.target as IDBDatabase).close(),
  }).then((opened) => {
    trackTransactions(opened)
    return opened
  })
  return openingDatabase
}

/** Time limit: Safari never answers while a page in the back/forward cache has an open transaction. */
const DATABASE_TIMEOUT_MILLISECONDS = 3_000

/** @throws if the browser does not answer in time */
async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error('the database of the browser does not answer')),
      DATABASE_TIMEOUT_MILLISECONDS,
    )
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns `otherwise` if the browser cannot store data. */
async function withDatabase<Result>(
  work: (opened: IDBPDatabase<CacheSchema>) => Promise<Result>,
  otherwise: Result,
): Promise<Result> {
  try {
    return await withTimeout(openDatabase().then(work))
  } catch {
    openingDatabase = undefined
    return otherwise
  }
}

type TextStore = 'drafts' | 'outbox'

/** Commits immediately: closing the page would abort an open transaction. @returns whether the change is stored */
async function writeText<Name extends TextStore>(
  name: Name,
  change: (store: IDBPObjectStore<CacheSchema, [Name], Name, 'readwrite'>) => Promise<unknown>,
): Promise<boolean> {
  return withDatabase(async (opened) => {
    const writing = opened.transaction(name, 'readwrite')
    const changed = change(writing.store)
    writing.commit()
    await Promise.all([changed, writing.done])
    return true
  }, false)
}

async function readOwnTexts<Name extends TextStore>(
  name: Name,
  userId: number,
): Promise<readonly CacheSchema[Name]['value'][]> {
  return withDatabase(async (opened) => {
    const all = await opened.getAll(name)
    for (const { key, userId: writer } of all) if (writer !== userId) await opened.delete(name, key)
    return all.filter((text) => text.userId === userId)
  }, [])
}

export async function storeUnsent(message: UnsentMessage): Promise<void> {
  await writeText('outbox', async (store) => store.put(message))
}

export async function deleteUnsent(key: string): Promise<void> {
  await writeText('outbox', async (store) => store.delete(key))
}

export async function unsentMessagesOf(userId: number): Promise<readonly UnsentMessage[]> {
  return (await readOwnTexts('outbox', userId)).toSorted((one, other) => one.writtenAt - other.writtenAt)
}

export async function storeDraft(draft: StoredDraft | StoredEdit | StoredUpload): Promise<boolean> {
  return writeText('drafts', async (store) => store.put(draft))
}

export async function deleteStoredDraft(key: string): Promise<void> {
  await writeText('drafts', async (store) => store.delete(key))
}

/** Returns drafts, edits, and uploads, newest first. */
export async function storedDraftsOf(userId: number): Promise<readonly (StoredDraft | StoredEdit | StoredUpload)[]> {
  return (await readOwnTexts('drafts', userId)).toSorted((one, other) => other.editedAt - one.editedAt)
}

/** Stores a state unless another build owns the storage. @returns undefined if the page is in the back/forward cache */
export async function storeState(build: string, state: StateChange): Promise<boolean | undefined> {
  if (isPageCached) return undefined
  return withTimeout(openDatabase().then(async (opened) => writeState(opened, build, state)))
}

async function writeState(
  opened: IDBPDatabase<CacheSchema>,
  build: string,
  { parts, windows, gone, deletesOthers }: StateChange,
): Promise<boolean | undefined> {
  const writing = opened.transaction(['state', 'windows'], 'readwrite')
  const stateOf = writing.objectStore('state')
  const windowsOf = writing.objectStore('windows')
  try {
    if (((await stateOf.get(BUILD_KEY)) ?? build) !== build) return false
    await Promise.all([
      stateOf.put(build, BUILD_KEY),
      ...(deletesOthers ? [windowsOf.clear()] : []),
      ...[...parts].map(async ([name, text]) => stateOf.put(text, name)),
      ...gone.map(async (key) => windowsOf.delete(key)),
      ...windows.map(async (window) => windowsOf.put(window)),
      writing.done,
    ])
    return true
  } catch (error) {
    if (abortedTransactions.has(unwrap(writing))) return undefined
    throw error
  }
}

export async function storeText(name: string, text: string): Promise<void> {
  await withDatabase(async (opened) => void (await opened.put('state', text, name)), undefined)
}

export async function loadText(name: string): Promise<string | undefined> {
  return withDatabase(async (opened) => opened.get('state', name), undefined)
}

/** Loads the stored state, and makes this build the owner of the storage. Deletes another build's unusable state. */
export async function loadState(build: string): Promise<StoredState> {
  const nothing: StoredState = { parts: new Map(), windows: [] }
  return withDatabase(async (opened) => {
    const beginning = opened.transaction(['state', 'windows'], 'readwrite')
    const stateOf = beginning.objectStore('state')
    const windowsOf = beginning.objectStore('windows')
    if ((await stateOf.get(BUILD_KEY)) !== build) {
      // Without its cursor, the other build's state cannot be resumed.
      await Promise.all([stateOf.delete('cursor'), windowsOf.clear(), stateOf.put(build, BUILD_KEY), beginning.done])
      return nothing
    }
    const [names, texts, windows] = await Promise.all([stateOf.getAllKeys(), stateOf.getAll(), windowsOf.getAll()])
    return { parts: new Map(names.map((name, index) => [name, texts[index] ?? ''])), windows }
  }, nothing)
}

/** Deletes the stored state, but keeps drafts and unsent messages. */
export async function deleteState(): Promise<void> {
  recordBuildWithState(undefined)
  await withDatabase(async (opened) => {
    const clearing = opened.transaction(['state', 'windows'], 'readwrite')
    await Promise.all([clearing.objectStore('state').clear(), clearing.objectStore('windows').clear(), clearing.done])
  }, undefined)
}

export async function deleteAllStoredData(): Promise<void> {
  await deleteState()
  await withDatabase(async (opened) => Promise.all([opened.clear('drafts'), opened.clear('outbox')]), undefined)
}
