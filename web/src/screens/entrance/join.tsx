import { ApiError, call, type Answer } from '@parley/client'
import { invitations } from '@parley/server/contract'
import { useEffect, useState } from 'preact/hooks'
import { pageLanguage, pageSettings } from '../../capabilities/appearance/page-settings.ts'
import { te } from '../../kernel/entrance-texts.ts'
import { tl } from '../../kernel/later-texts.ts'
import { NewPassword } from '../../platform/dom/new-password.tsx'
import { reasonOf } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { proofOfWork } from './challenge.ts'
import { InvalidLinkCard, Card, LoadingCard, Field, Form, SendLinkForm, SignInLink } from './form.tsx'
import { retryWhenThrottled } from './patience.ts'
import { Providers } from './openid.tsx'
import { finishSignIn } from './signed-in.ts'

type Invitation = Answer<typeof invitations.getInvitation>
type Organization = Answer<typeof invitations.getJoinOrganization>

const fetchOrganization = async (): Promise<Organization> => call(SESSION, invitations.getJoinOrganization, {})

/** Form for joining through an invite link or, in open organizations, by email address. */
export function JoinPage({ token }: { readonly token: string | undefined }) {
  const [found, setFound] = useState<Invitation | Organization | 'bad' | 'bad-and-open'>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    const ask = async (): Promise<Invitation | Organization> =>
      token === undefined ? fetchOrganization() : call(SESSION, invitations.getInvitation, { token })
    const load = async (): Promise<void> => {
      try {
        setFound(await retryWhenThrottled(ask, setFailure))
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'AUTHENTICATION_FAILED')) throw error
        // The link can be an old registration confirmation; in an open organization, people can get a new one.
        const { can_register: isOpen } = await retryWhenThrottled(fetchOrganization, setFailure)
        setFound(isOpen ? 'bad-and-open' : 'bad')
      }
    }
    load().catch((error: unknown) => setFailure(reasonOf(error)))
  }, [token])
  if (found === 'bad') return <InvalidLinkCard more={te().badLinkMore} />
  if (found === 'bad-and-open') return <InvalidLinkCard more={te().badLinkOpen} again="/join" />
  if (found === undefined) return <LoadingCard why={failure} />
  if ('can_register' in found) return <Registration organization={found} />
  return found.confirms_email ? (
    <ConfirmAddress organization={found.realm_name} inviter={found.inviter_full_name} token={token} isSent />
  ) : (
    <NewAccount invitation={found} token={token ?? ''} />
  )
}

function Registration({
  organization: { realm_name: name, can_register: isOpen, sends_email: isSent },
}: {
  readonly organization: Organization
}) {
  if (isOpen) return <ConfirmAddress organization={name} inviter={null} token={undefined} isSent={isSent} />
  return (
    <Card title={te().join(name)}>
      <p>{te().onlyInvited}</p>
      <SignInLink />
    </Card>
  )
}

interface ConfirmAddressProps {
  readonly organization: string
  readonly inviter: string | null
  readonly token: string | undefined
  /** Whether the server emails the link. Otherwise, an administrator gives the link to the person. */
  readonly isSent: boolean
}

/** Sends or requests the link that confirms a new user's email address. */
function ConfirmAddress({ organization, inviter, token, isSent }: ConfirmAddressProps) {
  const [isWorking, setWorking] = useState(false)
  const proveWork = async (): Promise<{ proof?: string }> => {
    try {
      const proof = await proofOfWork(() => setWorking(true))
      return proof === undefined ? {} : { proof }
    } finally {
      setWorking(false)
    }
  }
  return (
    <SendLinkForm
      title={te().join(organization)}
      lead={inviter === null ? undefined : te().invitedBy(inviter, organization)}
      hint={isSent ? te().sendLinkHint : te().askLinkHint}
      submitLabel={isSent ? te().sendLink : te().askLink}
      autocomplete="email"
      send={async (email) =>
        call(SESSION, invitations.requestRegistration, {
          email,
          ...(token === undefined ? await proveWork() : { token }),
          ...pageLanguage(),
        })
      }
      sent={isSent ? te().sent : te().linkAsked}
    >
      <p class="note" role="status">
        {isWorking && te().proving}
      </p>
      <Providers labelOf={te().joinWith} token={token} />
    </SendLinkForm>
  )
}

function NewAccount({ invitation, token }: { readonly invitation: Invitation; readonly token: string }) {
  const { realm_name: organization, inviter_full_name: inviter, asks_for_email: asksForEmail } = invitation
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const submit = async (textOf: (name: string) => string): Promise<void> => {
    const own = asksForEmail ? { email: textOf('email'), ...pageSettings() } : pageSettings()
    const input = { token, full_name: textOf('full_name'), password: textOf('password'), ...own }
    const default_channel_group_ids = [...chosen]
    await finishSignIn(async () => call(SESSION, invitations.join, { ...input, default_channel_group_ids }))
  }
  return (
    <Card title={te().join(organization)}>
      <p>{inviter === null ? te().confirmed : te().invitedBy(inviter, organization)}</p>
      <Form submitLabel={te().submitJoin} submit={submit}>
        {asksForEmail && (
          <Field
            name="email"
            label={tl().signIn.email}
            hint={te().emailHint}
            type="email"
            autocomplete="username"
            isFirst
          />
        )}
        <Field name="full_name" label={te().name} hint={te().nameHint} autocomplete="name" isFirst={!asksForEmail} />
        <NewPassword ownWords={[organization]} />
        <ChannelGroups groups={invitation.default_channel_groups} chosen={chosen} onChange={setChosen} />
      </Form>
      <Providers labelOf={te().joinWith} token={token} />
      <SignInLink />
    </Card>
  )
}

interface ChannelGroupsProps {
  readonly groups: Invitation['default_channel_groups']
  readonly chosen: ReadonlySet<number>
  readonly onChange: (chosen: ReadonlySet<number>) => void
}

function ChannelGroups({ groups, chosen, onChange }: ChannelGroupsProps) {
  if (groups.length === 0) return null
  const turn = (id: number, isOn: boolean): void =>
    onChange(new Set(isOn ? [...chosen, id] : [...chosen].filter((one) => one !== id)))
  return (
    <fieldset class="channel-groups">
      <legend>{te().channelGroups}</legend>
      <p class="note">{te().channelGroupsMore}</p>
      {groups.map(({ id, name, description, channel_names: names }) => (
        <div key={id}>
          <label class="check">
            <input
              type="checkbox"
              checked={chosen.has(id)}
              aria-describedby={`channel-group-${id}`}
              onChange={({ currentTarget }) => turn(id, currentTarget.checked)}
            />
            <bdi>{name}</bdi>
          </label>
          <p class="note" id={`channel-group-${id}`}>
            <bdi>{description}</bdi> <bdi>{names.map((one) => `#${one}`).join(', ')}</bdi>
          </p>
        </div>
      ))}
    </fieldset>
  )
}
