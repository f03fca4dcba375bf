import { organizations } from '@parley/server/contract'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { loadAdministration, ta } from '../../../kernel/administration.ts'
import { loadSignedOutTexts } from '../../../kernel/entrance-texts.ts'
import { loadLaterTexts } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { copyWithToast } from '../../../platform/dom/clipboard.ts'
import { sendsEmail, store } from '../../../platform/client.ts'
import { Dialog, DialogActions } from '../../../platform/overlay/dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { toast } from '../../../platform/overlay/toasts.tsx'
import { lateOverlays } from '../../../platform/registry.ts'
import { ChannelSign } from '../../places/title.tsx'
import type { Role } from '../../users/accounts.ts'
import { latestInvitations, fetchInviteLink, createLink, sendInvitations, type InvitationTerms } from '../actions.ts'
import type { InvitationMethod } from '../inviting.ts'
import { reachabilityWarning } from '../reach.ts'
import type { Invite } from '../state.ts'
import { channelsToInviteTo, groupsToInviteTo, mayChooseWelcome, grantableRoles, invitationMethods } from '../rights.ts'
import './invitations.css'

const DAY_MINUTES = 24 * 60
/** Null for invitations that stay valid until they are revoked. */
const EXPIRY_DAYS: readonly (number | null)[] = [1, 3, 7, 10, 30, 90, null]
const MEMBER_ROLE: Role = 400

const closeInviteForm = (): void => {
  lateOverlays.value = lateOverlays.value.filter((overlay) => overlay !== NewInvites)
}

export async function openInviteForm(): Promise<void> {
  await Promise.all([loadAdministration(), loadLaterTexts(), loadSignedOutTexts()])
  closeInviteForm()
  lateOverlays.value = [...lateOverlays.value, NewInvites]
}

function NewInvites() {
  const ways = invitationMethods()
  const [chosenWay, setWay] = useState<InvitationMethod>()
  const [link, setLink] = useState<string>()
  const [made, setMade] = useState<readonly Invite[]>()
  const [isBusy, setBusy] = useState(false)
  const [refusal, run] = useRefusal()
  const way = chosenWay ?? ways[0]
  const warning = reachabilityWarning(store().read('realm_url'))
  if (link !== undefined) return <CreatedLink link={link} />
  if (made !== undefined) return <SentInvitations made={made} />
  const submit = async (data: FormData): Promise<void> => {
    setBusy(true)
    const isDone = await run(async () => {
      const terms = readTerms(data)
      if (way === 'link') return setLink(await createLink(terms))
      const { invitedCount, others } = await sendInvitations(textIn(data, 'addresses'), data.has('tell'), terms)
      if (others.length > 0) toast(ta().invitations.notInvited(others.join(', ')))
      if (!sendsEmail()) return setMade(await latestInvitations(invitedCount))
      toast(ta().invitations.invited(invitedCount))
    })
    setBusy(false)
    if (isDone && way !== 'link' && sendsEmail()) closeInviteForm()
  }
  return (
    <Dialog title={t().nav.invite} onClose={closeInviteForm}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        {ways.length > 1 && (
          <fieldset class="choice-list">
            <legend>{ta().invitations.how}</legend>
            {ways.map((one) => (
              <label key={one} class="check">
                <input type="radio" name="way" checked={one === way} onChange={() => setWay(one)} />
                <span>{one === 'email' ? ta().invitations.byEmail : ta().invitations.byLink}</span>
              </label>
            ))}
          </fieldset>
        )}
        {warning !== undefined && <p class="caution">{warning}</p>}
        {way === 'email' && <EmailAddressesField />}
        <TermsFields />
        {refusal}
        <DialogActions
          action={ta().invitations[way === 'link' ? 'make' : sendsEmail() ? 'send' : 'makeAll']}
          isDisabled={isBusy || way === undefined}
          onCancel={closeInviteForm}
        />
      </form>
    </Dialog>
  )
}

function EmailAddressesField() {
  return (
    <>
      <label class="field">
        <span>{ta().invitations.addresses}</span>
        <textarea class="input" name="addresses" rows={3} required autocomplete="off" autocapitalize="none" />
        <span class="note">{ta().invitations.addressesMore}</span>
      </label>
      {!sendsEmail() && <p class="note">{ta().invitations.linksFollow}</p>}
      <label class="check">
        <input type="checkbox" name="tell" defaultChecked />
        <span>{ta().invitations.notifyMe}</span>
      </label>
    </>
  )
}

function TermsFields() {
  const roles = grantableRoles()
  return (
    <>
      <label class="field">
        <span>{ta().invitations.role}</span>
        <select class="input" name="role">
          {roles.map((role) => (
            <option key={role} value={String(role)} selected={role === MEMBER_ROLE}>
              {t().people.roles[role]}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{ta().invitations.until}</span>
        <select class="input" name="days">
          {EXPIRY_DAYS.map((days) => (
            <option key={String(days)} value={String(days)} selected={days === 10}>
              {expiryTitle(days)}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input type="checkbox" name="defaults" defaultChecked />
        <span>{ta().invitations.defaultChannels}</span>
      </label>
      <CheckboxGroup
        name="channel"
        title={ta().invitations.channels}
        things={channelsToInviteTo().map(({ stream_id: id, name }) => ({
          id,
          name,
          sign: <ChannelSign channelId={id} />,
        }))}
      />
      <CheckboxGroup name="group" title={ta().invitations.groups} things={groupsToInviteTo()} />
      {mayChooseWelcome() && (
        <label class="field">
          <span>{ta().invitations.welcome}</span>
          <textarea class="input" name="welcome" rows={2} maxLength={organizations.MAX_WELCOME_TEXT_CHARACTERS} />
          <span class="note">{ta().invitations.welcomeMore}</span>
        </label>
      )}
    </>
  )
}

function expiryTitle(days: number | null): string {
  const { day, days: many, ever } = ta().invitations.untils
  return days === null ? ever : days === 1 ? day : many(days)
}

interface CheckboxGroupProps {
  readonly name: string
  readonly title: string
  readonly things: readonly { readonly id: number; readonly name: string; readonly sign?: ComponentChildren }[]
}

function CheckboxGroup({ name: field, title, things }: CheckboxGroupProps) {
  if (things.length === 0) return null
  return (
    <fieldset class="choice-list">
      <legend>{title}</legend>
      {things.map(({ id, name, sign }) => (
        <label key={id} class="check">
          <input type="checkbox" name={field} value={String(id)} />
          {sign}
          <bdi>{name}</bdi>
        </label>
      ))}
    </fieldset>
  )
}

function CreatedLink({ link }: { readonly link: string }) {
  const warning = reachabilityWarning(link)
  return (
    <Dialog title={ta().invitations.linkMade} onClose={closeInviteForm}>
      <div class="form">
        <label class="field">
          <span>{ta().invitations.theLink}</span>
          <input class="input" readOnly value={link} onFocus={({ currentTarget }) => currentTarget.select()} />
          <span class="note">{ta().invitations.linkMore}</span>
        </label>
        {warning !== undefined && <p class="caution">{warning}</p>}
        <div class="dialog-actions">
          <button class="button primary" onClick={() => void copyWithToast(link)}>
            {ta().invitations.copyLink}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

function SentInvitations({ made }: { readonly made: readonly Invite[] }) {
  const [refusal, run] = useRefusal()
  return (
    <Dialog title={ta().invitations.made} onClose={closeInviteForm}>
      <p class="note">{ta().invitations.madeMore}</p>
      <ul class="invitation-waiting">
        {made.map((invite) => (
          <li key={invite.id}>
            <bdi>{invite.email}</bdi>
            <button
              class="button"
              aria-label={`${ta().invitations.copyLink}: ${invite.email ?? ''}`}
              onClick={() => void run(async () => copyWithToast(await fetchInviteLink(invite)))}
            >
              {ta().invitations.copyLink}
            </button>
          </li>
        ))}
      </ul>
      {refusal}
    </Dialog>
  )
}

function readTerms(data: FormData): InvitationTerms {
  const days = textIn(data, 'days')
  const welcome = textIn(data, 'welcome').trim()
  const role = textIn(data, 'role')
  return {
    invite_as: grantableRoles().find((one) => String(one) === role) ?? MEMBER_ROLE,
    stream_ids: data.getAll('channel').map(Number),
    group_ids: data.getAll('group').map(Number),
    include_realm_default_subscriptions: data.has('defaults'),
    invite_expires_in_minutes: days === 'null' ? null : Number(days) * DAY_MINUTES,
    ...(welcome === '' ? {} : { welcome_message_custom_text: welcome }),
  }
}

function textIn(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}
