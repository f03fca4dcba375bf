import { ApiError, call } from '@parley/client'
import { accountLinks, mail } from '@parley/server/contract'
import { useEffect, useState } from 'preact/hooks'
import type { SignedOutPage } from '../../kernel/entrance.ts'
import { loadSignedOutTexts, te } from '../../kernel/entrance-texts.ts'
import { loadSecurityTexts } from '../../kernel/later-texts.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { loadRefusalTexts } from '../../platform/refusals.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { InvalidLinkCard, Card, Form } from './form.tsx'
import { JoinPage } from './join.tsx'
import { OpenidSignIn } from './openid.tsx'
import { PasswordResetPage } from './password.tsx'
import { SetUpPage } from './set-up.tsx'

export async function loadSignedOutPages(): Promise<typeof SignedOutPages> {
  await Promise.all([loadSignedOutTexts(), loadRefusalTexts()])
  return SignedOutPages
}

const SecondFactor = lazily(async () => {
  await loadSecurityTexts()
  return (await import('./second-factor.tsx')).SecondFactor
})
const SecondFactorSetup = lazily(async () => {
  await loadSecurityTexts()
  return (await import('./second-factor.tsx')).SecondFactorSetup
})
const SecondFactorPasskey = lazily(async () => {
  await loadSecurityTexts()
  return (await import('./second-factor.tsx')).SecondFactorPasskey
})

function SignedOutPages({ page }: { readonly page: SignedOutPage }) {
  useEffect(() => {
    // Reloads the page for a link that differs only in its `#` part, because the browser does not.
    const again = (): void => window.location.reload()
    window.addEventListener('hashchange', again)
    return () => window.removeEventListener('hashchange', again)
  }, [])
  switch (page.page) {
    case 'setup':
      return <SetUpPage token={page.token} />
    case 'join':
      return <JoinPage token={page.token} />
    case 'password':
      return <PasswordResetPage token={page.token} />
    case 'email':
      return <ConfirmEmailPage token={page.token} />
    case 'openid':
      return <OpenidSignIn token={page.token} />
    case 'unsubscribe':
      return <UnsubscribePage token={page.token} />
    case 'second-factor':
      return <SecondFactor token={page.token} />
    case 'second-factor-setup':
      return <SecondFactorSetup token={page.token} />
    case 'second-factor-passkey':
      return <SecondFactorPasskey />
  }
}

/** Requires a click, because email programs open links on their own. */
function ConfirmEmailPage({ token }: { readonly token: string | undefined }) {
  const [state, setState] = useState<'asked' | 'bad' | { readonly email: string }>(
    token === undefined ? 'bad' : 'asked',
  )
  if (state === 'bad') return <InvalidLinkCard more={te().badEmailLink} />
  if (state !== 'asked') {
    return (
      <Card title={te().confirmEmail}>
        <p role="status">{te().emailConfirmed(state.email)}</p>
        <p>
          <a href="/">{te().goOn}</a>
        </p>
      </Card>
    )
  }
  const submit = async (): Promise<void> => {
    try {
      setState(await call(SESSION, accountLinks.confirmEmail, { token: token ?? '' }))
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'AUTHENTICATION_FAILED')) throw error
      setState('bad')
    }
  }
  return (
    <Card title={te().confirmEmail}>
      <p>{te().confirmEmailMore}</p>
      <Form submitLabel={te().confirm} submit={submit}>
        {null}
      </Form>
    </Card>
  )
}

function UnsubscribePage({ token }: { readonly token: string | undefined }) {
  const [state, setState] = useState<'asked' | 'bad' | 'done'>(token === undefined ? 'bad' : 'asked')
  if (state === 'bad') return <InvalidLinkCard more={te().badUnsubscribeLink} />
  if (state === 'done') {
    return (
      <Card title={te().unsubscribed}>
        <p role="status">{te().unsubscribeMore}</p>
        <p>
          <a href="/settings/notifications">{te().emailSettings}</a>
        </p>
      </Card>
    )
  }
  const submit = async (): Promise<void> => {
    try {
      await call(SESSION, mail.unsubscribe, { token: token ?? '' })
      setState('done')
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'AUTHENTICATION_FAILED')) throw error
      setState('bad')
    }
  }
  return (
    <Card title={te().unsubscribe}>
      <p>{te().unsubscribeAsk}</p>
      <Form submitLabel={te().unsubscribe} submit={submit}>
        {null}
      </Form>
    </Card>
  )
}
