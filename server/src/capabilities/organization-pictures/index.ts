import { capability, direct } from '../../platform/capability.ts'
import { API_PREFIX } from '../../platform/http/paths.ts'
import { removeIcon, removeLogo, uploadIcon, uploadLogo } from './actions.ts'
import * as contract from './contract.ts'
import { currentIcon, currentLogo, uploadedPicture } from './queries.ts'

/** The organization's icon and logos. */
export const organizationPictures = capability({
  name: 'organization-pictures',
  tables: [],
  routes: [
    direct(contract.uploadIcon, uploadIcon),
    direct(contract.removeIcon, removeIcon),
    direct(contract.uploadLogo, uploadLogo),
    direct(contract.removeLogo, removeLogo),
  ],
  files: [
    // What clients know by the calls that change it, whatever its address.
    { path: `${API_PREFIX}/realm/icon`, login: 'required', find: currentIcon },
    { path: `${API_PREFIX}/realm/logo`, login: 'required', find: currentLogo },
    // Pages show them before anybody logs in.
    { path: '/organization_pictures/:file(^[\\w-]{24}$).png', login: 'none', find: uploadedPicture },
  ],
})
