import { ApiError, call } from '@parley/client'
import { accountLinks } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { t } from '../../kernel/strings.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { BadLink, Card, Field, Form, SignInLink } from './form.tsx'
import { signedIn } from './signed-in.ts'

/** Choosing another password: by the link in an e-mail, or asking for one. */
export function Password({ token }: { readonly token: string | undefined }) {
  return token === undefined ? <Forgotten /> : <Another token={token} />
}

function Forgotten() {
  const [sentTo, setSentTo] = useState<string>()
  if (sentTo !== undefined) {
    return (
      <Card title={t().entrance.forgotten}>
        <p role="status">{t().entrance.passwordSent(sentTo)}</p>
        <SignInLink />
      </Card>
    )
  }
  return (
    <Card title={t().entrance.forgotten}>
      <Form
        submitLabel={t().entrance.sendLink}
        submit={async (textOf) => {
          const email = textOf('email')
          await call(SESSION, accountLinks.requestPasswordReset, { email })
          setSentTo(email)
        }}
      >
        <Field
          name="email"
          label={t().signIn.email}
          hint={t().entrance.forgottenHint}
          type="email"
          autocomplete="username"
          isFirst
        />
      </Form>
      <SignInLink />
    </Card>
  )
}

function Another({ token }: { readonly token: string }) {
  const [isBad, setBad] = useState(false)
  if (isBad) return <BadLink more={t().entrance.badPasswordLink} again="/password" />
  const submit = async (textOf: (name: string) => string): Promise<void> => {
    try {
      await signedIn(async () => call(SESSION, accountLinks.resetPassword, { token, password: textOf('password') }))
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'AUTHENTICATION_FAILED')) throw error
      setBad(true)
    }
  }
  return (
    <Card title={t().entrance.anotherPassword}>
      <p>{t().entrance.anotherPasswordMore}</p>
      <Form submitLabel={t().entrance.savePassword} submit={submit}>
        <Field
          name="password"
          label={t().entrance.newPassword}
          hint={t().entrance.newPasswordHint}
          type="password"
          autocomplete="new-password"
          isFirst
        />
      </Form>
    </Card>
  )
}
