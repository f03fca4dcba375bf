import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog, DialogActions } from './dialog.tsx'
import { useRefusal } from './refusal.tsx'

interface FormDialogProps {
  readonly title: string
  /** What the button says that saves. */
  readonly action: string
  /** Asks the server, and closes the dialog once that is done. */
  readonly save: () => Promise<void>
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A dialog that is one form, which says in place why the server refused it. */
export function FormDialog({ title, action, save, onClose, children }: FormDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [refusal, run] = useRefusal()
  const submit = async (): Promise<void> => {
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
