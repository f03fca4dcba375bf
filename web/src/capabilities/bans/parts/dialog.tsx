import { useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { FormDialog } from '../../../platform/overlay/form-dialog.tsx'
import { userName } from '../../users/state.ts'
import { banUser } from '../actions.ts'

const MAX_REASON_CHARACTERS = 1_000
const DURATIONS_SECONDS = [3_600, 86_400, 604_800, 2_592_000] as const
const DELETED_SECONDS = [0, 3_600, 86_400] as const

interface BanDialogProps {
  readonly userId: number
  readonly onClose: () => void
}

export function BanDialog({ userId, onClose }: BanDialogProps) {
  const [reason, setReason] = useState('')
  const [seconds, setSeconds] = useState<number | null>(86_400)
  const [deletedSeconds, setDeletedSeconds] = useState<number>(0)
  const texts = tl().bans
  return (
    <FormDialog
      title={texts.title(userName(userId))}
      action={texts.ban}
      save={async () => {
        await banUser(userId, { reason, seconds, deletedSeconds })
        onClose()
      }}
      onClose={onClose}
    >
      <label class="field">
        <span>{texts.reason}</span>
        <textarea
          class="input"
          rows={3}
          required
          autofocus
          dir="auto"
          maxLength={MAX_REASON_CHARACTERS}
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>{texts.duration}</span>
        <select
          class="input"
          value={String(seconds ?? '')}
          onChange={({ currentTarget: { value } }) => setSeconds(value === '' ? null : Number(value))}
        >
          {DURATIONS_SECONDS.map((one) => (
            <option key={one} value={String(one)}>
              {texts.durations[one]}
            </option>
          ))}
          <option value="">{texts.untilLifted}</option>
        </select>
      </label>
      <label class="field">
        <span>{texts.messages}</span>
        <select
          class="input"
          value={String(deletedSeconds)}
          onChange={({ currentTarget: { value } }) => setDeletedSeconds(Number(value))}
        >
          {DELETED_SECONDS.map((one) => (
            <option key={one} value={String(one)}>
              {texts.deletions[one]}
            </option>
          ))}
        </select>
      </label>
      <p class="note">{texts.more}</p>
    </FormDialog>
  )
}
