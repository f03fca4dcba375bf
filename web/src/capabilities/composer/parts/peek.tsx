import { call, isEvent } from '@parley/client'
import { history, messages as declared } from '@parley/server/contract'
import { useEffect, useState } from 'preact/hooks'
import { isMessageIn, narrowOf, type Message } from '../../../kernel/message.ts'
import { placeKey, type Conversation } from '../../../kernel/route.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { shortTimestamp } from '../../../kernel/time.ts'
import { sync } from '../../../platform/client.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { previewOf } from '../../muted-users/state.ts'
import { placeName } from '../../places/title.tsx'
import { ownId } from '../../users/state.ts'
import { goToDestination } from '../actions.ts'
import './peek.css'

const MAX_MESSAGES = 2

export function Peek({ place }: { readonly place: Conversation }) {
  const messages = useNewest(place)
  return (
    <section class="peek" aria-label={tl().composer.peek(placeName(place))}>
      <div class="peek-messages">
        {messages?.length === 0 && (
          <p class="peek-message">
            <bdi class="peek-author">{placeName(place)}</bdi> <span class="note">{tl().composer.peekEmpty}</span>
          </p>
        )}
        {messages?.map((message) => {
          const { author, text } = previewOf(message)
          return (
            <p key={message.id} class="peek-message">
              <bdi class="peek-author">{author}</bdi>
              <span dir="auto" class="peek-text">
                {text}
              </span>
              <span class="note">{shortTimestamp(message.timestamp)}</span>
            </p>
          )
        })}
      </div>
      <button class="button peek-go" type="button" onClick={goToDestination}>
        {t().composer.goThere}
        <Icon name="chevron" size={14} />
      </button>
    </section>
  )
}

function useNewest(place: Conversation): readonly Message[] | undefined {
  const [messages, setMessages] = useState<readonly Message[]>()
  const key = placeKey(place)
  useEffect(() => {
    const aborter = new AbortController()
    const load = async (): Promise<void> => {
      try {
        const answer = await call(
          SESSION,
          history.getMessages,
          {
            anchor: 'newest',
            num_before: MAX_MESSAGES,
            num_after: 0,
            narrow: narrowOf(place),
            client_external_avatar: false,
            allow_empty_topic_name: true,
          },
          { signal: aborter.signal },
        )
        setMessages(answer.messages.slice(-MAX_MESSAGES))
      } catch {
        // Ignores failures, because sending also works without this preview.
      }
    }
    setMessages(undefined)
    void load()
    const stop = sync.listen((event) => {
      // Ignores edits, which only the conversation itself shows.
      if (!isEvent(event, declared.messageSent)) return
      if (isMessageIn(place, { ...event.message, flags: event.flags }, ownId()) === true) void load()
    })
    return () => {
      stop()
      aborter.abort()
    }
  }, [key])
  return messages
}
