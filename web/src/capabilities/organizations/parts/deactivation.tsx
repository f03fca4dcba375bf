import { call } from '@parley/client'
import { organizations } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { store } from '../../../platform/client.ts'
import { Dialog, DialogActions } from '../../../platform/overlay/dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { withConfirmation } from '../../sessions/confirming.ts'

/** Makes the user type the organization's name first, to prevent mistakes. */
export function Deactivation() {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <button class="button danger" onClick={() => setAsking(true)}>
        {ta().ending.action}
      </button>
      {isAsking && <DeactivationDialog onClose={() => setAsking(false)} />}
    </>
  )
}

function DeactivationDialog({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [refusal, run] = useRefusal()
  const name = store().read('realm_name')
  const deactivate = async (): Promise<void> => {
    setBusy(true)
    // Every later request fails with an error that leads the page to the sign-in form.
    await run(async () => withConfirmation(async () => call(SESSION, organizations.deactivateRealm, {})))
    setBusy(false)
  }
  return (
    <Dialog title={ta().ending.action} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() === name.trim()) void deactivate()
        }}
      >
        <p>{ta().ending.sure(name)}</p>
        <label class="field">
          <span>{ta().ending.typed}</span>
          <input
            class="input"
            required
            autocomplete="off"
            dir="auto"
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
        {refusal}
        <DialogActions
          action={ta().ending.action}
          isDangerous
          isDisabled={isBusy || typed.trim() !== name.trim()}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
