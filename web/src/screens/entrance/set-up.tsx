import { ApiError, call } from '@parley/client'
import { invitations, organizations, setup, users } from '@parley/server/contract'
import { useEffect, useState } from 'preact/hooks'
import { te } from '../../kernel/entrance-texts.ts'
import { pageSettings } from '../../capabilities/appearance/page-settings.ts'
import { reachWarning } from '../../capabilities/invitations/reach.ts'
import { t } from '../../kernel/strings.ts'
import { copy } from '../../platform/dom/clipboard.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { reasonOf } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { BadLink, Card, LoadingCard, Field, Form } from './form.tsx'
import { NewPassword } from './new-password.tsx'
import { retryWhenThrottled } from './patience.ts'
import { signInAlone } from './signed-in.ts'
import './set-up.css'

interface SetUpResult {
  readonly organization: string
  /** Undefined if the invite link could not be created. */
  readonly inviteLink: string | undefined
}

/** Opened by the setup link that the server prints. */
export function SetUp({ token }: { readonly token: string | undefined }) {
  const [suggested, setSuggested] = useState<string>()
  const [isBad, setBad] = useState(token === undefined)
  const [failure, setFailure] = useState<string>()
  const [done, setDone] = useState<SetUpResult>()
  const failed = (error: unknown): void => {
    if (isOfLink(error)) setBad(true)
    else setFailure(reasonOf(error))
  }
  useEffect(() => {
    if (token === undefined) return
    retryWhenThrottled(async () => call(SESSION, setup.getSetup, { token }), setFailure).then(
      ({ realm_name: name }) => setSuggested(name),
      failed,
    )
  }, [token])
  if (isBad || token === undefined) return <BadLink more={te().badSetUpLink} />
  if (done !== undefined) return <Ready done={done} />
  if (suggested === undefined) return <LoadingCard why={failure} />
  return <Questions token={token} suggested={suggested} onBad={() => setBad(true)} onDone={setDone} />
}

function isOfLink(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'AUTHENTICATION_FAILED'
}

interface QuestionsProps {
  readonly token: string
  readonly suggested: string
  readonly onBad: () => void
  readonly onDone: (done: SetUpResult) => void
}

function Questions({ token, suggested, onBad, onDone }: QuestionsProps) {
  const [first, setFirst] = useState<readonly FirstChannel[]>(() => te().suggested)
  const submit = async (textOf: (name: string) => string): Promise<void> => {
    const organization = textOf('realm_name')
    const named = first.filter(({ name }) => name.trim() !== '')
    const input = {
      token,
      ...pageSettings(),
      realm_name: organization,
      full_name: textOf('full_name'),
      email: textOf('email'),
      password: textOf('password'),
      channels: named.map(({ name, description }) => ({ name, description })),
    }
    try {
      await signInAlone(async () => call(SESSION, setup.setUpOrganization, input))
    } catch (error) {
      if (!isOfLink(error)) throw error
      return onBad()
    }
    onDone({ organization, inviteLink: await inviteLink() })
  }
  return (
    <Card title={te().setUp}>
      <p>{te().setUpMore}</p>
      <Form submitLabel={te().submitSetUp} submit={submit}>
        <Field
          name="realm_name"
          label={te().organization}
          hint={te().organizationHint}
          autocomplete="organization"
          maxLength={organizations.MAX_ORGANIZATION_NAME}
          initial={suggested}
          isFirst
        />
        <Field
          name="full_name"
          label={te().ownName}
          hint={te().nameHint}
          autocomplete="name"
          maxLength={users.MAX_FULL_NAME}
        />
        <Field name="email" label={t().signIn.email} hint={te().emailHint} type="email" autocomplete="username" />
        <NewPassword />
        <FirstChannels channels={first} onChange={setFirst} />
      </Form>
    </Card>
  )
}

async function inviteLink(): Promise<string | undefined> {
  try {
    const input = { include_realm_default_subscriptions: true }
    return (await call(SESSION, invitations.createInviteLink, input)).invite_link
  } catch {
    return undefined
  }
}

interface FirstChannel {
  readonly name: string
  readonly description: string
}

interface FirstChannelsProps {
  readonly channels: readonly FirstChannel[]
  readonly onChange: (channels: readonly FirstChannel[]) => void
}

function FirstChannels({ channels: all, onChange }: FirstChannelsProps) {
  // The description of a suggestion does not fit a renamed channel.
  const named = (index: number, name: string): readonly FirstChannel[] =>
    all.with(index, te().suggested.find((one) => one.name === name) ?? { name, description: '' })
  return (
    <fieldset class="first-channels">
      <legend>{te().channels}</legend>
      <p class="note">{te().channelsMore}</p>
      {all.map(({ name, description }, index) => (
        <div key={index} class="first-channel">
          <input
            class="input"
            aria-label={te().channel(index + 1)}
            maxLength={organizations.LIMITS.max_stream_name_length}
            autocomplete="off"
            value={name}
            onInput={({ currentTarget }) => onChange(named(index, currentTarget.value))}
          />
          <button
            type="button"
            class="icon-button"
            aria-label={te().leaveOut(index + 1)}
            onClick={() => onChange(all.toSpliced(index, 1))}
          >
            <Icon name="close" size={16} />
          </button>
          {description !== '' && <span class="note">{description}</span>}
        </div>
      ))}
      {all.length < setup.MAX_FIRST_CHANNELS && (
        <button type="button" class="button" onClick={() => onChange([...all, { name: '', description: '' }])}>
          <Icon name="plus" size={16} />
          {te().addChannel}
        </button>
      )}
    </fieldset>
  )
}

function Ready({ done: { organization, inviteLink: link } }: { readonly done: SetUpResult }) {
  const [isCopied, setCopied] = useState(false)
  const warning = link === undefined ? undefined : reachWarning(link)
  return (
    <Card title={te().isThere(organization)}>
      {link === undefined ? (
        <p>{te().noInviteLink}</p>
      ) : (
        <>
          <p>{te().inviteMore}</p>
          {warning !== undefined && <p class="caution">{warning}</p>}
          <input
            class="input"
            aria-label={te().inviteLink}
            readOnly
            value={link}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <button class="button primary" onClick={() => void copy(link).then(setCopied)}>
            {te().copyLink}
          </button>
          <p role="status">{isCopied && te().copied}</p>
        </>
      )}
      <p class="entrance-else">
        <a href="/">{te().open(organization)}</a>
      </p>
    </Card>
  )
}
