import { ApiError, call } from '@parley/client'
import { invitations, sessions } from '@parley/server/contract'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../kernel/strings.ts'
import { storeReturnAddress } from '../platform/return-address.ts'
import { loadRefusalTexts } from '../platform/refusals.ts'
import { reasonOf } from '../platform/requests.ts'
import { SESSION } from '../platform/sync/sync.ts'
import { loadSecurityTexts, tl } from '../kernel/later-texts.ts'
import { PasswordField } from '../platform/dom/password-field.tsx'
import { lazily } from '../platform/dom/lazy.tsx'
import { retryWhenThrottled } from './entrance/patience.ts'
import { Providers } from './entrance/openid.tsx'
import { continueSignIn } from './entrance/signed-in.ts'
import './sign-in.css'

/** Loads shortly after the form, together with the texts of the button. */
const PasskeyButton = lazily(
  async () => {
    await Promise.all([loadSecurityTexts(), loadRefusalTexts()])
    return (await import('./entrance/passkey.tsx')).PasskeyButton
  },
  () => null,
)

export interface SignInProps {
  readonly note: string | undefined
  readonly onSignedIn: () => void
  /** Returns to what can be read without an account. */
  readonly onBack?: (() => void) | undefined
}

export function SignIn({ note, onSignedIn, onBack }: SignInProps) {
  const [name, setName] = useState(t().app.name)
  const [canRegister, setCanRegister] = useState(false)
  const [failure, setFailure] = useState(note)
  const [isBusy, setBusy] = useState(false)
  useEffect(storeReturnAddress, [])
  useEffect(() => {
    const say = (why: string | undefined): void => setFailure(why ?? note)
    retryWhenThrottled(async () => call(SESSION, invitations.getJoinOrganization, {}), say).then(
      ({ realm_name: organization, can_register: isOpen }) => {
        setName(organization)
        setCanRegister(isOpen)
      },
      (error: unknown) => setFailure(reasonOf(error)),
    )
  }, [])
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const data = new FormData(form)
    setBusy(true)
    setFailure(undefined)
    try {
      const credentials = { username: textIn(data, 'username'), password: textIn(data, 'password') }
      const answer = await call(SESSION, sessions.login, credentials)
      if (answer.second_factor === undefined) onSignedIn()
      else continueSignIn(answer)
    } catch (error) {
      const isWrong = error instanceof ApiError && error.code === 'AUTHENTICATION_FAILED'
      setFailure(isWrong ? tl().signIn.failed : reasonOf(error))
      setBusy(false)
    }
  }
  return (
    <main class="sign-in">
      <form
        class="sign-in-form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(event.currentTarget)
        }}
      >
        <img src="/static/icon.svg" alt="" width={56} height={56} />
        <h1>{tl().signIn.title(name)}</h1>
        <label class="field">
          <span>{tl().signIn.email}</span>
          <input class="input" name="username" type="email" autocomplete="username" required autofocus />
        </label>
        <div class="field">
          <label for="password">{tl().signIn.password}</label>
          <PasswordField id="password" name="password" autocomplete="current-password" required />
        </div>
        <p class="sign-in-failure" role="alert">
          {failure}
        </p>
        <button class="button primary" type="submit" disabled={isBusy}>
          {tl().signIn.submit}
        </button>
        <PasskeyButton onSignedIn={onSignedIn} />
        <Providers labelOf={tl().signIn.with} />
        <p>
          <a href="/password">{tl().signIn.forgotten}</a>
        </p>
        {canRegister && (
          <p>
            <a href="/join">{tl().signIn.join}</a>
          </p>
        )}
        {onBack !== undefined && (
          <button class="button" type="button" onClick={onBack}>
            {tl().spectator.keepReading}
          </button>
        )}
      </form>
    </main>
  )
}

function textIn(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}
