import type { FileCall, FoundFile } from '../../../platform/files/serve.ts'
import { drawIdenticon } from '../../../platform/pages/identicon.ts'
import { avatarPath } from './index.ts'
import { visibleUserByEmail } from '../rules/index.ts'
import { visibleUser } from '../rules/visibility.ts'

const PNG_TYPE = 'image/png'
const UNKNOWN_USER_ID = 0

export const AVATAR_SIDE_PIXELS = 100
export const MEDIUM_AVATAR_SIDE_PIXELS = 500

export function avatarKey(organizationId: number, name: string, size: '' | '-medium' = ''): string {
  return `avatars/${organizationId}/${name}${size}.png`
}

export function avatarKeys(organizationId: number, name: string | null): string[] {
  return name === null ? [] : [avatarKey(organizationId, name), avatarKey(organizationId, name, '-medium')]
}

export async function avatarOfUser(call: FileCall): Promise<FoundFile> {
  const [, whose = '', ending] = /^(.*?)(-medium\.png)?$/.exec(call.parameters['whose'] ?? '') ?? []
  return Promise.resolve(avatarOf(call, whose, ending === undefined ? '' : '-medium'))
}

export async function mediumAvatarOfUser(call: FileCall): Promise<FoundFile> {
  return Promise.resolve(avatarOf(call, call.parameters['whose'] ?? '', '-medium'))
}

/** Viewers who cannot see the user get a generated avatar, which does not reveal whether the user exists. */
function avatarOf({ log: { organization }, actor, query }: FileCall, whose: string, size: '' | '-medium'): FoundFile {
  const isId = !whose.includes('@')
  const user =
    actor === undefined
      ? undefined
      : isId
        ? visibleUser(organization, actor, Number(whose))
        : visibleUserByEmail(organization, actor, whose)
  if (user !== undefined && user.avatarFile !== null) return { elsewhere: avatarPath(user, size) }
  const drawnId = isId ? Number(whose) : (user?.id ?? UNKNOWN_USER_ID)
  return {
    bytes: drawIdenticon(organization.id, drawnId, size === '' ? AVATAR_SIDE_PIXELS : MEDIUM_AVATAR_SIDE_PIXELS),
    type: PNG_TYPE,
    keep: isId && query.has('version') ? 'always' : 'ask',
  }
}

export async function uploadedAvatar({ log, parameters }: FileCall): Promise<FoundFile> {
  const file = parameters['file'] ?? ''
  const key = `avatars/${log.organization.id}/${file}`
  return Promise.resolve({ key, type: PNG_TYPE, name: file, inline: true, keep: 'always' })
}
