import { hashNewPassword } from '../capabilities/authentication/actions/index.ts'
import { createOrganizationWithOwner } from '../capabilities/setup/actions.ts'
import type { UserRow } from '../capabilities/users/queries/index.ts'
import type { ServerFacts } from '../platform/server-facts.ts'

export const FIRST_CHANNEL = 'general'
const FIRST_CHANNELS = [{ name: FIRST_CHANNEL, description: 'For everyone and everything' }]

/** Organization to create without the setup page, because everything that the page asks for is known. */
export interface KnownOrganization {
  readonly stringId: string
  readonly name: string
  readonly owner: { readonly fullName: string; readonly email: string; readonly password: string }
}

export async function makeOrganization(
  server: ServerFacts,
  { stringId, name, owner: { password, ...owner } }: KnownOrganization,
): Promise<{ owner: UserRow; apiKey: string }> {
  const passwordHash = await hashNewPassword(password)
  const founding = {
    stringId,
    name,
    owner: { ...owner, passwordHash },
    channels: FIRST_CHANNELS,
    by: 'operator',
  } as const
  return server.createOrganization(stringId, async (tx) => createOrganizationWithOwner(tx, server, founding))
}
