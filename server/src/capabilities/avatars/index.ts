import { capability, direct } from '../../platform/capability.ts'
import type { FileCall, FoundFile } from '../../platform/files/serve.ts'
import { identicon } from '../../platform/pages/identicon.ts'
import { avatarPath } from '../users/queries.ts'
import { visibleUser } from '../users/rules/sight.ts'
import { removeAvatar, uploadAvatar } from './actions.ts'
import * as contract from './contract.ts'

const SVG = 'image/svg+xml; charset=utf-8'

/** Avatars: pictures that people upload of themselves, and those that the server draws for everybody else. */
export const avatars = capability({
  name: 'avatars',
  tables: [],
  routes: [direct(contract.uploadAvatar, uploadAvatar), direct(contract.removeAvatar, removeAvatar)],
  files: [
    { path: '/avatar/:user_id(^\\d{1,15}$)', login: 'optional', find: avatarOfUser },
    // Nobody guesses the name, and pages show pictures without logging in for each.
    { path: '/user_avatars/:file(^[\\w-]{24}(?:-medium)?\\.png$)', login: 'none', find: uploadedAvatar },
  ],
})

/**
 * A user's picture, whatever it is; for clients that know only the id. Who is not logged in or may not see the user gets
 * the drawn one, which tells nothing.
 */
async function avatarOfUser({ log, actor, parameters, query }: FileCall): Promise<FoundFile> {
  const userId = Number(parameters['user_id'])
  const user = actor === undefined ? undefined : visibleUser(log.world, actor, userId)
  if (user !== undefined && user.avatarFile !== null) return Promise.resolve({ elsewhere: avatarPath(user) })
  return Promise.resolve({
    text: identicon(log.world.organizationId, userId),
    type: SVG,
    keep: query.has('version') ? 'always' : 'ask',
  })
}

async function uploadedAvatar({ log, parameters }: FileCall): Promise<FoundFile> {
  const file = parameters['file'] ?? ''
  const key = `avatars/${log.world.organizationId}/${file}`
  return Promise.resolve({ key, type: 'image/png', name: file, inline: true, keep: 'always' })
}
