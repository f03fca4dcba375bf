import { caseKey } from '@parley/server/kernel/case-key'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { t } from '../../../kernel/strings.ts'
import { localTime } from '../../../kernel/time.ts'
import { copyWithToast } from '../../../platform/dom/clipboard.ts'
import { FilterField } from '../../../platform/dom/filter-field.tsx'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Rows } from '../../../platform/list/rows.tsx'
import { LoadingFailure, EmptyState, LoadingRows } from '../../../platform/list/states.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { userName } from '../../users/state.ts'
import { fetchRegistrationLink } from '../actions.ts'
import { titleOf, useInvites, type Invites } from '../state.ts'
import { invitePeople } from '../index.ts'
import { mayInvite, waitingCount } from '../inviting.ts'
import { InviteDialog } from './invite-dialog.tsx'
import './invitations.css'

const ROW_PIXELS = 60

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
      {value === undefined && (hasFailed ? <LoadingFailure again={again} /> : <LoadingRows rows={3} />)}
      {value !== undefined && <InvitationList invites={value} />}
      {value !== undefined && value.waiting.length > 0 && <People waiting={value.waiting} />}
    </div>
  )
}

function InvitationList({ invites: { all, sendsEmail } }: { readonly invites: Invites }) {
  const [filter, setFilter] = useState('')
  const [open, setOpen] = useState<number>()
  const query = caseKey(filter.trim())
  const shown = all.filter((one) => caseKey(`${titleOf(one)} ${userName(one.invited_by_user_id)}`).includes(query))
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
      <Rows things={shown} keyOf={({ id }) => id} height={ROW_PIXELS} label={ta().invitations.all}>
        {(one) => (
          <button class="person-row invitation-row" onClick={() => setOpen(one.id)}>
            <Icon name={one.is_multiuse ? 'link' : 'person'} size={20} />
            <span class="invitation-names">
              <bdi>{titleOf(one)}</bdi>
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
