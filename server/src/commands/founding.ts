import { beginOrganization, openAccount } from '../capabilities/users/actions/accounts.ts'
import { hashNewPassword } from '../capabilities/authentication/actions.ts'
import { subscribeWithoutNotices } from '../capabilities/channels/actions/subscribe.ts'
import * as channels from '../capabilities/channels/contract/index.ts'
import type { UserRow } from '../capabilities/users/queries/index.ts'
import { ROLE } from '../kernel/actor.ts'
import type { ServerFacts } from '../platform/server-facts.ts'
import type { Logs } from '../platform/log/logs.ts'

/** The channel to which new accounts are subscribed. */
export const FIRST_CHANNEL = 'general'
const FIRST_CHANNEL_DESCRIPTION = 'For everybody and everything'

export interface Founding {
  /** The subdomain; empty for the organization at the root domain. */
  readonly stringId: string
  readonly name: string
  readonly owner: { readonly fullName: string; readonly email: string; readonly password: string }
}

/** Makes an organization that is ready for use: an owner who can log in, and a channel to write to. */
export async function foundOrganization(
  logs: Logs,
  facts: ServerFacts,
  { stringId, name, owner }: Founding,
): Promise<{ owner: UserRow; apiKey: string }> {
  const passwordHash = await hashNewPassword(owner.password)
  return logs.create(stringId, async (tx) => {
    await beginOrganization(tx, { name, stringId })
    const account = { email: owner.email, fullName: owner.fullName, role: ROLE.owner }
    const { user, apiKey } = await openAccount(tx, account, passwordHash)
    const actor = { userId: user.id, role: user.role, client: 'Parley' }
    const input = channels.subscribe.input.parse({
      subscriptions: [{ name: FIRST_CHANNEL, description: FIRST_CHANNEL_DESCRIPTION }],
      is_default_stream: true,
    })
    await subscribeWithoutNotices(Object.assign(tx, { actor }), input, facts)
    return { owner: user, apiKey }
  })
}
