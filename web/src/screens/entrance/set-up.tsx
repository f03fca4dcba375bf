import { ApiError, call } from '@parley/client'
import { invitations, organizations, setup, users } from '@parley/server/contract'
import { useEffect, useState } from 'preact/hooks'
import { te } from '../../kernel/entrance-texts.ts'
import { pageSettings } from '../../capabilities/appearance/page-settings.ts'
import { tl } from '../../kernel/later-texts.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { NewPassword } from '../../platform/dom/new-password.tsx'
import { reasonOf } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { InvalidLinkCard, Card, LoadingCard, Field, Form } from './form.tsx'
import { retryWhenThrottled } from './patience.ts'
import { openClient, signInWithoutOtherTabs } from './signed-in.ts'
import './set-up.css'

/** Opened by the setup link that the server prints. */
export function SetUpPage({ token }: { readonly token: string | undefined }) {
  const [suggested, setSuggested] = useState<string>()
  const [isBad, setBad] = useState(token === undefined)
  const [failure, setFailure] = useState<string>()
  const failed = (error: unknown): void => {
    if (isLinkError(error)) setBad(true)
    else setFailure(reasonOf(error))
  }
  useEffect(() => {
    if (token === undefined) return
    retryWhenThrottled(async () => call(SESSION, setup.getSetup, { token }), setFailure).then(
      ({ realm_name: name }) => setSuggested(name),
      failed,
    )
  }, [token])
  if (isBad || token === undefined) return <InvalidLinkCard more={te().badSetUpLink} />
  if (suggested === undefined) return <LoadingCard why={failure} />
  return <SetUpForm token={token} suggested={suggested} onBad={() => setBad(true)} />
}

function isLinkError(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'AUTHENTICATION_FAILED'
}

interface SetUpFormProps {
  readonly token: string
  readonly suggested: string
  readonly onBad: () => void
}

function SetUpForm({ token, suggested, onBad }: SetUpFormProps) {
  const [first, setFirst] = useState<readonly FirstChannel[]>(() => te().suggested)
  const submit = async (textOf: (name: string) => string): Promise<void> => {
    const named = first.filter(({ name }) => name.trim() !== '')
    const input = {
      token,
      ...pageSettings(),
      realm_name: textOf('realm_name'),
      full_name: textOf('full_name'),
      email: textOf('email'),
      password: textOf('password'),
      channels: named.map(({ name, description }) => ({ name, description })),
    }
    try {
      await signInWithoutOtherTabs(async () => call(SESSION, setup.setUpOrganization, input))
    } catch (error) {
      if (!isLinkError(error)) throw error
      return onBad()
    }
    await makeInviteLink()
    openClient()
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
          maxLength={organizations.MAX_ORGANIZATION_NAME_CHARACTERS}
          initial={suggested}
          isFirst
        />
        <Field
          name="full_name"
          label={te().ownName}
          hint={te().nameHint}
          autocomplete="name"
          maxLength={users.MAX_FULL_NAME_CHARACTERS}
        />
        <Field name="email" label={tl().signIn.email} hint={te().emailHint} type="email" autocomplete="username" />
        <NewPassword />
        <FirstChannels channels={first} onChange={setFirst} />
      </Form>
    </Card>
  )
}

/** Creates the invite link that the first steps in the inbox offer. If this fails, the first steps create a link. */
async function makeInviteLink(): Promise<void> {
  const input = { include_realm_default_subscriptions: true }
  await call(SESSION, invitations.createInviteLink, input).catch(() => undefined)
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
  // A renamed channel must not keep the description of the suggestion.
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
