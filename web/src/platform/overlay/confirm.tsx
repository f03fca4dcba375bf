import { signal } from '@preact/signals'
import { t } from '../../kernel/strings.ts'
import { Dialog } from './dialog.tsx'

interface Confirmation {
  readonly text: string
  readonly action: string
  readonly run: () => void
}

const openedQuestion = signal<Confirmation | undefined>(undefined)

export function askConfirmation(question: Confirmation): void {
  openedQuestion.value = question
}

export function Confirmation() {
  const question = openedQuestion.value
  if (question === undefined) return null
  const close = (): void => {
    openedQuestion.value = undefined
  }
  return (
    <Dialog title={question.action} onClose={close}>
      <p>{question.text}</p>
      <div class="dialog-actions">
        <button class="button" autofocus onClick={close}>
          {t().app.cancel}
        </button>
        <button
          class="button danger"
          onClick={() => {
            close()
            question.run()
          }}
        >
          {question.action}
        </button>
      </div>
    </Dialog>
  )
}
