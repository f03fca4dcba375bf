import type { ComponentChildren } from 'preact'
import { conversationOfMessage, type Message } from '../../../kernel/message.ts'
import type { Place } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
import { isSameDay } from '../../../kernel/time.ts'
import { messages } from '../../../platform/client.ts'
import type { MessageWindow } from '../../../platform/messages/window.ts'
import { isHidden } from '../../muted-users/state.ts'
import { placeName } from '../../places/title.tsx'
import { ownId } from '../../users/state.ts'
import { focused } from '../read-tracker.ts'
import { Day } from './day.tsx'
import { PlaceBar } from './place-bar.tsx'
import { Row } from './row.tsx'
import { useRuns, type MessageRun } from './runs.ts'
import { isSaidOn } from './said-on.ts'

interface RowsProps {
  readonly window: MessageWindow
  readonly ids: readonly number[]
  /** Whether to show conversation headers, because the list has several conversations. */
  readonly hasPlaces: boolean
  readonly near: number | undefined
}

/** Whether the list has an unread divider, like all conversations that are read in order. */
function hasDivider({ view }: Place): boolean {
  return ['topic', 'direct', 'channel-feed', 'feed'].includes(view)
}

export function Rows({ window, ids, hasPlaces, near }: RowsProps) {
  // Reads only what affects neighboring rows. Each row subscribes to the rest itself.
  const shown = ids.flatMap((id) => messages.get(id)?.value ?? [])
  const runs = useRuns(hasPlaces ? shown : [], ownId())
  const inTabOrder = ids.includes(focused.value ?? 0) ? focused.value : ids.at(-1)
  const divided = hasDivider(window.place) ? window.divider.value : undefined
  const item = (message: Message, before: Message | undefined, isNewDay: boolean) => {
    const known = messages.get(message.id)
    const isDivider = message.id === divided
    if (known === undefined) return null
    return (
      <div key={message.id} class="list-item">
        {isNewDay && <Day seconds={message.timestamp} />}
        {isDivider && (
          <div class="divider">
            <span>{t().messages.newMessages}</span>
          </div>
        )}
        <Row
          message={known}
          // Shows the author again after a hidden message.
          hasHead={isDivider || isNewDay || before === undefined || isHidden(before) || !isSaidOn(before, message)}
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
      {isNewDayAfter(before?.messages.at(-1), first) && <Day seconds={first.timestamp} />}
      <PlaceBar place={place} near={first.id} markedTopic={markedTopic} />
      {children}
    </section>
  )
}

function isNewDayAfter(before: Message | undefined, message: Message): boolean {
  return before === undefined || !isSameDay(before.timestamp, message.timestamp)
}
