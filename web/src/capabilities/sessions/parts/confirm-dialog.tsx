import { call } from '@parley/client'
import { passkeys, sessions } from '@parley/server/contract'
import { useEffect } from 'preact/hooks'
import { ts, tl } from '../../../kernel/later-texts.ts'
import { PasswordField } from '../../../platform/dom/password-field.tsx'
import { Dialog, DialogActions } from '../../../platform/overlay/dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { storeReturnAddress } from '../../../platform/return-address.ts'
import { SESSION } from '../../../platform/sync/sync.ts'
import { requestSignature, supportsPasskeys } from '../../passkeys/actions.ts'
import { signOut } from '../actions.ts'
import { confirmationRequest } from '../confirming.ts'

export function ConfirmDialog() {
  const request = confirmationRequest.value
  return request === undefined ? null : <ConfirmForm methods={request.methods} onEnd={request.end} />
}

interface ConfirmFormProps {
  readonly methods: readonly string[]
  readonly onEnd: (isConfirmed: boolean) => void
}

function ConfirmForm({ methods, onEnd }: ConfirmFormProps) {
  const [refusal, run] = useRefusal()
  const cancel = () => onEnd(false)
  // Leaving the page cancels the request.
  useEffect(() => cancel, [])
  const confirm = async (request: () => Promise<boolean>): Promise<void> => {
    await run(async () => {
      if (await request()) onEnd(true)
    })
  }
  const takesPassword = methods.includes('password')
  const takesPasskey = methods.includes('passkey') && supportsPasskeys()
  return (
    <Dialog title={ts().confirming.title} onClose={cancel}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          const data = new FormData(event.currentTarget)
          void confirm(takesPassword ? async () => confirmWithPassword(data) : signInAgain)
        }}
      >
        <p>{takesPassword || takesPasskey ? ts().confirming.more : ts().confirming.signInAgain}</p>
        {takesPassword && (
          <div class="field">
            <label for="confirm-password">{tl().signIn.password}</label>
            <PasswordField id="confirm-password" name="password" autocomplete="current-password" required autofocus />
          </div>
        )}
        {refusal}
        {takesPasskey && (
          <button class="button" type="button" onClick={() => void confirm(confirmWithPasskey)}>
            {ts().confirming.passkey}
          </button>
        )}
        <DialogActions action={takesPassword ? ts().confirm : ts().again} onCancel={cancel} />
      </form>
    </Dialog>
  )
}

async function confirmWithPassword(data: FormData): Promise<boolean> {
  const password = data.get('password')
  await call(SESSION, sessions.confirmSession, { password: typeof password === 'string' ? password : '' })
  return true
}

async function confirmWithPasskey(): Promise<boolean> {
  const { options } = await call(SESSION, passkeys.beginPasskeyLogin, {})
  const credential = await requestSignature(options)
  if (credential === undefined) return false
  await call(SESSION, passkeys.confirmSessionWithPasskey, { credential })
  return true
}

/** Signing in again counts as confirmation, but leaves the page. */
async function signInAgain(): Promise<boolean> {
  storeReturnAddress()
  await signOut()
  return false
}
