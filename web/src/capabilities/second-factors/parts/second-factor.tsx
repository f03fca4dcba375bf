import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ts, tl } from '../../../kernel/later-texts.ts'
import { dayTitle } from '../../../kernel/time.ts'
import { PasswordField } from '../../../platform/dom/password-field.tsx'
import { useFetched } from '../../../platform/list/fetched.ts'
import { LoadFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { Dialog, DialogActions } from '../../../platform/overlay/dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { toast } from '../../../platform/overlay/toasts.tsx'
import {
  readSecondFactor,
  type SecondFactor,
  startSetup,
  confirmSetup,
  turnOffSecondFactor,
  replaceRecoveryCodes,
  type ApplicationSecret,
} from '../actions.ts'
import { SecretWithQrCode } from './application-secret.tsx'
import { CodeField, RecoveryCodes } from './codes.tsx'

/** Reloads the state after each change, because no event reports changes. */
export function SecondFactorPart() {
  const { value: found, hasFailed, again } = useFetched(readSecondFactor, 'second-factor')
  const [purpose, setPurpose] = useState<DialogPurpose>()
  if (hasFailed) return <LoadFailure again={again} />
  if (found === undefined) return <LoadingRows rows={1} />
  return (
    <>
      <SecondFactorState found={found} />
      <div class="second-factor-actions">
        {found.since === null ? (
          <button class="button primary" onClick={() => setPurpose('setup')}>
            {ts().setUp}
          </button>
        ) : (
          <>
            <button class="button" onClick={() => setPurpose('codes')}>
              {ts().newCodes}
            </button>
            {!found.is_required && (
              <button class="button danger" onClick={() => setPurpose('removal')}>
                {ts().remove}
              </button>
            )}
          </>
        )}
      </div>
      {purpose !== undefined && (
        <SecondFactorDialog
          purpose={purpose}
          onClose={() => {
            setPurpose(undefined)
            again()
          }}
        />
      )}
    </>
  )
}

function SecondFactorState({ found }: { readonly found: SecondFactor }) {
  const { since, recovery_codes_left: left, is_required: isRequired } = found
  return (
    <>
      {since !== null && <p>{ts().since(dayTitle(since))}</p>}
      {since !== null && <p class="note">{ts().codesLeft(left)}</p>}
      {isRequired && <p class="note">{ts().required}</p>}
    </>
  )
}

type DialogPurpose = 'setup' | 'codes' | 'removal'

interface SecondFactorDialogProps {
  readonly purpose: DialogPurpose
  readonly onClose: () => void
}

function SecondFactorDialog({ purpose, onClose }: SecondFactorDialogProps) {
  const [secret, setSecret] = useState<ApplicationSecret>()
  const [codes, setCodes] = useState<readonly string[]>()
  const titles = {
    setup: ts().setUp,
    codes: ts().newCodes,
    removal: ts().remove,
  }
  if (codes !== undefined) {
    return (
      <Dialog title={ts().recoveryCodes} onClose={onClose}>
        <RecoveryCodes codes={codes} onKept={onClose} />
      </Dialog>
    )
  }
  const take = async (code: string): Promise<void> => {
    if (purpose === 'removal') {
      await turnOffSecondFactor(code)
      toast(ts().removed)
      onClose()
    } else setCodes(await (purpose === 'setup' ? confirmSetup(code) : replaceRecoveryCodes(code)))
  }
  return (
    <Dialog title={titles[purpose]} onClose={onClose}>
      {purpose === 'setup' && secret === undefined ? (
        <Step
          key="password"
          action={ts().next}
          onClose={onClose}
          run={async (textOf) => setSecret(await startSetup(textOf('password')))}
        >
          <div class="field">
            <label for="factor-password">{tl().signIn.password}</label>
            <PasswordField
              id="factor-password"
              name="password"
              autocomplete="current-password"
              aria-describedby="factor-password-hint"
              autofocus
            />
            <span class="note" id="factor-password-hint">
              {ts().passwordHint}
            </span>
          </div>
        </Step>
      ) : (
        <Step key="code" action={ts().confirm} onClose={onClose} run={async (textOf) => take(textOf('code'))}>
          {secret !== undefined && <SecretWithQrCode {...secret} />}
          <CodeField hint={secret === undefined ? ts().codeHint : ts().firstCodeHint} />
        </Step>
      )}
    </Dialog>
  )
}

interface StepProps {
  readonly action: string
  readonly onClose: () => void
  readonly run: (textOf: (name: string) => string) => Promise<void>
  readonly children: ComponentChildren
}

function Step({ action, onClose, run: request, children }: StepProps) {
  const [isBusy, setBusy] = useState(false)
  const [refusal, run] = useRefusal()
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const data = new FormData(form)
    setBusy(true)
    const isDone = await run(async () =>
      request((name) => {
        const value = data.get(name)
        return typeof value === 'string' ? value : ''
      }),
    )
    if (!isDone) setBusy(false)
  }
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(event.currentTarget)
      }}
    >
      {children}
      {refusal}
      <DialogActions action={action} isDisabled={isBusy} onCancel={onClose} />
    </form>
  )
}
