import { ApiError, call } from '@parley/client'
import { accountLinks } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { t } from '../../kernel/strings.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { BadLink, Card, Form } from './form.tsx'

/** Confirming another address. It takes a press, since programs for e-mail open links by themselves. */
export function Email({ token }: { readonly token: string | undefined }) {
  const [state, setState] = useState<'asked' | 'bad' | { readonly email: string }>(
    token === undefined ? 'bad' : 'asked',
  )
  if (state === 'bad') return <BadLink more={t().entrance.badEmailLink} />
  if (state !== 'asked') {
    return (
      <Card title={t().entrance.confirmEmail}>
        <p role="status">{t().entrance.emailConfirmed(state.email)}</p>
        <p class="entrance-else">
          <a href="/">{t().entrance.goOn}</a>
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
    <Card title={t().entrance.confirmEmail}>
      <p>{t().entrance.confirmEmailMore}</p>
      <Form submitLabel={t().entrance.confirm} submit={submit}>
        {null}
      </Form>
    </Card>
  )
}
