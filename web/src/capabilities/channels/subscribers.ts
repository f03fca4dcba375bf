import { call } from '@parley/client'
import { channels } from '@parley/server/contract'
import { useEffect, useState } from 'preact/hooks'
import { sync } from '../../platform/client.ts'
import { reasonOf } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'

/** Who is in a channel, kept true while it is shown; undefined until it is known. */
export function useSubscribers(
  channelId: number,
): readonly [subscribers: readonly number[] | undefined, failure: string | undefined] {
  const [subscribers, setSubscribers] = useState<readonly number[]>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    const aborter = new AbortController()
    const load = (): void => {
      call(SESSION, channels.getSubscribers, { stream_id: channelId }, { signal: aborter.signal }).then(
        (answer) => setSubscribers(answer.subscribers),
        (error: unknown) => {
          if (!aborter.signal.aborted) setFailure(reasonOf(error))
        },
      )
    }
    load()
    const stop = sync.hear((event) => {
      if (event.type === 'subscription' && event.op !== 'update') load()
    })
    return () => {
      stop()
      aborter.abort()
    }
  }, [channelId])
  return [subscribers, failure]
}
