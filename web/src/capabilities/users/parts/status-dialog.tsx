import { users } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { localTime } from '../../../kernel/time.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Dialog, DialogActions } from '../../../platform/overlay/dialog.tsx'
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
  const [until, setUntil] = useState(before === undefined || statusExpiry.read() === 0 ? 'never' : 'kept')
  const save = async (isCleared: boolean): Promise<void> => {
    const isSaved = isCleared
      ? await changeStatus('', undefined, 0)
      : await changeStatus(text.trim(), emoji, endSeconds(until))
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
            setText(t().people.statuses[preset.key])
            setEmoji(preset.emoji)
            setUntil(endTimes().some(({ id }) => id === preset.until) ? preset.until : 'tomorrow')
          }}
        />
        <label class="field">
          <span>{t().people.statusUntil}</span>
          <select class="input" value={until} onChange={({ currentTarget }) => setUntil(currentTarget.value)}>
            <option value="never">{tl().ownAccount.untilCleared}</option>
            {statusExpiry.read() !== 0 && <option value="kept">{localTime(statusExpiry.read())}</option>}
            {endTimes().map(({ id, title, at }) => (
              <option key={id} value={id}>
                {`${title} · ${localTime(Math.floor(at.getTime() / 1000))}`}
              </option>
            ))}
          </select>
        </label>
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

function StatusPresets({ onChoose }: { readonly onChoose: (preset: (typeof STATUS_PRESETS)[number]) => void }) {
  return (
    <ul class="status-presets" aria-label={t().people.presets}>
      {STATUS_PRESETS.map((preset) => (
        <li key={preset.key}>
          <button type="button" class="button" onClick={() => onChoose(preset)}>
            <EmojiSign emoji={preset.emoji} />
            {t().people.statuses[preset.key]}
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
  if (until === 'kept') return statusExpiry.read()
  const at = endTimes().find(({ id }) => id === until)?.at
  return at === undefined ? 0 : Math.floor(at.getTime() / 1000)
}
