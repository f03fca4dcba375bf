import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { tl } from '../../kernel/later-texts.ts'
import { zonedTime } from '../../kernel/time.ts'
import { lateOverlays } from '../registry.ts'
import { Dialog, DialogActions } from './dialog.tsx'

interface TimeQuestion {
  readonly title: string
  readonly action: string
  /** Called with UNIX seconds. */
  readonly choose: (seconds: number) => void
  readonly takesPast?: boolean
}

const timeQuestion = signal<TimeQuestion | undefined>(undefined)

export function openTimeDialog(question: TimeQuestion): void {
  timeQuestion.value = question
  if (!lateOverlays.value.includes(TimeDialog)) lateOverlays.value = [...lateOverlays.value, TimeDialog]
}

function TimeDialog() {
  const question = timeQuestion.value
  return question === undefined ? null : <OpenTimeDialog question={question} />
}

const HOUR_SECONDS = 3_600

function OpenTimeDialog({ question }: { readonly question: TimeQuestion }) {
  const now = Math.floor(Date.now() / 1000)
  const [value, setValue] = useState(localInputValue(Math.ceil(now / HOUR_SECONDS) * HOUR_SECONDS))
  const seconds = Math.floor(new Date(value).getTime() / 1000)
  const isOver = seconds <= now && question.takesPast !== true
  const close = (): void => {
    timeQuestion.value = undefined
  }
  return (
    <Dialog title={question.title} onClose={close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (Number.isNaN(seconds) || isOver) return
          close()
          question.choose(seconds)
        }}
      >
        <label class="field">
          <span>{tl().later.dayAndTime}</span>
          <input
            class="input"
            type="datetime-local"
            required
            autofocus
            value={value}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        </label>
        {isOver && <p role="alert">{tl().later.isOver}</p>}
        <DialogActions action={question.action} isDisabled={Number.isNaN(seconds) || isOver} onCancel={close} />
      </form>
    </Dialog>
  )
}

function localInputValue(seconds: number): string {
  return zonedTime(seconds).slice(0, 'yyyy-mm-ddThh:mm'.length)
}
