import { capability, direct } from '../../platform/capability.ts'
import type { FileCall, FoundFile } from '../../platform/files/serve.ts'
import { identicon } from '../../platform/pages/identicon.ts'
import { avatarPath } from '../users/queries.ts'
import { visibleUserByEmail } from '../users/rules.ts'
import { visibleUser } from '../users/rules/visibility.ts'
import { removeAvatar, uploadAvatar } from './actions.ts'
import * as contract from './contract.ts'
import { AVATAR_SIDE, MEDIUM_AVATAR_SIDE } from './queries.ts'

const PNG = 'image/png'
/** No user has this id: its picture stands for every user whom the viewer does not know. */
const UNKNOWN_ID = 0
/** A user's id or address; with the ending that clients put to the address of a picture for a larger one. */
const WHOSE = ':whose(^(?:\\d{1,15}(?:-medium\\.png)?|.+@.+)$)'

/** Avatars: pictures that people upload of themselves, and those that the server draws for everybody else. */
export const avatars = capability({
  name: 'avatars',
  tables: [],
  routes: [direct(contract.uploadAvatar, uploadAvatar), direct(contract.removeAvatar, removeAvatar)],
  files: [
    { path: `/avatar/${WHOSE}`, login: 'optional', find: avatarOfUser },
    { path: `/avatar/${WHOSE}/medium`, login: 'optional', find: mediumAvatarOfUser },
    // Nobody guesses the name, and pages show pictures without logging in for each.
    { path: '/user_avatars/:file(^[\\w-]{24}(?:-medium)?\\.png$)', login: 'none', find: uploadedAvatar },
  ],
})

async function avatarOfUser(call: FileCall): Promise<FoundFile> {
  const [, whose = '', ending] = /^(.*?)(-medium\.png)?$/.exec(call.parameters['whose'] ?? '') ?? []
  return Promise.resolve(avatarOf(call, whose, ending === undefined ? '' : '-medium'))
}

async function mediumAvatarOfUser(call: FileCall): Promise<FoundFile> {
  return Promise.resolve(avatarOf(call, call.parameters['whose'] ?? '', '-medium'))
}

/**
 * A user's picture, for clients that know only the id or the address. A viewer who is not logged in, or who may not see
 * the user, gets a drawn picture that tells nothing: the one of the id, or for every address the one of an unknown user.
 */
function avatarOf({ log: { organization }, actor, query }: FileCall, whose: string, size: '' | '-medium'): FoundFile {
  const isId = !whose.includes('@')
  const user =
    actor === undefined
      ? undefined
      : isId
        ? visibleUser(organization, actor, Number(whose))
        : visibleUserByEmail(organization, actor, whose)
  if (user !== undefined && user.avatarFile !== null) return { elsewhere: avatarPath(user, size) }
  const drawnId = isId ? Number(whose) : (user?.id ?? UNKNOWN_ID)
  return {
    bytes: identicon(organization.id, drawnId, size === '' ? AVATAR_SIDE : MEDIUM_AVATAR_SIDE),
    type: PNG,
    // Whose an address is changes.
    keep: isId && query.has('version') ? 'always' : 'ask',
  }
}

async function uploadedAvatar({ log, parameters }: FileCall): Promise<FoundFile> {
  const file = parameters['file'] ?? ''
  const key = `avatars/${log.organization.id}/${file}`
  return Promise.resolve({ key, type: 'image/png', name: file, inline: true, keep: 'always' })
}
