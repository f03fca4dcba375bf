import { isKeyOf } from '../../../kernel/keys.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { organizationDeactivatedError, ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { OpenCall } from '../../../platform/request.ts'
import { isSameSecret } from '../../../platform/tokens/tokens.ts'
import { requireOrganizationLog } from '../../authentication/actions/index.ts'
import { emitInheritedSettings, updateSubscription } from '../../channels/actions/properties.ts'
import { isSubscribed } from '../../channels/queries/index.ts'
import { isDeactivated } from '../../organizations/queries/index.ts'
import { changePersonalSettings } from '../../users/actions/personal.ts'
import { userById, type UserRow } from '../../users/queries/index.ts'
import type * as contract from '../contract.ts'
import { MAIL_CLIENT, parseUnsubscribeToken, MAIL_SETTINGS, unsubscribeToken, type MailChoice } from '../rules.ts'

/** Anyone who has the email can turn off the setting that caused it. */
export async function unsubscribe(
  call: OpenCall,
  { token }: Input<typeof contract.unsubscribe>,
): Promise<Output<typeof contract.unsubscribe>> {
  const log = requireOrganizationLog(call)
  if (isDeactivated(log.organization)) throw organizationDeactivatedError()
  const parsed = parseUnsubscribeToken(token)
  const user = parsed === undefined ? undefined : userById(log.organization, parsed.userId)
  if (parsed === undefined || user?.isActive !== true) throw invalidTokenError()
  const choice = { userId: user.id, from: parsed.from, address: user.deliveryEmail }
  const good = await unsubscribeToken(call.server.tokens, log.organization.id, choice)
  if (!isSameSecret(token, good)) throw invalidTokenError()
  const actor: Actor = { userId: user.id, role: user.role, client: MAIL_CLIENT }
  return log.act(actor, async (tx) => {
    const now = userById(tx.organization, user.id)
    if (now?.isActive !== true || now.deliveryEmail !== user.deliveryEmail) throw invalidTokenError()
    return { setting: await turnOffSetting(tx, now, parsed.from) }
  })
}

async function turnOffSetting(tx: ActorTx, user: UserRow, from: MailChoice): Promise<string> {
  if (isKeyOf(MAIL_SETTINGS, from)) {
    const name = MAIL_SETTINGS[from]
    emitInheritedSettings(tx, user, await changePersonalSettings(tx, user, { [name]: false }))
    return name
  }
  const channelId = Number(from.slice('channel'.length))
  if (isSubscribed(tx.organization, user.id, channelId)) {
    await updateSubscription(tx, { stream_id: channelId, property: 'email_notifications', value: false })
  }
  return 'email_notifications'
}

/** Returns the same error for every invalid token, so that tokens cannot be probed. */
function invalidTokenError(): ApiError {
  return new ApiError('AUTHENTICATION_FAILED', 'This link is no longer valid.')
}
