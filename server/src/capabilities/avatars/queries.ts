/** In pixels. */
export const AVATAR_SIDE = 100
export const MEDIUM_AVATAR_SIDE = 500

/** Where the bytes of an uploaded picture are, by the name that its address has too. */
export function avatarKey(organizationId: number, name: string, size: '' | '-medium' = ''): string {
  return `avatars/${organizationId}/${name}${size}.png`
}

/** The same of both its sizes; of none for null. */
export function avatarKeys(organizationId: number, name: string | null): string[] {
  return name === null ? [] : [avatarKey(organizationId, name), avatarKey(organizationId, name, '-medium')]
}
