import { useRef } from 'preact/hooks'
import { conversationOfMessage, type Message } from '../../../kernel/message.ts'
import { placeKey } from '../../../kernel/route.ts'

export interface MessageRun {
  readonly key: number
  readonly messages: readonly [Message, ...Message[]]
}

/** Splits messages into consecutive runs of the same conversation. */
function runsOf(messages: readonly Message[], ownId: number): readonly [Message, ...Message[]][] {
  const runs: [Message, ...Message[]][] = []
  let last: string | undefined
  for (const message of messages) {
    const place = placeKey(conversationOfMessage(message, ownId))
    if (place === last) runs.at(-1)?.push(message)
    else runs.push([message])
    last = place
  }
  return runs
}

/** Keeps a run's key while any of its messages remains, so that the run is not rebuilt. */
export function useRuns(messages: readonly Message[], ownId: number): readonly MessageRun[] {
  const keys = useRef<ReadonlyMap<number, number>>(new Map())
  const taken = new Set<number>()
  const runs = runsOf(messages, ownId).map((run): MessageRun => {
    const known = run.map(({ id }) => keys.current.get(id)).find((key) => key !== undefined && !taken.has(key))
    const key = known ?? run[0].id
    taken.add(key)
    return { key, messages: run }
  })
  keys.current = new Map(runs.flatMap(({ key, messages: run }) => run.map(({ id }) => [id, key])))
  return runs
}
