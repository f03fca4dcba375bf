import { capability, direct } from '../../platform/capability.ts'
import { removeAvatar, uploadAvatar } from './actions.ts'
import * as contract from './contract.ts'
import { avatarOfUser, mediumAvatarOfUser, uploadedAvatar } from './queries.ts'

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
