import { ROLE } from '../../kernel/actor.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { RealmPermission } from '../groups/contract/permissions.ts'
import { isCovered, type Member } from '../groups/rules.ts'
import { groupSetting } from '../organizations/queries/index.ts'
import type { OutsideClient } from '../../platform/outside/outside.ts'
import { OutsideFailure } from '../../platform/outside/request.ts'
import { BOT_TYPE, PAYLOAD_INTERFACE, type BotService } from '../users/contract/index.ts'
import type { UserRow } from '../users/queries/index.ts'
import { isAdministrator, knownUser } from '../users/rules/index.ts'
import { botsOf } from '../users/rules/bots.ts'
import { visibleUser } from '../users/rules/visibility.ts'
import { BOT_LIMIT } from './contract.ts'

const CREATION_PERMISSIONS: Readonly<Record<number, readonly RealmPermission[]>> = {
  [BOT_TYPE.generic]: ['can_create_bots_group'],
  [BOT_TYPE.outgoingWebhook]: ['can_create_bots_group'],
  [BOT_TYPE.incomingWebhook]: ['can_create_bots_group', 'can_create_write_only_bots_group'],
}

function requireBotCapacity(organization: OrganizationState, ownerId: number): void {
  if (botsOf(organization, ownerId).length < BOT_LIMIT.most) return
  throw new ApiError('BAD_REQUEST', `A user can own at most ${BOT_LIMIT.most} bots.`)
}

export function requireMayCreateBot(organization: OrganizationState, member: Member, botType: number): void {
  requireBotCapacity(organization, member.userId)
  const permissions = CREATION_PERMISSIONS[botType]
  if (botType === BOT_TYPE.embedded) throw new ApiError('BAD_REQUEST', 'This server has no embedded bots.')
  if (permissions === undefined) throw new ApiError('BAD_REQUEST', 'Invalid bot type')
  const isPerson = knownUser(organization, member.userId).botType === null
  const isGranted = permissions.some((name) => isCovered(organization, member, groupSetting(organization, name)))
  if (!isPerson || member.role === ROLE.guest || !isGranted)
    throw new ApiError('BAD_REQUEST', 'Insufficient permission')
}

export function validServiceSettings(
  outside: OutsideClient,
  botType: number | null,
  given: { readonly base_url: string | undefined; readonly interface: number | undefined },
): Partial<Pick<BotService, 'base_url' | 'interface'>> {
  const { base_url, interface: form } = given
  if (base_url === undefined && form === undefined) return {}
  if (botType !== BOT_TYPE.outgoingWebhook) throw noPayloadUrlError()
  if (form !== undefined && !Object.values<number>(PAYLOAD_INTERFACE).includes(form)) {
    throw new ApiError('BAD_REQUEST', 'Invalid interface type')
  }
  return {
    ...(base_url === undefined ? {} : { base_url: validPayloadUrl(outside, base_url) }),
    ...(form === undefined ? {} : { interface: form }),
  }
}

function validPayloadUrl(outside: OutsideClient, text: string): string {
  try {
    return outside.checkedUrl(text).href
  } catch (error) {
    if (error instanceof OutsideFailure) throw new ApiError('BAD_REQUEST', `Invalid payload URL: ${error.message}.`)
    throw error
  }
}

/** A bot acts in its owner's name, so only administrators can make someone other than themselves its owner. */
export function requireValidOwner(organization: OrganizationState, member: Member, userId: number): UserRow {
  if (userId !== member.userId && !isAdministrator(member))
    throw ownerChangeRefusedError('must be an organization administrator')
  const user = visibleUser(organization, member, userId)
  if (user === undefined || user.isSystemBot) throw ownerChangeRefusedError('no such user')
  if (!user.isActive) throw ownerChangeRefusedError('user is deactivated')
  if (user.botType !== null) throw ownerChangeRefusedError("bots can't own other bots")
  if (user.role === ROLE.guest) throw ownerChangeRefusedError("guests can't own bots")
  requireBotCapacity(organization, user.id)
  return user
}

export function noPayloadUrlError(): ApiError {
  return new ApiError('BAD_REQUEST', 'Only outgoing webhook bots have a payload URL.')
}

function ownerChangeRefusedError(reason: string): ApiError {
  return new ApiError('BAD_REQUEST', `Failed to change owner, ${reason}`)
}
