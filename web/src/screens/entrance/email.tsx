import { ApiError, call } from '@parley/client'
import { accountLinks } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { te } from '../../kernel/entrance-texts.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { BadLink, Card, Form } from './form.tsx'

/** Confirms a new email address. Requires a click, because email programs open links on their own. */
export function Email({ token }: { readonly token: string | undefined }) {
  const [state, setState] = useState<'asked' | 'bad' | { readonly email: string }>(
    token === undefined ? 'bad' : 'asked',
  )
  if (state === 'bad') return <BadLink more={te().badEmailLink} />
  if (state !== 'asked') {
    return (
      <Card title={te().confirmEmail}>
        <p role="status">{te().emailConfirmed(state.email)}</p>
        <p class="entrance-else">
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
