import { render } from 'preact'
import type { Message } from '../../../kernel/message.ts'
import { timeOfDay, isSameDay, fullDate } from '../../../kernel/time.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { readPoll, type Poll } from '../../polls/poll.ts'
import { shownName } from '../../muted-users/state.ts'
import {
  standaloneContent,
  type PictureSource,
  exportHeadOf,
  editNotes,
  reactionsOf,
  type ExportExtent,
} from './content.ts'

export function headAsElement(extent: ExportExtent): HTMLElement {
  const { title, notes } = exportHeadOf(extent)
  const element = document.createElement('header')
  render(
    <>
      <h1 dir="auto">{title}</h1>
      {notes.map((note) => (
        <p key={note} class="whole-note">
          {note}
        </p>
      ))}
    </>,
    element,
  )
  return element
}

/** @param before the preceding message, for the date heading */
export async function messagesAsElement(
  messages: readonly Message[],
  before: Message | undefined,
  sourceOf: PictureSource,
): Promise<HTMLElement> {
  const element = document.createElement('div')
  const previous = [before, ...messages]
  render(
    <>
      {messages.map((message, index) => (
        <StandaloneMessage key={message.id} message={message} before={previous[index]} />
      ))}
    </>,
    element,
  )
  const places = new Map(
    [...element.querySelectorAll<HTMLElement>('[data-content]')].map((place) => [place.dataset['content'], place]),
  )
  for (const { id, content } of messages) {
    const place = places.get(String(id))
    place?.append(await standaloneContent(content, sourceOf))
    place?.removeAttribute('data-content')
  }
  return element
}

function StandaloneMessage({ message, before }: { readonly message: Message; readonly before: Message | undefined }) {
  const { id, timestamp, sender_full_name: author } = message
  const poll = readPoll(message)
  const reactions = reactionsOf(message)
  return (
    <>
      {(before === undefined || !isSameDay(before.timestamp, timestamp)) && <h2>{fullDate(timestamp)}</h2>}
      <article class="whole-message">
        <header>
          <h3>
            <bdi>{author}</bdi>
          </h3>
          <time dateTime={new Date(timestamp * 1000).toISOString()}>{timeOfDay(timestamp)}</time>
          {editNotes(message).map((note) => (
            <span key={note} class="whole-note">
              {note}
            </span>
          ))}
        </header>
        {poll === undefined ? (
          <div class="whole-content" dir="auto" data-content={id} />
        ) : (
          <StandalonePoll poll={poll} />
        )}
        {reactions.length > 0 && (
          <ul class="whole-reactions" aria-label={tl().whole.reactions}>
            {reactions.map(({ sign, names }) => (
              <li key={sign}>
                {sign} <bdi>{names}</bdi>
              </li>
            ))}
          </ul>
        )}
      </article>
    </>
  )
}

function StandalonePoll({ poll: { question, options } }: { readonly poll: Poll }) {
  return (
    <div class="whole-content" dir="auto">
      <p>
        <strong>{question}</strong>
      </p>
      <ul>
        {options.map(({ key, text, voters }) => (
          <li key={key}>
            {text} ({voters.length}
            {voters.length > 0 && `: ${voters.map((voter) => shownName(voter)).join(', ')}`})
          </li>
        ))}
      </ul>
    </div>
  )
}
