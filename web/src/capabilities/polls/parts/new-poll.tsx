import type { TargetedKeyboardEvent } from 'preact'
import { useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { Dialog, DialogActions } from '../../../platform/overlay/dialog.tsx'
import { pollText } from '../actions.ts'
import { MAX_OPTION_CHARACTERS } from '../poll.ts'
import { openedPollForm } from '../state.ts'

const MIN_OPTION_FIELDS = 2
const MAX_OPTION_FIELDS = 20

/** The last field is always empty, for one more option. */
export function NewPoll() {
  const [question, setQuestion] = useState('')
  const [options, setOptions] = useState<readonly string[]>([])
  const fields = Math.min(MAX_OPTION_FIELDS, Math.max(MIN_OPTION_FIELDS, options.length + 1))
  const close = (): void => {
    openedPollForm.value = undefined
  }
  const change = (index: number, text: string): void => {
    const next = Array.from({ length: Math.max(options.length, index + 1) }, (_, at) => options[at] ?? '')
    next[index] = text
    setOptions(next.slice(0, next.findLastIndex((option) => option !== '') + 1))
  }
  return (
    <Dialog title={tl().poll.create} onClose={close}>
      <form
        class="form"
        onKeyDown={goToNextField}
        onSubmit={(event) => {
          event.preventDefault()
          const take = openedPollForm.value
          if (question.trim() === '') return
          close()
          take?.(pollText(question, options))
        }}
      >
        <label class="field">
          <span>{tl().poll.question}</span>
          <input
            class="input"
            autofocus
            required
            maxLength={MAX_OPTION_CHARACTERS}
            value={question}
            onInput={(event) => setQuestion(event.currentTarget.value)}
          />
        </label>
        {Array.from({ length: fields }, (_, index) => (
          <label class="field" key={index}>
            <span>{tl().poll.option(index + 1)}</span>
            <input
              class="input"
              maxLength={MAX_OPTION_CHARACTERS}
              value={options[index] ?? ''}
              onInput={(event) => change(index, event.currentTarget.value)}
            />
          </label>
        ))}
        <p class="note">{tl().poll.othersAdd}</p>
        <DialogActions action={tl().poll.send} isDisabled={question.trim() === ''} onCancel={close} />
      </form>
    </Dialog>
  )
}

/** Enter goes to the next field and then to the button, so that it sends no poll without its options. */
function goToNextField(event: TargetedKeyboardEvent<HTMLFormElement>): void {
  const { key, target, currentTarget: form } = event
  if (key !== 'Enter' || event.ctrlKey || event.isComposing || !(target instanceof HTMLInputElement)) return
  event.preventDefault()
  const fields = [...form.querySelectorAll('input')]
  const next = target.value === '' ? undefined : fields[fields.indexOf(target) + 1]
  ;(next ?? form.querySelector<HTMLElement>('[type=submit]'))?.focus()
}
