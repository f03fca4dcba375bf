import { history } from '@parley/server/contract'
import { useEffect, useState } from 'preact/hooks'
import { narrowOf, type Message } from '../../../kernel/message.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { ask } from '../../../platform/requests.ts'
import { previewOf } from '../../muted-users/state.ts'
import { MOVE_MODES, type MoveMode, type Topic } from '../moving.ts'

/** Maximum number of messages requested on each side of the moved message. */
const MAX_COUNTED_MESSAGES = 200
const MAX_PREVIEWED_MESSAGES = 4

interface MessageContext {
  readonly messages: readonly Message[]
  readonly isWholeBefore: boolean
  readonly isWholeAfter: boolean
}

function useMessageContext(message: Message, topic: Topic): MessageContext | undefined {
  const [around, setAround] = useState<MessageContext>()
  useEffect(() => {
    void ask(history.getMessages, {
      anchor: String(message.id),
      num_before: MAX_COUNTED_MESSAGES,
      num_after: MAX_COUNTED_MESSAGES,
      narrow: narrowOf(topic),
      client_external_avatar: false,
      allow_empty_topic_name: true,
    }).then((answer) => {
      if (answer === undefined) return
      const { messages, found_oldest: isWholeBefore, found_newest: isWholeAfter } = answer
      setAround({ messages, isWholeBefore, isWholeAfter })
    })
  }, [message.id])
  return around
}

function movedMessages(mode: MoveMode, { id }: Message, around: MessageContext): readonly Message[] {
  if (mode === 'change_one') return around.messages.filter((one) => one.id === id)
  return mode === 'change_later' ? around.messages.filter((one) => one.id >= id) : around.messages
}

function movedCountText(mode: MoveMode, message: Message, around: MessageContext): string {
  const isWhole = mode === 'change_one' || (around.isWholeAfter && (mode === 'change_later' || around.isWholeBefore))
  return `${movedMessages(mode, message, around).length}${isWhole ? '' : '+'}`
}

interface MovedMessagesProps extends Omit<ModesProps, 'around'> {
  readonly from: Topic
}

/** Asks which messages move, and lists the first of them. */
export function MovedMessages({ message, from, mode, onChange }: MovedMessagesProps) {
  const around = useMessageContext(message, from)
  return (
    <>
      <Modes message={message} around={around} mode={mode} onChange={onChange} />
      <Preview message={message} around={around} mode={mode} />
    </>
  )
}

interface ModesProps {
  readonly message: Message
  readonly around: MessageContext | undefined
  readonly mode: MoveMode
  readonly onChange: (mode: MoveMode) => void
}

function Modes({ message, around, mode, onChange }: ModesProps) {
  const names: Record<MoveMode, string> = {
    change_one: tl().move.one,
    change_later: tl().move.later,
    change_all: tl().move.all,
  }
  return (
    <fieldset class="move-modes">
      <legend>{tl().move.what}</legend>
      {MOVE_MODES.map((one) => (
        <label key={one} class="move-choice">
          <input type="radio" name="mode" checked={mode === one} onChange={() => onChange(one)} />
          <span>{names[one]}</span>
          <span>{around === undefined ? '' : movedCountText(one, message, around)}</span>
        </label>
      ))}
    </fieldset>
  )
}

function Preview({ message, around, mode }: Omit<ModesProps, 'onChange'>) {
  if (around === undefined) return null
  const taken = movedMessages(mode, message, around)
  const more = taken.length - MAX_PREVIEWED_MESSAGES
  return (
    <ul class="move-preview" aria-label={tl().move.preview}>
      {taken.slice(0, MAX_PREVIEWED_MESSAGES).map((one) => {
        const { author, text } = previewOf(one)
        return (
          <li key={one.id}>
            <strong>
              <bdi>{author}</bdi>
            </strong>{' '}
            <bdi>{text}</bdi>
          </li>
        )
      })}
      {more > 0 && <li class="note">{tl().move.more(more)}</li>}
    </ul>
  )
}
