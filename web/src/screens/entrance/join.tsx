import { ApiError, call, type Answer } from '@parley/client'
import { invitations } from '@parley/server/contract'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../../kernel/strings.ts'
import { reasonOf } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { BadLink, Card, Field, Form, SignInLink } from './form.tsx'
import { Providers } from './providers.tsx'
import { signedIn } from './signed-in.ts'

type Invitation = Answer<typeof invitations.lookAtInvitation>
type Organization = Answer<typeof invitations.lookAtOrganization>

/** Joining by a link, or, where the organization lets everybody join, by an address. */
export function Join({ token }: { readonly token: string | undefined }) {
  const [found, setFound] = useState<Invitation | Organization | 'bad'>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    const asked =
      token === undefined
        ? call(SESSION, invitations.lookAtOrganization, {})
        : call(SESSION, invitations.lookAtInvitation, { token })
    asked.then(setFound, (error: unknown) => {
      if (error instanceof ApiError && error.code === 'AUTHENTICATION_FAILED') setFound('bad')
      else setFailure(reasonOf(error))
    })
  }, [token])
  if (found === 'bad') return <BadLink more={t().entrance.badLinkMore} />
  if (found === undefined) return <Card title={t().app.name}>{failure ?? t().app.loading}</Card>
  if ('can_register' in found) return <Registration organization={found} />
  return found.confirms_email ? (
    <Confirming
      title={t().entrance.join(found.realm_name)}
      inviter={found.inviter_full_name}
      organization={found.realm_name}
      token={token}
    />
  ) : (
    <NewAccount invitation={found} token={token ?? ''} />
  )
}

function Registration({ organization }: { readonly organization: Organization }) {
  const title = t().entrance.join(organization.realm_name)
  if (organization.can_register) {
    return <Confirming title={title} inviter={null} organization={organization.realm_name} token={undefined} />
  }
  return (
    <Card title={title}>
      <p>{t().entrance.onlyInvited}</p>
      <SignInLink />
    </Card>
  )
}

interface ConfirmingProps {
  readonly title: string
  readonly inviter: string | null
  readonly organization: string
  readonly token: string | undefined
}

/** Asks for the address to which the link is sent that goes on. */
function Confirming({ title, inviter, organization, token }: ConfirmingProps) {
  const [sentTo, setSentTo] = useState<string>()
  if (sentTo !== undefined) {
    return (
      <Card title={title}>
        <p role="status">{t().entrance.sent(sentTo)}</p>
      </Card>
    )
  }
  return (
    <Card title={title}>
      {inviter !== null && <p>{t().entrance.invitedBy(inviter, organization)}</p>}
      <Form
        submitLabel={t().entrance.sendLink}
        submit={async (textOf) => {
          const email = textOf('email')
          await call(SESSION, invitations.requestRegistration, { email, ...(token === undefined ? {} : { token }) })
          setSentTo(email)
        }}
      >
        <Field
          name="email"
          label={t().signIn.email}
          hint={t().entrance.sendLinkHint}
          type="email"
          autocomplete="email"
          isFirst
        />
      </Form>
      <Providers labelOf={t().entrance.joinWith} token={token} />
      <SignInLink />
    </Card>
  )
}

/** Asks for a name and a password, and signs in with the account that is made. */
function NewAccount({ invitation, token }: { readonly invitation: Invitation; readonly token: string }) {
  const { realm_name: organization, inviter_full_name: inviter, asks_for_email: asksForEmail } = invitation
  const submit = async (textOf: (name: string) => string): Promise<void> => {
    const email = asksForEmail ? { email: textOf('email') } : {}
    const input = { token, full_name: textOf('full_name'), password: textOf('password'), ...email }
    await signedIn(async () => call(SESSION, invitations.join, input))
  }
  return (
    <Card title={t().entrance.join(organization)}>
      <p>{inviter === null ? t().entrance.confirmed : t().entrance.invitedBy(inviter, organization)}</p>
      <Form submitLabel={t().entrance.submitJoin} submit={submit}>
        {asksForEmail && (
          <Field
            name="email"
            label={t().signIn.email}
            hint={t().entrance.emailHint}
            type="email"
            autocomplete="username"
            isFirst
          />
        )}
        <Field
          name="full_name"
          label={t().entrance.name}
          hint={t().entrance.nameHint}
          autocomplete="name"
          isFirst={!asksForEmail}
        />
        <Field
          name="password"
          label={t().entrance.newPassword}
          hint={t().entrance.newPasswordHint}
          type="password"
          autocomplete="new-password"
        />
      </Form>
      <Providers labelOf={t().entrance.joinWith} token={token} />
      <SignInLink />
    </Card>
  )
}
