import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { Message } from '../../../kernel/message.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { allChannels } from '../../channels/state.ts'
import { move, type Mode } from '../moving.ts'

const moving = signal<Message | undefined>(undefined)

/** Asks where a message, or those after it or around it, should be. */
export function openMove(message: Message): void {
  moving.value = message
}

const MODES: readonly Mode[] = ['change_one', 'change_later', 'change_all']

/** The one dialog that moves messages. */
export function MoveDialog() {
  const message = moving.value
  return message === undefined ? null : <Move key={message.id} message={message} />
}

function close(): void {
  moving.value = undefined
}

function Move({ message }: { readonly message: Message }) {
  const from = message.stream_id ?? 0
  const [mode, setMode] = useState<Mode>('change_later')
  const [channelId, setChannelId] = useState(from)
  const [topic, setTopic] = useState(message.subject)
  const [isBusy, setBusy] = useState(false)
  const names: Record<Mode, string> = {
    change_one: t().move.one,
    change_later: t().move.later,
    change_all: t().move.all,
  }
  const isSame = topic.trim() === message.subject && channelId === from
  const submit = async (): Promise<void> => {
    setBusy(true)
    const to = { view: 'topic', channelId, topic: topic.trim() } as const
    if (await move({ message, mode, to, tellsOld: false, tellsNew: true })) close()
    else setBusy(false)
  }
  return (
    <Dialog title={t().move.title} onClose={close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isSame) void submit()
        }}
      >
        <label class="field">
          <span>{t().move.what}</span>
          <select class="input" value={mode} onChange={(event) => setMode(event.currentTarget.value as Mode)}>
            {MODES.map((one) => (
              <option key={one} value={one}>
                {names[one]}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{t().move.channel}</span>
          <select class="input" value={channelId} onChange={(event) => setChannelId(Number(event.currentTarget.value))}>
            {allChannels().map(({ stream_id, name }) => (
              <option key={stream_id} value={stream_id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{t().move.topic}</span>
          <input
            class="input"
            maxLength={store().read('max_topic_length')}
            value={topic}
            autofocus
            onInput={(event) => setTopic(event.currentTarget.value)}
          />
        </label>
        <button class="button primary" type="submit" disabled={isSame || isBusy}>
          {t().move.move}
        </button>
      </form>
    </Dialog>
  )
}
