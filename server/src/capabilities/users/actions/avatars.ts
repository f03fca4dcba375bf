import type { Output } from '../../../kernel/endpoint.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Call } from '../../../platform/request.ts'
import { actWithFiles, removeFiles, writeFiles } from '../../../platform/files/pending.ts'
import { squarePicture } from '../../../platform/pictures/pictures.ts'
import type { ReceivedFile } from '../../../platform/files/receive.ts'
import { randomName } from '../../../platform/files/store.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import { changeAvatar } from './index.ts'
import { avatarPath } from '../queries/index.ts'
import { isAdministrator, knownUser } from '../rules/index.ts'
import type * as contract from '../contract/personal.ts'
import { AVATAR_SIDE, avatarKey, avatarKeys, MEDIUM_AVATAR_SIDE } from '../queries/avatars.ts'

export async function uploadAvatar(call: Call): Promise<Output<typeof contract.uploadAvatar>> {
  const { actor, log, file } = call
  requireMayChange(log.organization, actor)
  if (file === undefined) throw new Refusal('BAD_REQUEST', 'You must upload exactly one avatar.')
  return change(call, await writeAvatar(call, file))
}

export async function removeAvatar(call: Call): Promise<Output<typeof contract.removeAvatar>> {
  requireMayChange(call.log.organization, call.actor)
  return change(call, null)
}

/** @returns the name of the files */
export async function writeAvatar(call: Call, file: ReceivedFile): Promise<string> {
  const [small, medium] = [
    await squarePicture(file.path, AVATAR_SIDE),
    await squarePicture(file.path, MEDIUM_AVATAR_SIDE),
  ]
  const name = randomName()
  const { id: organizationId } = call.log.organization
  await writeFiles(call, [
    [avatarKey(organizationId, name), small],
    [avatarKey(organizationId, name, '-medium'), medium],
  ])
  return name
}

/** @param name of the new avatar's files; null for none */
async function change(call: Call, name: string | null): Promise<{ avatar_url: string }> {
  const { log, actor } = call
  const { id: organizationId } = log.organization
  const before = await actWithFiles(call, avatarKeys(organizationId, name), async (tx) => {
    requireMayChange(tx.organization, tx.actor)
    const user = knownUser(tx.organization, tx.actor.userId)
    if (user.avatarFile !== name) await changeAvatar(tx, user, name)
    return user.avatarFile
  })
  if (before !== name) await removeFiles(call, avatarKeys(organizationId, before))
  return { avatar_url: avatarPath(knownUser(log.organization, actor.userId)) }
}

function requireMayChange(organization: OrganizationState, actor: Actor): void {
  if (settingOf(organization, 'avatar_changes_disabled') && !isAdministrator(actor)) {
    throw new Refusal('BAD_REQUEST', 'Avatar changes are disabled in this organization.')
  }
}
