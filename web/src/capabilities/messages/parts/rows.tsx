import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { conversationOfMessage, type Message } from '../../../kernel/message.ts'
import { placeKey, type Place, type Conversation } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
import { isSameDay, dayTitle } from '../../../kernel/time.ts'
import { messages } from '../../../platform/client.ts'
import { Link } from '../../../platform/dom/link.tsx'
import type { MessageWindow } from '../../../platform/messages/window.ts'
import { isHiddenMessage } from '../../muted-users/state.ts'
import { placeName, placeTitle } from '../../places/title.tsx'
import { PlaceTools } from '../../places/tools.tsx'
import { Badge } from '../../unread/badge.tsx'
import { unreadOf } from '../../unread/state.ts'
import { ownId } from '../../users/state.ts'
import { focusedMessageId } from '../read-tracker.ts'
import { Row } from './row.tsx'
import './place-bar.css'

/** Pause after which the author's name is repeated. */
const MAX_RUN_GAP_SECONDS = 300

export interface MessageHead {
  readonly sender_id: number
  readonly timestamp: number
  readonly is_me_message: boolean
}

/** Whether a message can omit its author's name, which the message above shows. `/me` messages always show the name. */
export function continuesRun(before: MessageHead, message: MessageHead): boolean {
  if (before.is_me_message || message.is_me_message) return false
  return before.sender_id === message.sender_id && message.timestamp - before.timestamp < MAX_RUN_GAP_SECONDS
}

interface RowsProps {
  readonly window: MessageWindow
  readonly ids: readonly number[]
  readonly hasPlaces: boolean
  readonly near: number | undefined
}

/** Whether the list omits no messages in between, unlike search results. */
function isContinuous({ view }: Place): boolean {
  return ['topic', 'direct', 'channel-feed', 'feed'].includes(view)
}

export function Rows({ window, ids, hasPlaces, near }: RowsProps) {
  // Reads only values that affect neighboring rows. Each row subscribes to all other values itself.
  const shown = ids.flatMap((id) => messages.get(id)?.value ?? [])
  const runs = useRuns(hasPlaces ? shown : [], ownId())
  const inTabOrder = ids.includes(focusedMessageId.value ?? 0) ? focusedMessageId.value : ids.at(-1)
  const isWhole = isContinuous(window.place)
  const divided = isWhole ? window.divider.value : undefined
  const item = (message: Message, before: Message | undefined, isNewDay: boolean) => {
    const known = messages.get(message.id)
    const isDivider = message.id === divided
    if (known === undefined) return null
    return (
      <div key={message.id} class="list-item">
        {isNewDay && <DayDivider seconds={message.timestamp} />}
        {isDivider && (
          <div class="divider">
            <span>{t().messages.newMessages}</span>
          </div>
        )}
        <Row
          message={known}
          // Repeats the author after a hidden message.
          hasHead={
            !isWhole ||
            isDivider ||
            isNewDay ||
            before === undefined ||
            isHiddenMessage(before) ||
            !continuesRun(before, message)
          }
          isInTabOrder={message.id === inTabOrder}
          marked={window.marks.value.get(message.id)?.content}
          isSought={message.id === near}
        />
      </div>
    )
  }
  const items = (these: readonly Message[], isDaySaid: boolean) =>
    these.map((message, index) => {
      const before = these[index - 1]
      return item(message, before, before === undefined ? !isDaySaid : isNewDayAfter(before, message))
    })
  if (!hasPlaces) return <>{items(shown, false)}</>
  return (
    <>
      {runs.map(({ key, messages: these }, index) => (
        <Section
          key={key}
          run={these}
          before={runs[index - 1]}
          markedTopic={window.marks.value.get(these[0].id)?.topic}
        >
          {items(these, true)}
        </Section>
      ))}
    </>
  )
}

interface SectionProps {
  readonly run: MessageRun['messages']
  readonly before: MessageRun | undefined
  readonly markedTopic: string | undefined
  readonly children: ComponentChildren
}

function Section({ run, before, markedTopic, children }: SectionProps) {
  const [first] = run
  const place = conversationOfMessage(first, ownId())
  return (
    <section class="run" role="group" aria-label={placeName(place)}>
      {isNewDayAfter(before?.messages.at(-1), first) && <DayDivider seconds={first.timestamp} />}
      <PlaceBar place={place} near={first.id} markedTopic={markedTopic} />
      {children}
    </section>
  )
}

function isNewDayAfter(before: Message | undefined, message: Message): boolean {
  return before === undefined || !isSameDay(before.timestamp, message.timestamp)
}

interface PlaceBarProps {
  readonly place: Conversation
  readonly near: number
  readonly markedTopic: string | undefined
}

function PlaceBar({ place, near, markedTopic }: PlaceBarProps) {
  return (
    <div class="place-bar">
      <Link to={{ ...place, near }} class="place-link">
        {placeTitle(place, markedTopic)}
      </Link>
      <Badge {...unreadOf(place)} />
      <span class="place-tools">
        <PlaceTools place={place} isOneOfMany />
      </span>
    </div>
  )
}

interface MessageRun {
  readonly key: number
  readonly messages: readonly [Message, ...Message[]]
}

function groupIntoRuns(shown: readonly Message[], own: number): readonly [Message, ...Message[]][] {
  const runs: [Message, ...Message[]][] = []
  let last: string | undefined
  for (const message of shown) {
    const place = placeKey(conversationOfMessage(message, own))
    if (place === last) runs.at(-1)?.push(message)
    else runs.push([message])
    last = place
  }
  return runs
}

/** Groups messages by conversation. A run keeps its key, and is not rebuilt, while any of its messages remains. */
function useRuns(shown: readonly Message[], own: number): readonly MessageRun[] {
  const keys = useRef<ReadonlyMap<number, number>>(new Map())
  const taken = new Set<number>()
  const runs = groupIntoRuns(shown, own).map((run): MessageRun => {
    const known = run.map(({ id }) => keys.current.get(id)).find((key) => key !== undefined && !taken.has(key))
    const key = known ?? run[0].id
    taken.add(key)
    return { key, messages: run }
  })
  keys.current = new Map(runs.flatMap(({ key, messages: run }) => run.map(({ id }) => [id, key])))
  return runs
}

export function DayDivider({ seconds }: { readonly seconds: number }) {
  return (
    <div class="day">
      <span>{dayTitle(seconds)}</span>
    </div>
  )
}
