import { ta } from '../../../kernel/administration.ts'
import { t } from '../../../kernel/strings.ts'
import { localTime } from '../../../kernel/time.ts'
import { copyWithToast } from '../../../platform/dom/clipboard.ts'
import { store } from '../../../platform/client.ts'
import { askConfirmation } from '../../../platform/overlay/confirm.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { channelName } from '../../channels/state.ts'
import { groupById } from '../../groups/members.ts'
import { userName } from '../../users/state.ts'
import { fetchInviteLink, resendInvitation, revokeInvitation } from '../actions.ts'
import { mayManageInvite } from '../rights.ts'
import { titleOf, type Invite } from '../state.ts'

interface InviteDialogProps {
  readonly invite: Invite
  readonly sendsEmail: boolean
  readonly onClose: () => void
}

export function InviteDialog({ invite, sendsEmail, onClose }: InviteDialogProps) {
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
    <Dialog title={titleOf(invite)} onClose={onClose}>
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
