import { useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { Dialog, DialogActions } from '../../../platform/overlay/dialog.tsx'
import { isoDay } from '../periods.ts'

interface DayDialogProps {
  /** Called with an ISO date. */
  readonly onChoose: (day: string) => void
  readonly onClose: () => void
}

export function DayDialog({ onChoose, onClose }: DayDialogProps) {
  const [day, setDay] = useState(isoDay(new Date()))
  return (
    <Dialog title={tl().search.dayTitle} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          onChoose(day)
        }}
      >
        <label class="field">
          <span>{tl().search.day}</span>
          <input
            class="input"
            type="date"
            min="1970-01-01"
            max="9998-12-31"
            required
            autofocus
            value={day}
            onInput={(event) => setDay(event.currentTarget.value)}
          />
        </label>
        <DialogActions action={tl().search.choose} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
