import { history } from '@parley/server/contract'
import { caseKey } from '@parley/server/kernel/case-key'
import { useId, useState, useEffect } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { narrowOf, type Message } from '../../../kernel/message.ts'
import { t } from '../../../kernel/strings.ts'
import { Dialog, DialogActions } from '../../../platform/overlay/dialog.tsx'
import { callOrToast } from '../../../platform/requests.ts'
import { allChannels, maxTopicLength } from '../../channels/state.ts'
import { topicsOf } from '../../channels/topics.ts'
import { previewOf } from '../../muted-users/state.ts'
import { moveMessages, type MoveMode, type Topic, MOVE_MODES } from '../moving.ts'
import { mayMoveOutOfChannel, mayMoveWithinChannel, maySendTo } from '../rules.ts'
import type { DialogProps } from '../state.ts'
import './move.css'

/** Dialog that moves all messages of the topic to another topic of the channel. */
export function RenameDialog(props: DialogProps) {
  return <MoveDialog {...props} isRename />
}

export function MoveDialog({ message, onClose, isRename = false }: DialogProps & { readonly isRename?: boolean }) {
  const from: Topic = { view: 'topic', channelId: message.stream_id ?? 0, topic: message.subject }
  const [mode, setMode] = useState<MoveMode>(isRename ? 'change_all' : 'change_later')
  const [channelId, setChannelId] = useState(from.channelId)
  const [topic, setTopic] = useState(from.topic)
  const [notifiesOld, setNotifiesOld] = useState(false)
  const [notifiesNew, setNotifiesNew] = useState(!isRename)
  const [isBusy, setBusy] = useState(false)
  const maySetTopic = isRename || mayMoveWithinChannel(message)
  const to: Topic = { view: 'topic', channelId, topic: maySetTopic ? topic.trim() : from.topic }
  const isSame = to.topic === from.topic && channelId === from.channelId
  const submit = async (): Promise<void> => {
    setBusy(true)
    if (await moveMessages({ message, mode, to, notifiesOld, notifiesNew })) onClose()
    else setBusy(false)
  }
  return (
    <Dialog title={isRename ? t().channel.renameTopic : tl().move.title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isSame) void submit()
        }}
      >
        {!isRename && <MovedMessages message={message} from={from} mode={mode} onChange={setMode} />}
        {!isRename && mayMoveOutOfChannel(message) && (
          <ChannelField from={from} channelId={channelId} onChange={setChannelId} />
        )}
        {maySetTopic && <TopicField to={to} isSame={isSame} value={topic} onChange={setTopic} />}
        {!isRename && <Checkbox title={tl().move.notifyOld} isOn={notifiesOld} onChange={setNotifiesOld} />}
        <Checkbox title={tl().move.notifyNew} isOn={notifiesNew} onChange={setNotifiesNew} />
        <DialogActions
          action={isRename ? t().nav.rename : tl().move.move}
          isDisabled={isSame || isBusy}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

interface ChannelFieldProps {
  readonly from: Topic
  readonly channelId: number
  readonly onChange: (channelId: number) => void
}

function ChannelField({ from, channelId, onChange }: ChannelFieldProps) {
  const channels = allChannels().filter((channel) => channel.stream_id === from.channelId || maySendTo(channel))
  return (
    <label class="field">
      <span>{tl().move.channel}</span>
      <select class="input" value={channelId} onChange={(event) => onChange(Number(event.currentTarget.value))}>
        {channels.map(({ stream_id, name }) => (
          <option key={stream_id} value={stream_id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

interface TopicFieldProps {
  readonly to: Topic
  readonly isSame: boolean
  readonly value: string
  readonly onChange: (topic: string) => void
}

function TopicField({ to, isSame, value, onChange }: TopicFieldProps) {
  const list = useId()
  const names = topicsOf(to.channelId)
  const isKnown = !isSame && names.some((name) => caseKey(name) === caseKey(to.topic))
  return (
    <label class="field">
      <span>{tl().move.topic}</span>
      <input
        class="input"
        maxLength={maxTopicLength(value)}
        onFocus={(event) => event.currentTarget.select()}
        value={value}
        list={list}
        autofocus
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {isKnown && <span class="move-joins">{tl().move.joins}</span>}
    </label>
  )
}

interface CheckboxProps {
  readonly title: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

function Checkbox({ title, isOn, onChange }: CheckboxProps) {
  return (
    <label class="move-choice">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{title}</span>
    </label>
  )
}

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
    void callOrToast(history.getMessages, {
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

interface MovedMessagesProps extends Omit<MoveModeChoiceProps, 'around'> {
  readonly from: Topic
}

function MovedMessages({ message, from, mode, onChange }: MovedMessagesProps) {
  const around = useMessageContext(message, from)
  return (
    <>
      <MoveModeChoice message={message} around={around} mode={mode} onChange={onChange} />
      <MovePreview message={message} around={around} mode={mode} />
    </>
  )
}

interface MoveModeChoiceProps {
  readonly message: Message
  readonly around: MessageContext | undefined
  readonly mode: MoveMode
  readonly onChange: (mode: MoveMode) => void
}

function MoveModeChoice({ message, around, mode, onChange }: MoveModeChoiceProps) {
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

function MovePreview({ message, around, mode }: Omit<MoveModeChoiceProps, 'onChange'>) {
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
