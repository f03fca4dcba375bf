import { openDB, unwrap, wrap, type DBSchema, type IDBPDatabase } from 'idb'
import type { Destination } from '../kernel/destination.ts'
import type { Place } from '../kernel/route.ts'
import { noteBuildWithState } from './sync/build-with-state.ts'

/** A message that is not sent yet, as it outlives the tab. */
export interface KeptMessage {
  readonly key: string
  readonly userId: number
  readonly place:
    | { readonly view: 'topic'; readonly channelId: number; readonly topic: string }
    | { readonly view: 'direct'; readonly userIds: readonly number[] }
  readonly content: string
  /** In the order in which they were written, in milliseconds. */
  readonly writtenAt: number
}

/** Where a reader was: the message at the upper edge of the list, and how many pixels it was below it. */
export interface Position {
  readonly id: number
  readonly offset: number
}

/** A text that was begun, as it outlives the tab. */
export interface KeptDraft {
  /** Names its destination; of one that another took the place of, nothing else has it. */
  readonly key: string
  readonly userId: number
  readonly destination: Destination
  readonly content: string
  /** When it was last changed, in milliseconds. */
  readonly editedAt: number
  /** Another text took its place: it is kept only to be found again. */
  readonly isOld: boolean
}

/** A stretch of the messages of a place. */
export interface KeptWindow {
  readonly key: string
  readonly place: Place
  readonly atOldest: boolean
  readonly atNewest: boolean
  /** Where the reader was. */
  readonly position: Position | undefined
  /** The messages as JSON, the oldest first: a text is read several times as fast as what it stands for. */
  readonly messages: string
}

/** Parts of the state, as JSON by their names, and the messages that belong to it. */
export interface KeptState {
  readonly parts: ReadonlyMap<string, string>
  readonly windows: readonly KeptWindow[]
}

/** The windows to be kept that have changed. */
export interface WindowsChange extends Pick<KeptState, 'windows'> {
  /** The windows that are kept no longer. */
  readonly gone: readonly string[]
  /** All others are kept no longer either: they would be thought to be of this moment, and lack what happened since theirs. */
  readonly othersGo: boolean
}

/** What is written at once, so that what is kept is always of one moment. */
export interface StateChange extends KeptState, WindowsChange {}

/** Names the build of the client that keeps its state; another may need another state. */
const BUILD = 'build'

interface Kept extends DBSchema {
  drafts: { key: string; value: KeptDraft }
  outbox: { key: string; value: KeptMessage }
  state: { key: string; value: string }
  windows: { key: string; value: KeptWindow }
}

const VERSION = 3
const STORES = { drafts: 'key', outbox: 'key', state: undefined, windows: 'key' } as const

let opening: Promise<IDBPDatabase<Kept>> | undefined

/** What is being read and written. */
const running = new Set<IDBTransaction>()
/** Those that were given up since the page was set aside. */
const givenUp = new WeakSet<IDBTransaction>()
let isAside = false

/**
 * Whether the browser has set the page aside, to show it again when the reader comes back. It could end nothing that it began then,
 * and in Safari no other page could read what is kept.
 */
export function isSetAside(): boolean {
  return isAside
}

window.addEventListener('pagehide', ({ persisted }) => {
  isAside = persisted
  if (!persisted) return
  for (const transaction of running) {
    givenUp.add(transaction)
    // It is known that it ends so, whatever it has come to.
    wrap(transaction).done.catch(() => undefined)
    try {
      transaction.abort()
    } catch {
      // The browser is ending it already, and gives it up no longer.
    }
  }
  running.clear()
})
window.addEventListener('pageshow', () => {
  isAside = false
})

/** Has the transactions of a database known until they end. */
function watch(opened: IDBPDatabase<Kept>): void {
  const watched = unwrap(opened)
  const begin = watched.transaction.bind(watched)
  watched.transaction = (...given) => {
    const transaction = begin(...given)
    running.add(transaction)
    for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => running.delete(transaction))
    return transaction
  }
}

async function database(): Promise<IDBPDatabase<Kept>> {
  if (isAside) throw new Error('the page has been set aside')
  opening ??= openDB<Kept>('parley', VERSION, {
    upgrade(opened) {
      for (const name of ['drafts', 'outbox', 'state', 'windows'] as const) {
        const keyPath = STORES[name]
        if (opened.objectStoreNames.contains(name)) continue
        opened.createObjectStore(name, keyPath === undefined ? {} : { keyPath })
      }
    },
    // A newer build opens it in another tab: this one goes on without.
    blocking: (_version, _newer, event) => (event.target as IDBDatabase).close(),
  }).then((opened) => {
    watch(opened)
    return opened
  })
  return opening
}

/** How long a browser may take. Safari never answers while a page that it has set aside is in the middle of something. */
const PATIENCE_MILLISECONDS = 3_000

/** @throws where the browser does not answer in time */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the database of the browser does not answer')), PATIENCE_MILLISECONDS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Does something with what is kept. Where the browser keeps nothing, the tab itself still does. */
async function attempt<Result>(
  work: (opened: IDBPDatabase<Kept>) => Promise<Result>,
  otherwise: Result,
): Promise<Result> {
  try {
    return await inTime(database().then(work))
  } catch {
    opening = undefined
    return otherwise
  }
}

/** Keeps a message until it is sent. */
export async function keep(message: KeptMessage): Promise<void> {
  await attempt(async (opened) => void (await opened.put('outbox', message)), undefined)
}

export async function forget(key: string): Promise<void> {
  await attempt(async (opened) => opened.delete('outbox', key), undefined)
}

/** What a person has not sent yet, in the order in which it was written; what others left here is deleted. */
export async function keptFor(userId: number): Promise<readonly KeptMessage[]> {
  return attempt(async (opened) => {
    const all = await opened.getAll('outbox')
    for (const { key, userId: writer } of all) if (writer !== userId) await forget(key)
    return all.filter((message) => message.userId === userId).toSorted((one, other) => one.writtenAt - other.writtenAt)
  }, [])
}

/** Keeps a draft, in place of what was kept for its destination. */
export async function keepDraftHere(draft: KeptDraft): Promise<void> {
  await attempt(async (opened) => void (await opened.put('drafts', draft)), undefined)
}

export async function forgetDraftHere(key: string): Promise<void> {
  await attempt(async (opened) => opened.delete('drafts', key), undefined)
}

/** The drafts of a person that are kept here, the newest first; what others left here is deleted. */
export async function draftsKeptFor(userId: number): Promise<readonly KeptDraft[]> {
  return attempt(async (opened) => {
    const all = await opened.getAll('drafts')
    for (const { key, userId: writer } of all) if (writer !== userId) await forgetDraftHere(key)
    return all.filter((draft) => draft.userId === userId).toSorted((one, other) => other.editedAt - one.editedAt)
  }, [])
}

/**
 * Keeps a state, unless the client of another build has begun to keep its own.
 * @returns whether it did; undefined where the page was set aside meanwhile, and nothing was kept
 * @throws where the browser does not keep it
 */
export async function keepState(build: string, state: StateChange): Promise<boolean | undefined> {
  if (isAside) return undefined
  return inTime(database().then(async (opened) => writeState(opened, build, state)))
}

async function writeState(
  opened: IDBPDatabase<Kept>,
  build: string,
  { parts, windows, gone, othersGo }: StateChange,
): Promise<boolean | undefined> {
  const writing = opened.transaction(['state', 'windows'], 'readwrite')
  const stateOf = writing.objectStore('state')
  const windowsOf = writing.objectStore('windows')
  try {
    if (((await stateOf.get(BUILD)) ?? build) !== build) return false
    await Promise.all([
      stateOf.put(build, BUILD),
      ...(othersGo ? [windowsOf.clear()] : []),
      ...[...parts].map(async ([name, text]) => stateOf.put(text, name)),
      ...gone.map(async (key) => windowsOf.delete(key)),
      ...windows.map(async (window) => windowsOf.put(window)),
      writing.done,
    ])
    return true
  } catch (error) {
    if (givenUp.has(unwrap(writing))) return undefined
    throw error
  }
}

/** Keeps one more text beside the state, such as what only this browser knows of its use. */
export async function keepPart(name: string, text: string): Promise<void> {
  await attempt(async (opened) => void (await opened.put('state', text, name)), undefined)
}

export async function keptPart(name: string): Promise<string | undefined> {
  return attempt(async (opened) => opened.get('state', name), undefined)
}

/** What was kept by the client of this build, which keeps its state from now on; what another kept is of no use any more. */
export async function keptState(build: string): Promise<KeptState> {
  const nothing: KeptState = { parts: new Map(), windows: [] }
  return attempt(async (opened) => {
    const beginning = opened.transaction(['state', 'windows'], 'readwrite')
    const stateOf = beginning.objectStore('state')
    const windowsOf = beginning.objectStore('windows')
    if ((await stateOf.get(BUILD)) !== build) {
      // Without its cursor, a state is nothing that one could go on with.
      await Promise.all([stateOf.delete('cursor'), windowsOf.clear(), stateOf.put(build, BUILD), beginning.done])
      return nothing
    }
    const [names, texts, windows] = await Promise.all([stateOf.getAllKeys(), stateOf.getAll(), windowsOf.getAll()])
    return { parts: new Map(names.map((name, index) => [name, texts[index] ?? ''])), windows }
  }, nothing)
}

/** Deletes the state and the messages that were read, but not what is still to be sent. */
export async function forgetState(): Promise<void> {
  noteBuildWithState(undefined)
  await attempt(async (opened) => {
    const clearing = opened.transaction(['state', 'windows'], 'readwrite')
    await Promise.all([clearing.objectStore('state').clear(), clearing.objectStore('windows').clear(), clearing.done])
  }, undefined)
}

/** Deletes everything, when the person signs out. */
export async function forgetAll(): Promise<void> {
  await forgetState()
  await attempt(async (opened) => Promise.all([opened.clear('drafts'), opened.clear('outbox')]), undefined)
}
