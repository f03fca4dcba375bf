import { openDB, type DBSchema, type IDBPDatabase } from 'idb'

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

interface Kept extends DBSchema {
  outbox: { key: string; value: KeptMessage }
}

let opening: Promise<IDBPDatabase<Kept>> | undefined

async function database(): Promise<IDBPDatabase<Kept>> {
  opening ??= openDB<Kept>('parley', 1, {
    upgrade(opened) {
      opened.createObjectStore('outbox', { keyPath: 'key' })
    },
  })
  return opening
}

/** Keeps a message until it is sent. Where the browser keeps nothing, the tab itself still does. */
export async function keep(message: KeptMessage): Promise<void> {
  try {
    await (await database()).put('outbox', message)
  } catch {
    opening = undefined
  }
}

export async function forget(key: string): Promise<void> {
  try {
    await (await database()).delete('outbox', key)
  } catch {
    opening = undefined
  }
}

/** What a person has not sent yet, in the order in which it was written; what others left here is deleted. */
export async function keptFor(userId: number): Promise<readonly KeptMessage[]> {
  try {
    const all = await (await database()).getAll('outbox')
    for (const { key, userId: writer } of all) if (writer !== userId) await forget(key)
    return all.filter((message) => message.userId === userId).toSorted((one, other) => one.writtenAt - other.writtenAt)
  } catch {
    opening = undefined
    return []
  }
}

/** Deletes everything, when the person signs out. */
export async function forgetAll(): Promise<void> {
  try {
    await (await database()).clear('outbox')
  } catch {
    opening = undefined
  }
}
