import type { Output } from '../../kernel/endpoint.ts'
import type { World } from '../../kernel/fold.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Call } from '../../platform/capability.ts'
import { squarePicture } from '../../platform/files/pictures.ts'
import { randomName } from '../../platform/files/store.ts'
import { setting } from '../organizations/queries.ts'
import { changeAvatar } from '../users/actions.ts'
import { avatarPath } from '../users/queries.ts'
import { isAdministrator, knownUser } from '../users/rules.ts'
import type * as contract from './contract.ts'
import { avatarKeys } from './queries.ts'

/** In pixels. */
const SIDE = 100
const MEDIUM_SIDE = 500

export async function uploadAvatar(call: Call): Promise<Output<typeof contract.uploadAvatar>> {
  const { actor, log, server, file } = call
  requireMayChange(log.world, actor)
  if (file === undefined) throw new Refusal('BAD_REQUEST', 'You must upload exactly one avatar.')
  const [small, medium] = [await squarePicture(file.path, SIDE), await squarePicture(file.path, MEDIUM_SIDE)]
  const name = randomName()
  const keys = avatarKeys(log.world.organizationId, name)
  await server.files.write(keys.small, small)
  await server.files.write(keys.medium, medium)
  return change(call, name)
}

export async function removeAvatar(call: Call): Promise<Output<typeof contract.removeAvatar>> {
  requireMayChange(call.log.world, call.actor)
  return change(call, null)
}

/** @param name of the new picture's files; null for none */
async function change({ log, actor, server }: Call, name: string | null): Promise<{ avatar_url: string }> {
  const before = await log
    .act(actor, async (tx) => {
      requireMayChange(tx.world, tx.actor)
      const user = knownUser(tx.world, tx.actor.userId)
      if (user.avatarFile !== name) await changeAvatar(tx, user, name)
      return user.avatarFile
    })
    .catch(async (error: unknown) => {
      if (error instanceof Refusal) await removeFiles(name)
      throw error
    })
  if (before !== name) await removeFiles(before)
  return { avatar_url: avatarPath(knownUser(log.world, actor.userId)) }

  async function removeFiles(old: string | null): Promise<void> {
    if (old === null) return
    for (const key of Object.values(avatarKeys(log.world.organizationId, old))) {
      // What cannot be removed is no longer named anywhere.
      await server.files.remove(key).catch((error: unknown) => server.report(error))
    }
  }
}

function requireMayChange(world: World, actor: Actor): void {
  if (setting(world, 'avatar_changes_disabled') && !isAdministrator(actor)) {
    throw new Refusal('BAD_REQUEST', 'Avatar changes are disabled in this organization.')
  }
}
