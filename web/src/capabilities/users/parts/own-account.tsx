import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { loadSignedOutTexts, revokedLines, te } from '../../../kernel/entrance-texts.ts'
import { tl, ts } from '../../../kernel/later-texts.ts'
import { sendsEmail, store } from '../../../platform/client.ts'
import { lazily } from '../../../platform/dom/lazy.tsx'
import { PasswordField } from '../../../platform/dom/password-field.tsx'
import { askConfirmation } from '../../../platform/overlay/confirm.tsx'
import { FileButton } from '../../../platform/overlay/file-button.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { addressOf, changeEmail, changePassword, revokeOtherAccess } from '../accounts.ts'
import { isAdministrator, ownId, userById } from '../state.ts'
import { removePicture, uploadPicture } from '../actions.ts'
import { Avatar } from './avatar.tsx'

const NewPassword = lazily(async () => {
  await loadSignedOutTexts()
  return (await import('../../../platform/dom/new-password.tsx')).NewPassword
})

export function PicturePart() {
  const [refusal, ask] = useRefusal()
  const [isBusy, setBusy] = useState(false)
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    await ask(work)
    setBusy(false)
  }
  const isFixed =
    store().read('server_avatar_changes_disabled') ||
    (store().read('realm_avatar_changes_disabled') && !isAdministrator())
  return (
    <div class="own-picture">
      <Avatar userId={ownId()} size={64} />
      {isFixed ? (
        <span class="note">{tl().ownAccount.pictureIsFixed}</span>
      ) : (
        <>
          <FileButton
            label={tl().ownAccount.upload}
            accept="image/*"
            crop="square"
            isDisabled={isBusy}
            onFile={(file) => void run(async () => uploadPicture(file))}
          />
          {store().read('avatar_source') === 'U' && (
            <button class="button" disabled={isBusy} onClick={() => void run(removePicture)}>
              {tl().ownAccount.removePicture}
            </button>
          )}
        </>
      )}
      {refusal}
    </div>
  )
}

const MAX_EMAIL_CHARACTERS = 254

export function EmailPart() {
  const me = userById(ownId())
  const present = me === undefined ? undefined : addressOf(me)
  const isFixed = store().read('realm_email_changes_disabled') && !isAdministrator()
  return (
    <div class="own-email">
      <p>
        <bdi>{present}</bdi> {isFixed && <span class="note">{ta().ownEmail.isFixed}</span>}
      </p>
      {!isFixed && <ChangeEmail />}
    </div>
  )
}

/** If the server sends email, the user must confirm the new address. */
function ChangeEmail() {
  const [wanted, setWanted] = useState('')
  const [asked, setAsked] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [refusal, run] = useRefusal()
  const ask = async (): Promise<void> => {
    const address = wanted.trim()
    setBusy(true)
    setAsked(undefined)
    if (await run(async () => changeEmail(address))) {
      setAsked(address)
      setWanted('')
    }
    setBusy(false)
  }
  const isConfirmed = sendsEmail()
  return (
    <>
      <form
        class="own-picture"
        onSubmit={(event) => {
          event.preventDefault()
          void ask()
        }}
      >
        <input
          class="input"
          type="email"
          autoComplete="email"
          required
          maxLength={MAX_EMAIL_CHARACTERS}
          aria-label={ta().ownEmail.other}
          placeholder={ta().ownEmail.other}
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        />
        <button class="button" type="submit" disabled={isBusy}>
          {ta().ownEmail.change}
        </button>
      </form>
      <p class="note" role="status">
        {asked !== undefined && (isConfirmed ? ta().ownEmail.onItsWay(asked) : ta().ownEmail.changed(asked))}
      </p>
      {refusal}
    </>
  )
}

export function PasswordPart() {
  const [isChanged, setChanged] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [refusal, run] = useRefusal()
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const data = new FormData(form)
    setBusy(true)
    setChanged(false)
    if (await run(async () => changePassword(textIn(data, 'old-password'), textIn(data, 'new-password')))) {
      form.reset()
      setChanged(true)
    }
    setBusy(false)
  }
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(event.currentTarget)
      }}
    >
      <div class="field">
        <label for="old-password">{ts().password.current}</label>
        <PasswordField id="old-password" name="old-password" autocomplete="current-password" required />
      </div>
      <NewPassword name="new-password" label={ts().password.next} ownWords={personalWords()} />
      {refusal}
      <div>
        <button class="button" type="submit" disabled={isBusy}>
          {ts().password.change}
        </button>
      </div>
      <p class="note" role="status">
        {isChanged && ts().password.changed}
      </p>
    </form>
  )
}

function personalWords(): readonly string[] {
  const me = userById(ownId())
  return [me?.full_name ?? '', (me && addressOf(me)) ?? '', store().read('realm_name')]
}

function textIn(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}

/** Lists the revoked access, so that people can set up again what they need. */
export function OtherAccessPart() {
  const [ended, setEnded] = useState<readonly string[]>()
  const [refusal, run] = useRefusal()
  const revoke = async (): Promise<void> => {
    await run(async () => {
      // Loads the texts first, because a later failure would hide that access was revoked.
      await loadSignedOutTexts()
      setEnded([...revokedLines(await revokeOtherAccess()), te().revokedKey])
    })
  }
  return (
    <div class="own-email">
      <div>
        <button
          class="button danger"
          onClick={() =>
            askConfirmation({ text: ts().otherAccess.sure, action: ts().otherAccess.revoke, run: () => void revoke() })
          }
        >
          {ts().otherAccess.revoke}
        </button>
      </div>
      {refusal}
      <div class="note" role="status">
        {ended !== undefined && (
          <>
            <p>{te().revokedMore}</p>
            <ul>
              {ended.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  )
}
