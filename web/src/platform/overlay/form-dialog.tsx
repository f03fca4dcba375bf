import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog, DialogActions } from './dialog.tsx'
import { useRefusal } from './refusal.tsx'

interface FormDialogProps {
  readonly title: string
  readonly action: string
  readonly save: () => Promise<void>
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function FormDialog({ title, action, save, onClose, children }: FormDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [refusal, run] = useRefusal()
  const submit = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    await run(save)
    setBusy(false)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {children}
        {refusal}
        <DialogActions action={action} isDisabled={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

interface NameFieldProps {
  readonly label: string
  readonly value: string
  readonly maxLength: number
  readonly onChange: (value: string) => void
}

/** Takes the focus when the dialog opens. Rejects names that consist only of spaces. */
export function NameField({ label, value, maxLength, onChange }: NameFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        required
        autofocus
        dir="auto"
        pattern=".*\S.*"
        maxLength={maxLength}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  )
}
