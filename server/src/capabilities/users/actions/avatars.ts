import type { Input, Output } from '../../../kernel/endpoint.ts'
import { turnOwner } from '../../../kernel/pauses.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { PreparationCall } from '../../../platform/request.ts'
import { writeFiles, type FileChange, type StoredFiles } from '../../../platform/files/pending.ts'
import { makeSquarePicture } from '../../../platform/pictures/pictures.ts'
import type { ReceivedFile } from '../../../platform/files/receive.ts'
import { randomName } from '../../../platform/files/store.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import { changeAvatar } from './index.ts'
import { avatarPath } from '../queries/index.ts'
import { isAdministrator, knownUser } from '../rules/index.ts'
import type * as contract from '../contract/personal.ts'
import { AVATAR_SIDE_PIXELS, avatarKey, avatarKeys, MEDIUM_AVATAR_SIDE_PIXELS } from '../queries/avatars.ts'

interface StoredAvatar extends StoredFiles {
  readonly name: string
}

export async function storeAvatar(call: PreparationCall): Promise<StoredAvatar> {
  const { actor, log, file } = call
  requireMayChangeAvatar(log.organization, actor)
  if (file === undefined) throw new ApiError('BAD_REQUEST', 'You must upload exactly one avatar.')
  const name = await writeAvatar(call, file)
  return { name, keys: avatarKeys(log.organization.id, name) }
}

export async function uploadAvatar(
  tx: ActorTx,
  _input: Input<typeof contract.uploadAvatar>,
  { name }: StoredAvatar,
): Promise<FileChange<Output<typeof contract.uploadAvatar>>> {
  return changeOwnAvatar(tx, name)
}

export async function removeAvatar(tx: ActorTx): Promise<FileChange<Output<typeof contract.removeAvatar>>> {
  return changeOwnAvatar(tx, null)
}

export async function writeAvatar(call: PreparationCall, file: ReceivedFile): Promise<string> {
  const { id: organizationId } = call.log.organization
  const who = turnOwner(organizationId, call.actor.userId)
  const [small, medium] = [
    await makeSquarePicture(file.path, AVATAR_SIDE_PIXELS, who),
    await makeSquarePicture(file.path, MEDIUM_AVATAR_SIDE_PIXELS, who),
  ]
  const name = randomName()
  await writeFiles(call, [
    [avatarKey(organizationId, name), small],
    [avatarKey(organizationId, name, '-medium'), medium],
  ])
  return name
}

async function changeOwnAvatar(tx: ActorTx, name: string | null): Promise<FileChange<{ avatar_url: string }>> {
  requireMayChangeAvatar(tx.organization, tx.actor)
  const before = knownUser(tx.organization, tx.actor.userId)
  if (before.avatarFile === name) return { answer: { avatar_url: avatarPath(before) }, unused: [] }
  const changed = await changeAvatar(tx, before, name)
  return { answer: { avatar_url: avatarPath(changed) }, unused: avatarKeys(tx.organizationId, before.avatarFile) }
}

function requireMayChangeAvatar(organization: OrganizationState, actor: Actor): void {
  if (settingOf(organization, 'avatar_changes_disabled') && !isAdministrator(actor)) {
    throw new ApiError('BAD_REQUEST', 'Avatar changes are disabled in this organization.')
  }
}
