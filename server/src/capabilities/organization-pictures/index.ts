import { Refusal } from '../../kernel/refusal.ts'
import { capability, direct } from '../../platform/capability.ts'
import type { FileCall, FoundFile } from '../../platform/files/serve.ts'
import { API_PREFIX } from '../../platform/http/paths.ts'
import { organizationOf, pictureOf, type PictureKind } from '../organizations/queries.ts'
import { removeIcon, removeLogo, uploadIcon, uploadLogo } from './actions.ts'
import * as contract from './contract.ts'
import { pictureKey } from './queries.ts'

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
    { path: `${API_PREFIX}/realm/icon`, login: 'required', find: async (call) => at(call, 'icon') },
    { path: `${API_PREFIX}/realm/logo`, login: 'required', find: async (call) => at(call, logoAskedFor(call)) },
    // Pages show them before anybody logs in.
    { path: '/organization_pictures/:file(^[\\w-]{24}$).png', login: 'none', find: uploadedPicture },
  ],
})

async function at({ log }: FileCall, kind: PictureKind): Promise<FoundFile> {
  return Promise.resolve({ elsewhere: pictureOf(organizationOf(log.organization), kind).path })
}

function logoAskedFor({ query }: FileCall): PictureKind {
  const night = query.get('night')
  if (night === null) {
    throw new Refusal('REQUEST_VARIABLE_MISSING', "Missing 'night' argument", { var_name: 'night' })
  }
  if (night !== 'true' && night !== 'false') {
    throw new Refusal('REQUEST_VARIABLE_INVALID', "Argument 'night' has the wrong type")
  }
  return night === 'true' ? 'night_logo' : 'logo'
}

async function uploadedPicture({ log, parameters }: FileCall): Promise<FoundFile> {
  const file = parameters['file'] ?? ''
  const key = pictureKey(log.organization.id, file)
  return Promise.resolve({ key, type: 'image/png', name: `${file}.png`, inline: true, keep: 'always' })
}
