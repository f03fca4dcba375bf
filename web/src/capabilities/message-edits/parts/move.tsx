import { caseKey } from '@parley/server/kernel/case-key'
import { useId, useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { Dialog, DialogActions } from '../../../platform/overlay/dialog.tsx'
import { allChannels, maxTopicLength } from '../../channels/state.ts'
import { topicsOf } from '../../channels/topics.ts'
import { moveMessages, type MoveMode, type Topic } from '../moving.ts'
import { mayMoveOutOfChannel, mayMoveWithinChannel, maySendTo } from '../rules.ts'
import { MovedMessages } from './move-preview.tsx'
import './move.css'
import type { DialogProps } from '../state.ts'

/** Dialog that moves all messages of the topic to another topic of the channel. */
export function Rename(props: DialogProps) {
  return <Move {...props} isRename />
}

export function Move({ message, onClose, isRename = false }: DialogProps & { readonly isRename?: boolean }) {
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
        {!isRename && <Check title={tl().move.notifyOld} isOn={notifiesOld} onChange={setNotifiesOld} />}
        <Check title={tl().move.notifyNew} isOn={notifiesNew} onChange={setNotifiesNew} />
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

interface CheckProps {
  readonly title: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

function Check({ title, isOn, onChange }: CheckProps) {
  return (
    <label class="move-choice">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{title}</span>
    </label>
  )
}
