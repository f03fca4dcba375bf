import { caseKey } from '@parley/server/kernel/case-key'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { previewOf } from '../../capabilities/muted-users/state.ts'
import { unpinMessage } from '../../capabilities/pins/actions.ts'
import { mayPinIn, pinsIn, type Pin } from '../../capabilities/pins/state.ts'
import { topicTitle } from '../../capabilities/places/title.tsx'
import { tl } from '../../kernel/later-texts.ts'
import type { Place } from '../../kernel/route.ts'
import { fullTime, shortTimestamp } from '../../kernel/time.ts'
import { messages } from '../../platform/client.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { Link } from '../../platform/dom/link.tsx'
import { closeSheet } from '../../platform/frame.ts'
import { Part } from './part.tsx'

type PinnablePlace = Extract<Place, { view: 'topic' | 'channel-feed' }>

export function PinnedMessages({ place }: { readonly place: PinnablePlace }) {
  const pins = pinsIn(place)
  const ids = pins.map(({ message_id: id }) => id)
  const list = useRef<HTMLUListElement>(null)
  const unpinnedAt = useRef<number>(undefined)
  useEffect(() => {
    // Rows stay empty if the messages cannot be loaded.
    messages.fetch(ids).catch(() => undefined)
  }, [ids.join(), messages.gaps])
  useLayoutEffect(() => {
    const { current: at } = unpinnedAt
    unpinnedAt.current = undefined
    // The focused button disappears with its row, so the next one takes the focus.
    if (at === undefined || document.activeElement !== document.body) return
    const buttons = list.current?.querySelectorAll<HTMLElement>('button') ?? []
    const next = buttons[Math.min(at, buttons.length - 1)] ?? document.querySelector<HTMLElement>('.panel')
    next?.focus()
  }, [ids.length])
  if (pins.length === 0) return null
  return (
    <Part id="pins" title={tl().pins.title} number={tl().panel.number(pins.length)}>
      <ul ref={list} class="panel-pins">
        {pins.map((pin, index) => (
          <PinnedRow key={pin.message_id} place={place} pin={pin} onUnpin={() => (unpinnedAt.current = index)} />
        ))}
      </ul>
    </Part>
  )
}

interface PinnedRowProps {
  readonly place: PinnablePlace
  readonly pin: Pin
  readonly onUnpin: () => void
}

function PinnedRow({ place: { channelId, ...shown }, pin, onUnpin }: PinnedRowProps) {
  const { message_id: id, topic } = pin
  void messages.arrivals
  const message = messages.get(id)?.value
  const { author, text } = message === undefined ? { author: '', text: '\u00A0' } : previewOf(message)
  const isElsewhere = !('topic' in shown) || caseKey(shown.topic) !== caseKey(topic)
  return (
    <li>
      <Link to={{ view: 'topic', channelId, topic, near: id }} class="panel-pin" onFollow={closeSheet}>
        <span class="note">
          <strong>
            <bdi>{author}</bdi>
          </strong>
          {message !== undefined && (
            <span title={fullTime(message.timestamp)}> · {shortTimestamp(message.timestamp)}</span>
          )}
          {isElsewhere && (
            <>
              {' · '}
              <bdi>{topicTitle(topic)}</bdi>
            </>
          )}
        </span>
        <bdi class="panel-pin-text">{text}</bdi>
      </Link>
      {mayPinIn(channelId) && (
        <button
          class="icon-button"
          aria-label={author === '' ? tl().pins.unpin : tl().pins.unpinOf(author)}
          title={tl().pins.unpin}
          onClick={() => {
            onUnpin()
            void unpinMessage(channelId, pin)
          }}
        >
          <Icon name="close" size={16} />
        </button>
      )}
    </li>
  )
}
