import { ApiError, call } from '@parley/client'
import { accountLinks } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { te } from '../../kernel/entrance-texts.ts'
import { t } from '../../kernel/strings.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { BadLink, Card, Form, SendLink } from './form.tsx'
import { NewPassword } from './new-password.tsx'
import { signedIn } from './signed-in.ts'

/** Choosing another password: by the link in an e-mail, or asking for one. */
export function Password({ token }: { readonly token: string | undefined }) {
  if (token !== undefined) return <Another token={token} />
  return (
    <SendLink
      title={t().signIn.forgotten}
      hint={te().forgottenHint}
      autocomplete="username"
      send={async (email) => call(SESSION, accountLinks.requestPasswordReset, { email })}
      sent={te().passwordSent}
    />
  )
}

function Another({ token }: { readonly token: string }) {
  const [isBad, setBad] = useState(false)
  if (isBad) return <BadLink more={te().badPasswordLink} again="/password" />
  const submit = async (textOf: (name: string) => string): Promise<void> => {
    try {
      await signedIn(async () => call(SESSION, accountLinks.resetPassword, { token, password: textOf('password') }))
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'AUTHENTICATION_FAILED')) throw error
      setBad(true)
    }
  }
  return (
    <Card title={te().anotherPassword}>
      <p>{te().anotherPasswordMore}</p>
      <Form submitLabel={te().savePassword} submit={submit}>
        <NewPassword isFirst />
      </Form>
    </Card>
  )
}
