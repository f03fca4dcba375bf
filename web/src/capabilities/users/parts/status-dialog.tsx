import { users } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { localTime } from '../../../kernel/time.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Dialog, DialogActions } from '../../../platform/overlay/dialog.tsx'
import { openTimeDialog } from '../../../platform/overlay/time-dialog.tsx'
import { timesAfter } from '../../../platform/overlay/times.ts'
import { pickEmoji } from '../../reactions/picking.ts'
import { EmojiSign } from '../../reactions/parts/emoji.tsx'
import type { Emoji } from '../../reactions/state.ts'
import { ownId } from '../state.ts'
import { changeStatus, emojiOf, isStatusDialogOpen, statusOf, statusExpiry } from '../status.ts'

const STATUS_PRESETS = [
  { key: 'meeting', emoji: { name: 'calendar', code: '1f4c5', type: 'unicode_emoji' }, until: 'hour' },
  { key: 'commuting', emoji: { name: 'bus', code: '1f68c', type: 'unicode_emoji' }, until: 'hour' },
  { key: 'focus', emoji: { name: 'headphones', code: '1f3a7', type: 'unicode_emoji' }, until: 'evening' },
  { key: 'remote', emoji: { name: 'house', code: '1f3e0', type: 'unicode_emoji' }, until: 'evening' },
  { key: 'sick', emoji: { name: 'sick', code: '1f912', type: 'unicode_emoji' }, until: 'tomorrow' },
  { key: 'holiday', emoji: { name: 'palm_tree', code: '1f334', type: 'unicode_emoji' }, until: 'never' },
] as const

function closeStatusDialog(): void {
  isStatusDialogOpen.value = false
}

export function StatusDialog() {
  const before = statusOf(ownId())
  const [text, setText] = useState(before?.status_text ?? '')
  const [emoji, setEmoji] = useState<Emoji | undefined>(before === undefined ? undefined : emojiOf(before))
  const [time, setTime] = useState(statusExpiry.read())
  const [until, setUntil] = useState(before === undefined || time === 0 ? 'never' : 'time')
  const save = async (isCleared: boolean): Promise<void> => {
    const isSaved = isCleared
      ? await changeStatus('', undefined, 0)
      : await changeStatus(text.trim(), emoji, until === 'time' ? time : endSeconds(until))
    if (isSaved) closeStatusDialog()
  }
  return (
    <Dialog title={t().people.setStatus} onClose={closeStatusDialog}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void save(false)
        }}
      >
        <div class="status-line">
          <button
            type="button"
            class="icon-button"
            aria-label={tl().ownAccount.statusEmoji}
            onClick={({ currentTarget }) => pickEmoji(currentTarget, setEmoji)}
          >
            {emoji === undefined ? <Icon name="smile" /> : <EmojiSign emoji={emoji} />}
          </button>
          <input
            class="input"
            aria-label={tl().ownAccount.statusText}
            placeholder={tl().ownAccount.statusText}
            maxLength={users.MAX_STATUS_TEXT_CHARACTERS}
            autofocus
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </div>
        <StatusPresets
          onChoose={(preset) => {
            setText(tl().ownAccount.statuses[preset.key])
            setEmoji(preset.emoji)
            // The evening may be over.
            const isOffered = preset.until === 'never' || endTimes().some(({ id }) => id === preset.until)
            setUntil(isOffered ? preset.until : 'tomorrow')
          }}
        />
        <EndField until={until} time={time} onChoose={setUntil} onTime={setTime} />
        <DialogActions
          action={tl().ownAccount.saveStatus}
          isDisabled={text.trim() === '' && emoji === undefined}
          onCancel={closeStatusDialog}
        >
          {before !== undefined && (
            <button type="button" class="button dialog-other" onClick={() => void save(true)}>
              {t().people.clearStatus}
            </button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface EndFieldProps {
  readonly until: string
  /** UNIX seconds that the person chose or had chosen before; 0 if none. */
  readonly time: number
  readonly onChoose: (until: string) => void
  readonly onTime: (seconds: number) => void
}

function EndField({ until, time, onChoose, onTime }: EndFieldProps) {
  return (
    <label class="field">
      <span>{tl().ownAccount.statusUntil}</span>
      <select
        class="input"
        value={until}
        onChange={({ currentTarget: select }) => {
          if (select.value !== 'other') return onChoose(select.value)
          // Shows the former choice until a time is chosen.
          select.value = until
          openTimeDialog({
            title: tl().ownAccount.statusUntil,
            action: tl().ownAccount.chooseTime,
            choose: (seconds) => {
              onTime(seconds)
              onChoose('time')
            },
          })
        }}
      >
        <option value="never">{tl().ownAccount.untilCleared}</option>
        {time !== 0 && <option value="time">{localTime(time)}</option>}
        {endTimes().map(({ id, title, at }) => (
          <option key={id} value={id}>
            {`${title} · ${localTime(Math.floor(at.getTime() / 1000))}`}
          </option>
        ))}
        <option value="other">{tl().later.other}</option>
      </select>
    </label>
  )
}

function StatusPresets({ onChoose }: { readonly onChoose: (preset: (typeof STATUS_PRESETS)[number]) => void }) {
  return (
    <ul class="status-presets" aria-label={tl().ownAccount.presets}>
      {STATUS_PRESETS.map((preset) => (
        <li key={preset.key}>
          <button type="button" class="button" onClick={() => onChoose(preset)}>
            <EmojiSign emoji={preset.emoji} />
            {tl().ownAccount.statuses[preset.key]}
          </button>
        </li>
      ))}
    </ul>
  )
}

function endTimes(): ReturnType<typeof timesAfter> {
  return timesAfter(new Date())
}

function endSeconds(until: string): number {
  const at = endTimes().find(({ id }) => id === until)?.at
  return at === undefined ? 0 : Math.floor(at.getTime() / 1000)
}
