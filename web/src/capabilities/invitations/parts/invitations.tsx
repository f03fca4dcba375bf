import { caseKey } from '@parley/server/kernel/case-key'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { t } from '../../../kernel/strings.ts'
import { localTime } from '../../../kernel/time.ts'
import { store } from '../../../platform/client.ts'
import { copyWithToast } from '../../../platform/dom/clipboard.ts'
import { FilterField } from '../../../platform/dom/filter-field.tsx'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Rows } from '../../../platform/list/rows.tsx'
import { LoadFailure, EmptyState, LoadingRows } from '../../../platform/list/states.tsx'
import { askConfirmation } from '../../../platform/overlay/confirm.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { channelName } from '../../channels/state.ts'
import { groupById } from '../../groups/members.ts'
import { userName } from '../../users/state.ts'
import { fetchRegistrationLink, fetchInviteLink, resendInvitation, revokeInvitation } from '../actions.ts'
import { mayInvite, waitingCount } from '../inviting.ts'
import { invitePeople } from '../open.ts'
import { mayManageInvite } from '../rights.ts'
import { inviteTitle, useInvites, type Invites, type Invite } from '../state.ts'
import './invitations.css'

const ROW_HEIGHT_PIXELS = 60

export function Invitations() {
  const { value, hasFailed, again } = useInvites()
  return (
    <div class="form">
      {mayInvite() && (
        <div>
          <button class="button primary" onClick={invitePeople}>
            <Icon name="plus" size={16} />
            {t().nav.invite}
          </button>
        </div>
      )}
      {value === undefined && (hasFailed ? <LoadFailure again={again} /> : <LoadingRows rows={3} />)}
      {value !== undefined && <InvitationList invites={value} />}
      {value !== undefined && value.waiting.length > 0 && <People waiting={value.waiting} />}
    </div>
  )
}

function InvitationList({ invites: { all, sendsEmail } }: { readonly invites: Invites }) {
  const [filter, setFilter] = useState('')
  const [open, setOpen] = useState<number>()
  const query = caseKey(filter.trim())
  const shown = all.filter((one) => caseKey(`${inviteTitle(one)} ${userName(one.invited_by_user_id)}`).includes(query))
  const opened = all.find(({ id }) => id === open)
  if (all.length === 0) {
    return (
      <EmptyState
        icon="send"
        title={ta().invitations.none}
        more={mayInvite() ? ta().invitations.noneMore : undefined}
      />
    )
  }
  return (
    <>
      {!sendsEmail && <p class="note">{ta().invitations.noEmail}</p>}
      <FilterField label={ta().invitations.find} value={filter} onChange={setFilter} />
      {shown.length === 0 && <p class="note">{t().nav.noMatch}</p>}
      <Rows things={shown} keyOf={({ id }) => id} height={ROW_HEIGHT_PIXELS} label={ta().invitations.all}>
        {(one) => (
          <button class="person-row invitation-row" onClick={() => setOpen(one.id)}>
            <Icon name={one.is_multiuse ? 'link' : 'person'} size={20} />
            <span class="invitation-names">
              <bdi>{inviteTitle(one)}</bdi>
              <span class="note">
                {ta().invitations.row(t().people.roles[one.invited_as], userName(one.invited_by_user_id))}
              </span>
            </span>
          </button>
        )}
      </Rows>
      {opened !== undefined && (
        <InviteDialog key={opened.id} invite={opened} sendsEmail={sendsEmail} onClose={() => setOpen(undefined)} />
      )}
    </>
  )
}

/** People who asked to join but cannot be emailed a confirmation link. */
function People({ waiting }: { readonly waiting: Invites['waiting'] }) {
  const [refusal, run] = useRefusal()
  return (
    <section class="form">
      <h3>{ta().invitations.waiting}</h3>
      <p class="note">{ta().invitations.waitingMore}</p>
      <ul class="invitation-waiting" aria-label={ta().invitations.waiting}>
        {waiting.map(({ email, requested }) => (
          <li key={email}>
            <div>
              <bdi>{email}</bdi>
              <p class="note">{ta().invitations.waitingSince(localTime(requested))}</p>
            </div>
            <button
              class="button"
              aria-label={`${ta().invitations.copyLink}: ${email}`}
              onClick={() => void run(async () => copyWithToast(await fetchRegistrationLink(email)))}
            >
              {ta().invitations.copyLink}
            </button>
          </li>
        ))}
      </ul>
      {refusal}
    </section>
  )
}

export function WaitingCount() {
  const number = waitingCount.value
  if (number === 0) return null
  return (
    <span class="badge mine">
      <span aria-hidden="true">{number}</span>
      <span class="visually-hidden">{ta().invitations.waitingCount(number)}</span>
    </span>
  )
}

interface InviteDialogProps {
  readonly invite: Invite
  readonly sendsEmail: boolean
  readonly onClose: () => void
}

function InviteDialog({ invite, sendsEmail, onClose }: InviteDialogProps) {
  const [refusal, run] = useRefusal()
  const { is_multiuse: isLink, email = '', expiry_date: end } = invite
  const hasLink = isLink || !sendsEmail
  const ask = (): void =>
    askConfirmation({
      text: isLink ? ta().invitations.revokeLinkSure : ta().invitations.revokeSure(email),
      action: ta().invitations.revoke,
      // The event removes the invitation from the list, which closes this dialog.
      run: () => void run(async () => revokeInvitation(invite)),
    })
  return (
    <Dialog title={inviteTitle(invite)} onClose={onClose}>
      <dl class="invitation-facts">
        <dt>{ta().invitations.by}</dt>
        <dd>
          <bdi>{userName(invite.invited_by_user_id)}</bdi>
        </dd>
        <dt>{ta().invitations.at}</dt>
        <dd>
          <time>{localTime(invite.invited)}</time>
        </dd>
        <dt>{ta().invitations.end}</dt>
        <dd>{end === null ? ta().invitations.ever : <time>{localTime(end)}</time>}</dd>
        <dt>{ta().invitations.role}</dt>
        <dd>{t().people.roles[invite.invited_as]}</dd>
        <dt>{ta().invitations.channels}</dt>
        <dd>
          <Names names={channelNames(invite)} />
        </dd>
        <dt>{ta().invitations.groups}</dt>
        <dd>
          <Names names={invite.group_ids.map((id) => groupById(id)?.name ?? '').filter((name) => name !== '')} />
        </dd>
      </dl>
      {!mayManageInvite(invite) && <p class="note">{ta().invitations.ownersOnly}</p>}
      {refusal}
      {mayManageInvite(invite) && (
        <div class="dialog-actions">
          <button class="button danger" onClick={ask}>
            {ta().invitations.revoke}
          </button>
          {hasLink ? (
            <button class="button" onClick={() => void run(async () => copyWithToast(await fetchInviteLink(invite)))}>
              {ta().invitations.copyLink}
            </button>
          ) : (
            <button class="button" onClick={() => void run(async () => resendInvitation(invite))}>
              {ta().invitations.sendAgain}
            </button>
          )}
        </div>
      )}
    </Dialog>
  )
}

function channelNames(invite: Invite): readonly string[] {
  const defaults = invite.include_realm_default_subscriptions ? store().read('realm_default_streams') : []
  return [...new Set([...defaults, ...invite.stream_ids])].map((id) => `#${channelName(id)}`)
}

/** Isolates custom names, so that their text direction does not affect the list. */
function Names({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return <>{ta().invitations.noChannels}</>
  return (
    <>
      {names.map((name, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <bdi>{name}</bdi>
        </span>
      ))}
    </>
  )
}
