import { useState } from 'preact/hooks'
import { t } from '../../kernel/strings.ts'
import { zonedTime } from '../../kernel/time.ts'
import { Dialog, DialogActions } from './dialog.tsx'
import { timeQuestion, type TimeQuestion } from './times.ts'

export function TimeDialog() {
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
          <span>{t().later.dayAndTime}</span>
          <input
            class="input"
            type="datetime-local"
            required
            autofocus
            value={value}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        </label>
        {isOver && <p role="alert">{t().later.isOver}</p>}
        <DialogActions action={question.action} isDisabled={Number.isNaN(seconds) || isOver} onCancel={close} />
      </form>
    </Dialog>
  )
}

function localInputValue(seconds: number): string {
  return zonedTime(seconds).slice(0, 'yyyy-mm-ddThh:mm'.length)
}
