import { ApiError, call } from '@parley/client'
import { mail } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { te } from '../../kernel/entrance-texts.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { BadLink, Card, Form } from './form.tsx'

export function Unsubscribe({ token }: { readonly token: string | undefined }) {
  const [state, setState] = useState<'asked' | 'bad' | 'done'>(token === undefined ? 'bad' : 'asked')
  if (state === 'bad') return <BadLink more={te().badUnsubscribeLink} />
  if (state === 'done') {
    return (
      <Card title={te().unsubscribed}>
        <p role="status">{te().unsubscribeMore}</p>
        <p class="entrance-else">
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
