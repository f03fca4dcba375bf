import { passkeys as contract } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { ts, tl } from '../../../kernel/later-texts.ts'
import { dayTitle } from '../../../kernel/time.ts'
import { PasswordField } from '../../../platform/dom/password-field.tsx'
import { useFetched } from '../../../platform/list/fetched.ts'
import { LoadFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { Dialog, DialogActions } from '../../../platform/overlay/dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { toast } from '../../../platform/overlay/toasts.tsx'
import { addPasskey, readPasskeys, removePasskey, renamePasskey, supportsPasskeys, type Passkey } from '../actions.ts'

/** Reloads the list after each change, because no event reports changes. */
export function Passkeys() {
  const { value: passkeys, hasFailed, again } = useFetched(readPasskeys, 'passkeys')
  const [shown, setShown] = useState<{ readonly dialog: typeof RenameDialog; readonly passkey: Passkey } | 'new'>()
  if (hasFailed) return <LoadFailure again={again} />
  if (passkeys === undefined) return <LoadingRows rows={1} />
  const close = (): void => {
    setShown(undefined)
    again()
  }
  return (
    <>
      <ul class="credentials">
        {passkeys.map((passkey) => (
          <Row
            key={passkey.id}
            passkey={passkey}
            onRename={() => setShown({ dialog: RenameDialog, passkey })}
            onRemove={() => setShown({ dialog: RemovalDialog, passkey })}
          />
        ))}
      </ul>
      {supportsPasskeys() ? (
        <button class="button" onClick={() => setShown('new')}>
          {ts().passkeys.add}
        </button>
      ) : (
        <p class="note">{ts().passkeys.unknown}</p>
      )}
      {shown === 'new' && <NewPasskey onClose={close} />}
      {shown !== undefined && shown !== 'new' && <shown.dialog passkey={shown.passkey} onClose={close} />}
    </>
  )
}

interface RowProps {
  readonly passkey: Passkey
  readonly onRename: () => void
  readonly onRemove: () => void
}

function Row({ passkey: { name, created_at: made, last_used_at: used }, onRename, onRemove }: RowProps) {
  return (
    <li class="credential">
      <span>
        <bdi>{name}</bdi>
        <span class="note">
          {used === null ? ts().passkeys.made(dayTitle(made)) : ta().devices.used(dayTitle(used))}
        </span>
      </span>
      <button class="button" aria-label={ts().passkeys.renameOf(name)} onClick={onRename}>
        {ts().passkeys.rename}
      </button>
      <button class="button danger" aria-label={ts().passkeys.removeOf(name)} onClick={onRemove}>
        {ts().passkeys.remove}
      </button>
    </li>
  )
}

function NewPasskey({ onClose }: { readonly onClose: () => void }) {
  const [isBusy, setBusy] = useState(false)
  const [refusal, run] = useRefusal()
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const data = new FormData(form)
    setBusy(true)
    await run(async () => {
      const isMade = await addPasskey(textIn(data, 'passkey-name'), textIn(data, 'password'))
      toast(isMade ? ts().passkeys.added : ts().passkeys.stopped)
      if (isMade) onClose()
    })
    setBusy(false)
  }
  return (
    <Dialog title={ts().passkeys.add} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(event.currentTarget)
        }}
      >
        <NameField value="" />
        <OptionalPassword />
        {refusal}
        <DialogActions action={ts().passkeys.go} isDisabled={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

interface PasskeyDialogProps {
  readonly passkey: Passkey
  readonly onClose: () => void
}

function RemovalDialog({ passkey, onClose }: PasskeyDialogProps) {
  const [refusal, run] = useRefusal()
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const password = textIn(new FormData(form), 'password')
    if (!(await run(async () => removePasskey(passkey.id, password)))) return
    toast(ts().passkeys.removed)
    onClose()
  }
  return (
    <Dialog title={ts().passkeys.removeOf(passkey.name)} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(event.currentTarget)
        }}
      >
        <p>{ts().passkeys.removeSure(passkey.name)}</p>
        <OptionalPassword isFirst />
        {refusal}
        <DialogActions action={ts().passkeys.remove} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

/** Password field that can stay empty, because an account can lack a password. */
function OptionalPassword({ isFirst = false }: { readonly isFirst?: boolean }) {
  return (
    <div class="field">
      <label for="passkey-password">{tl().signIn.password}</label>
      <PasswordField
        id="passkey-password"
        name="password"
        autocomplete="current-password"
        aria-describedby="passkey-password-hint"
        autofocus={isFirst}
      />
      <span class="note" id="passkey-password-hint">
        {ts().passwordHint}
      </span>
    </div>
  )
}

function RenameDialog({ passkey, onClose }: PasskeyDialogProps) {
  const [refusal, run] = useRefusal()
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const name = textIn(new FormData(form), 'passkey-name')
    if (await run(async () => renamePasskey(passkey.id, name))) onClose()
  }
  return (
    <Dialog title={ts().passkeys.renameOf(passkey.name)} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(event.currentTarget)
        }}
      >
        <NameField value={passkey.name} />
        {refusal}
        <DialogActions action={ts().passkeys.rename} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

function NameField({ value }: { readonly value: string }) {
  return (
    <label class="field">
      <span>{ts().passkeys.name}</span>
      <input
        class="input"
        name="passkey-name"
        dir="auto"
        defaultValue={value}
        maxLength={contract.MAX_PASSKEY_NAME_CHARACTERS}
        autocomplete="off"
        required
        autofocus
      />
      <span class="note">{ts().passkeys.nameHint}</span>
    </label>
  )
}

function textIn(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}
