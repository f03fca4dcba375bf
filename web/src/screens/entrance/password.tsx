import { ApiError, call } from '@parley/client'
import { accountLinks, invitations } from '@parley/server/contract'
import { useEffect, useState } from 'preact/hooks'
import { te } from '../../kernel/entrance-texts.ts'
import { t } from '../../kernel/strings.ts'
import { reasonOf } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { BadLink, Card, Early, Form, SendLink } from './form.tsx'
import { NewPassword } from './new-password.tsx'
import { patiently } from './patience.ts'
import { signedIn } from './signed-in.ts'

/** Choosing another password: by the link in an e-mail, or asking for one. */
export function Password({ token }: { readonly token: string | undefined }) {
  return token === undefined ? <Forgotten /> : <Another token={token} />
}

/** Asks for a link. Where the server sends no e-mail, people are told who gives it to them. */
function Forgotten() {
  const [isSent, setSent] = useState<boolean>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    const ask = async (): Promise<boolean> => (await call(SESSION, invitations.lookAtOrganization, {})).sends_email
    patiently(ask, setFailure).then(setSent, (error: unknown) => setFailure(reasonOf(error)))
  }, [])
  if (isSent === undefined) return <Early why={failure} />
  return (
    <SendLink
      title={t().signIn.forgotten}
      hint={isSent ? te().forgottenHint : te().passwordLinkHint}
      submitLabel={isSent ? te().sendLink : te().askLink}
      autocomplete="username"
      send={async (email) => call(SESSION, accountLinks.requestPasswordReset, { email })}
      sent={isSent ? te().passwordSent : te().passwordLinkAsked}
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
